import { expect, it } from 'vitest'
import { uuid } from './uuid'

it('makes random UUIDs of version 4', () => {
  const many = Array.from({ length: 200 }, uuid)
  for (const one of many) expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(many).size).toBe(many.length)
})
