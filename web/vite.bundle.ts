// What is done with the files of a build: named in the page early, weighed,
// compressed once for all time.
import { createHash } from 'node:crypto'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle

/** The chunk of a module, with every chunk it cannot do without, and their style sheets. */
function graph(bundle: Bundle, module: string): string[] {
  const files = new Set<string>()
  const add = (name: string) => {
    const chunk = bundle[name]
    if (files.has(name) || chunk?.type !== 'chunk') return
    files.add(name)
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style)
    chunk.imports.forEach(add)
  }
  const start = Object.values(bundle).find((file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(module)))
  if (!start) throw new Error(`no chunk has ${module}`)
  add(start.fileName)
  return [...files]
}

/** One chunk for all that each of these modules needs, the first having precedence: a few requests instead of many. */
export function chunks(...modules: string[]): Rolldown.CodeSplittingOptions {
  const graphs = modules.map(() => new Set<string>())
  return {
    groups: modules.map((module, i) => ({
      debugName: module,
      priority: modules.length - i,
      name(id, context) {
        const needed = graphs[i]!
        const add = (id: string) => {
          if (needed.has(id)) return
          needed.add(id)
          context.getModuleInfo(id)?.importedIds.forEach(add)
        }
        if (!needed.size) add(fileURLToPath(new URL(module, import.meta.url)))
        return needed.has(id) ? parse(module).name : undefined
      },
    })),
  }
}

/** Lets the page ask for a module's files before the script that imports it has arrived. */
export function preload(module: string): Plugin {
  return {
    name: 'preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return []
        return graph(bundle, module)
          .filter((file) => !html.includes(file))
          .map((file) => file.endsWith('.css')
            ? { tag: 'link', attrs: { rel: 'stylesheet', crossorigin: true, href: `/${file}` }, injectTo: 'head' }
            : { tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` }, injectTo: 'head' })
      },
    },
  }
}

/** Ends the build when a phone on a bad line would have to load too much. Limits are in bytes, gzipped. */
export function weigh(limits: {
  /** the script that the page names */
  page: string
  /** what the page of a player or spectator begins with */
  application: string
  /** the larger language */
  language: string
  first: number
  all: number
}): Plugin {
  return {
    name: 'weigh',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const sizes = new Map(Object.values(bundle).map((file) => [file.fileName, gzipSync(file.type === 'chunk' ? file.code : file.source).length]))
        const sum = (names: Iterable<string>) => [...new Set(names)].reduce((total, name) => total + (sizes.get(name) ?? 0), 0)
        const first = sum(['index.html', ...graph(bundle, limits.page), ...graph(bundle, limits.application), ...graph(bundle, limits.language)])
        const text = `gzipped, ${kilo(first)} of ${kilo(limits.first)} kB to begin with, ${kilo(sum(sizes.keys()))} of ${kilo(limits.all)} kB in all`
        if (first > limits.first || sum(sizes.keys()) > limits.all) this.error(text)
        this.info(text)
      },
    },
  }
}

const kilo = (bytes: number) => (bytes / 1000).toFixed(1)

/** Tells the service worker the files of the build, and of the public folder, that it keeps. */
export function worker(others: string[]): Plugin {
  return {
    name: 'worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const code = bundle['sw.js']
        if (code?.type !== 'chunk') return this.error('there is no sw.js')
        const files = [...Object.keys(bundle).filter((name) => /^assets\/.*\.(js|css)$/.test(name)).map((name) => `/${name}`).sort(), ...others]
        const page = bundle['index.html']
        const version = createHash('sha256').update(JSON.stringify(files)).update(page?.type === 'asset' ? page.source : '').update(code.code).digest('hex').slice(0, 12)
        code.code = code.code.replaceAll('__FILES__', JSON.stringify(files)).replaceAll('__VERSION__', JSON.stringify(version))
      },
    },
  }
}

/** Adds a compressed twin to every file worth it, for the server to send as it is. */
export function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    generateBundle: {
      // After what weighs the files as they are.
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (!file.fileName.startsWith('assets/') || !/\.(js|css)$/.test(file.fileName)) continue
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(source, { level: 9 }) })
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }) })
        }
      },
    },
  }
}
