// What forms suggest under each rule system: the sheet's own fields, who may be
// asked. Words for forms, not rules: anything else can be typed, and the server
// decides.

interface Suggestions {
  /** numbers of the sheet with a field of their own: the server's keys, and the most that fits */
  numbers: Readonly<Record<string, number>>
  /** a combatant may have a bonus action, or legendary ones */
  bonus: boolean
  /** actions whose form asks whose reach they are done in */
  provoking: readonly string[]
}

const none: Suggestions = { numbers: {}, bonus: false, provoking: [] }

const byRules: Readonly<Record<string, Suggestions>> = {
  dnd5e: { ...none, bonus: true },
  starfinder: {
    ...none,
    numbers: { stamina: 1_000_000, resolve: 1000 },
    provoking: ['attack', 'fullAttack', 'castSpell', 'combatManeuver', 'coveringFire', 'harryingFire', 'coupDeGrace', 'manipulateItem', 'other', 'otherMove', 'otherFull'],
  },
}

/** What to suggest under these rules; something plain under rules that are not known here. */
export const suggestions = (rules: string | undefined): Suggestions => byRules[rules ?? ''] ?? none
