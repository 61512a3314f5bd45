import { describe, expect, it } from 'vitest'
import { linkTo, readAddress, readLink } from './address'

const at = (text: string) => readAddress(new URL(text, 'https://riposte.example'))

describe('addresses', () => {
  it('hold the encounter, and the token in the fragment', () => {
    expect(at('/e/abc#s3cret')).toMatchObject({ encounter: 'abc', token: 's3cret', overlay: undefined })
    expect(at('/')).toMatchObject({ encounter: undefined, token: '' })
    expect(at('/j/K7QF-2M9D')).toMatchObject({ encounter: undefined, code: 'K7QF-2M9D' })
    expect(at('/e/abc?overlay&lines=4&lang=fr&theme=dark#s')).toMatchObject({ overlay: { lines: 4, theme: 'dark' }, lang: 'fr', theme: 'dark' })
  })

  it('are read back from a pasted link', () => {
    const link = linkTo('https://riposte.example', 'abc', 's3cret')
    expect(link).toBe('https://riposte.example/e/abc#s3cret')
    expect(readLink(` ${link} `, 'https://riposte.example')).toEqual({ encounter: 'abc', token: 's3cret' })
    expect(readLink('/e/abc#s', 'https://riposte.example')).toEqual({ encounter: 'abc', token: 's' })
    for (const wrong of ['', 'hello', 'https://riposte.example/e/abc', 'http://', 'https://riposte.example/#s']) {
      expect(readLink(wrong, 'https://riposte.example')).toBeUndefined()
    }
  })
})
