import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { chunks, compress, preload, weigh, worker } from './vite.bundle.ts'

const assets = fileURLToPath(new URL('./dist/assets', import.meta.url))

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
    preload('src/app.ts'),
    weigh({ page: 'src/main.ts', application: 'src/app.ts', language: 'src/i18n/fr.ts', first: 105_000, all: 222_000 }),
    worker(['/favicon.svg', '/favicon-turn.svg', '/favicon-react.svg', '/icon-192.png', '/manifest.webmanifest']),
    compress(),
  ],
  build: {
    target: 'es2022',
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    // Nothing may be inlined as a data: URL, the page's policy forbids it.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: 'index.html', sw: 'worker/sw.ts' },
      output: {
        // The worker's address is its name for ever.
        entryFileNames: (chunk) => (chunk.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        codeSplitting: chunks('src/main.ts', 'src/App.svelte'),
      },
    },
  },
  server: {
    proxy: {
      '/api': process.env.RIPOSTE_URL ?? 'http://127.0.0.1:8080',
      '/ws': { target: process.env.RIPOSTE_URL ?? 'http://127.0.0.1:8080', ws: true },
    },
  },
  test: {
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/i18n/test.setup.ts'],
    environment: 'node',
  },
})
