// What is written on buttons stays whole.

import { expect, type Page } from './test'

/** No word on a button is broken over two lines, unless it is longer than the button could ever be. */
export async function expectWholeWords(page: Page, what: string): Promise<void> {
  const broken = await page.locator('.btn').evaluateAll((buttons) => buttons.flatMap((button) => {
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
    const words: string[] = []
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const lines = [...range.getClientRects()]
        const tops = new Set(lines.map(({ top }) => Math.round(top)))
        const width = lines.reduce((sum, line) => sum + line.width, 0)
        if (tops.size > 1 && width < document.documentElement.clientWidth / 2) words.push(word)
      }
    }
    return words
  }))
  expect(broken, `${what} breaks words`).toEqual([])
}
