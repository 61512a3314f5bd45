// Builds the server once for all tests, with one rule system more than a
// release has. It embeds the browser client's build, which must be there.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export default function build(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'riposte-build-'))
  const binary = join(folder, 'riposte')
  execFileSync('go', ['build', '-tags', 'popcorn', '-o', binary, './server'], { cwd: root, stdio: 'inherit' })
  process.env.RIPOSTE_BINARY = binary
  return () => rmSync(folder, { recursive: true, force: true })
}
