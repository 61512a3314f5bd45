import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

const assets = fileURLToPath(new URL('./dist/assets', import.meta.url))

/** What the whole client may weigh, gzipped. */
const mostBytes = 120_000

export default defineConfig({
  plugins: [
    svelte(),
    {
      // The whole folder must not be emptied: the Go package embeds it, and
      // its placeholder is what lets a checkout without a build compile.
      name: 'remove-old-assets',
      apply: 'build',
      buildStart: () => rmSync(assets, { recursive: true, force: true }),
    },
    {
      // A phone on a bad line has to load all of it.
      name: 'weigh',
      apply: 'build',
      generateBundle(_, bundle) {
        let bytes = 0
        for (const file of Object.values(bundle)) bytes += gzipSync(file.type === 'chunk' ? file.code : file.source).length
        const text = `${(bytes / 1000).toFixed(1)} kB gzipped in all, of ${mostBytes / 1000} kB allowed`
        if (bytes > mostBytes) this.error(text)
        this.info(text)
      },
    },
  ],
  build: {
    target: 'es2022',
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    // Nothing may be inlined as a data: URL, the page's policy forbids it.
    assetsInlineLimit: 0,
  },
  server: {
    proxy: {
      '/api': process.env.RIPOSTE_URL ?? 'http://127.0.0.1:8080',
      '/ws': { target: process.env.RIPOSTE_URL ?? 'http://127.0.0.1:8080', ws: true },
    },
  },
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
  },
})
