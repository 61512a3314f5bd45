// Looks over a page for what keeps people from using it.

import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from './test'

/** No fault that keeps somebody from using the page. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(bad.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([])
}
