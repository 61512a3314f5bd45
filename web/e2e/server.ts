// A real server process with a data folder of its own, which can be killed and
// started again as if the machine had failed.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export class Server {
  private readonly data = mkdtempSync(join(tmpdir(), 'riposte-data-'))
  private process: ChildProcess | undefined
  private listen = '127.0.0.1:0'

  /** Where it answers, without a slash at the end. */
  get url(): string {
    return 'http://' + this.listen
  }

  /** Starts, and returns when it listens. The second time it takes the port it had. */
  async start(): Promise<void> {
    const child = spawn(process.env.RIPOSTE_BINARY!, ['serve', '-listen', this.listen, '-data', this.data], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.process = child
    const lines: string[] = []
    this.listen = await new Promise<string>((resolve, reject) => {
      const read = (line: string) => {
        lines.push(line)
        const found = /http:\/\/([^\s"/]+)/.exec(line)
        if (found) resolve(found[1]!)
      }
      createInterface(child.stdout).on('line', read)
      createInterface(child.stderr).on('line', read)
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${lines.join('\n')}`)))
      child.once('error', reject)
    })
  }

  /** Copies what it keeps, with the backup command. */
  async backup(): Promise<void> {
    const child = spawn(process.env.RIPOSTE_BINARY!, ['backup', '-data', this.data, this.copied], { stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`the backup ended with ${code}`)
  }

  /** Puts the copy in the place of what it kept; to be done while it does not run. */
  restore(): void {
    cpSync(this.copied, join(this.data, 'journal.db'))
  }

  private get copied(): string {
    return join(this.data, 'copy.db')
  }

  /** Ends it without a word, as a crash does. */
  async kill(): Promise<void> {
    await this.end('SIGKILL')
  }

  /** Ends it and removes its data. */
  async remove(): Promise<void> {
    await this.end('SIGTERM')
    rmSync(this.data, { recursive: true, force: true })
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.process
    this.process = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
}
