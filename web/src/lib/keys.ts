// The game master's keys: one table for what they do and for the list of them.

/** What a key does on the desk. */
export type Deed =
  | 'next' | 'back' | 'redo' | 'down' | 'up' | 'downToo' | 'upToo' | 'hp' | 'effect' | 'hide' | 'sight' | 'out' | 'move'
  | 'accept' | 'decline' | 'add' | 'log' | 'seeAs' | 'clear' | 'help'

interface Key {
  deed: Deed
  /** values of KeyboardEvent.key, letters in lower case */
  on: readonly string[]
  shift?: boolean
}

/** In the order to list them, by what they are about. */
export const deskKeys: readonly { about: 'turn' | 'selection' | 'question' | 'page'; keys: readonly Key[] }[] = [
  { about: 'turn', keys: [{ deed: 'next', on: ['n'] }, { deed: 'back', on: ['b'] }, { deed: 'redo', on: ['r'] }] },
  {
    about: 'selection',
    keys: [
      { deed: 'down', on: ['j', 'arrowdown'] }, { deed: 'up', on: ['k', 'arrowup'] },
      { deed: 'downToo', on: ['j', 'arrowdown'], shift: true }, { deed: 'upToo', on: ['k', 'arrowup'], shift: true },
      { deed: 'hp', on: ['h'] }, { deed: 'effect', on: ['e'] }, { deed: 'hide', on: ['v'] }, { deed: 'sight', on: ['v'], shift: true },
      { deed: 'out', on: ['x'] }, { deed: 'move', on: ['m'] }, { deed: 'clear', on: ['escape'] },
    ],
  },
  { about: 'question', keys: [{ deed: 'accept', on: ['y'] }, { deed: 'decline', on: ['d'] }] },
  { about: 'page', keys: [{ deed: 'add', on: ['a'] }, { deed: 'log', on: ['l'] }, { deed: 'seeAs', on: ['s'] }, { deed: 'help', on: ['?'] }] },
]

const all = deskKeys.flatMap(({ keys }) => keys)

/** What a pressed key asks for; nothing while a modifier belongs to the browser. */
export function deedOf(event: { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; altKey: boolean }): Deed | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined
  const key = event.key.toLowerCase()
  // What stands on a key differs between keyboards: shift is part of a sign.
  const letter = /^[a-z]$|^arrow/.test(key)
  return all.find((k) => k.on.includes(key) && (!letter || (k.shift ?? false) === event.shiftKey))?.deed
}

/** Reports whether a key begins a change of hit points. */
export const beginsNumber = (event: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }) =>
  /^[0-9+]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey
