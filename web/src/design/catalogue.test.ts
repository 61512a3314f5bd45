import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { catalogue, inside } from './catalogue'
import { scenes } from './scenes'

const named = (folder: string) => readdirSync(new URL(folder, import.meta.url)).filter((file) => file.endsWith('.svelte')).map((file) => file.replace('.svelte', ''))

it('shows every component, by itself or inside another', () => {
  const files = [...named('../parts'), ...named('../faces')].filter((name) => !['Encounter', 'Demo'].includes(name))
  expect([...Object.keys(catalogue), ...Object.keys(inside)].sort()).toEqual(files.sort())
  for (const owner of Object.values(inside)) expect(Object.keys(catalogue)).toContain(owner)
})

it('shows every moment', () => {
  const shown = new Set(Object.values(catalogue).flatMap((cards) => cards.flatMap((card) => card.at ?? [])))
  expect([...shown].sort()).toEqual(Object.keys(scenes).sort())
})
