// The log: one sentence for every event, made here in the reader's language.
import type { AppEvent, LogEntry, Pool } from './wire.gen'
import { list, num, signed, t, tn, tx } from './lang.svelte'
import { proposalText } from './proposal'
import { abilityLabel, actionLabel, commandLabel, effectLabel, pendingLabel, poolAmount, reasonLabel } from './labels'

/** Who is called what. */
export interface Names {
  combatant(id: string): string
  seat(id: string): string
}

/** How a line looks; detail lines are machinery and are shown on demand only. */
export type Tone = 'plain' | 'round' | 'turn' | 'interrupt' | 'harm' | 'heal' | 'history' | 'talk' | 'detail'

const tones: Partial<Record<AppEvent['type'], Tone>> = {
  roundStarted: 'round', combatStarted: 'round', combatEnded: 'round', combatReset: 'round',
  turnStarted: 'turn',
  framePushed: 'interrupt',
  damaged: 'harm', lifeSet: 'harm', healed: 'heal', tempHpSet: 'heal',
  undone: 'history', redone: 'history',
  said: 'talk', noted: 'talk', diceRolled: 'talk',
  marksSet: 'detail', ordered: 'detail', stepped: 'detail', poolsSet: 'detail',
  clockSet: 'detail', staged: 'detail', windowMoved: 'detail', windowClosed: 'detail',
  pendingClosed: 'detail', hpSet: 'detail', chargeSet: 'plain', turnEnded: 'detail', windowOpened: 'detail', declined: 'detail',
}

/** How the line of an event looks. */
export function toneOf(event: AppEvent): Tone {
  if (event.type === 'poolsSet' && event.why === 'grant') return 'plain'
  if (event.type === 'clockSet' && event.why) return 'plain'
  if (event.type === 'ordered' && event.why === 'gm') return 'plain'
  if (event.type === 'turnEnded' && event.expired) return 'plain'
  if (event.type === 'declined' && event.why === 'expired') return 'plain'
  // Said by another line of the same commit.
  if (event.type === 'resolved' && event.outcome === 'done') return 'detail'
  if (event.type === 'proposalClosed' && event.why === 'accepted') return 'detail'
  if (event.type === 'acted' && (event.action.kind === 'ready' || event.action.kind === 'move')) return 'detail'
  if (event.type === 'readySet' && event.why === 'released') return 'detail'
  if (event.type === 'surprisedSet' && !event.surprised) return 'detail'
  if (event.type === 'lifeSet' && event.life === 'up') return 'heal'
  return tones[event.type] ?? 'plain'
}

const pools = (all: Pool[] | undefined) => list((all ?? []).map((p) => poolAmount(p.name, p.left)))

/** One line: an entry, and everybody of whom it says the same. */
export interface Line {
  entry: LogEntry
  who: string[]
}

/** What may be said of several at once: the same but for whom it is about. */
function about(event: AppEvent): { id: string; what: string } | undefined {
  switch (event.type) {
    case 'combatantAdded': return { id: event.combatant.id, what: event.type }
    case 'surprisedSet': return event.surprised ? { id: event.combatant, what: event.type } : undefined
    case 'initiativeSet': return event.die ? undefined : { id: event.combatant, what: `${event.type} ${event.count}` }
    case 'effectAdded': return { id: event.effect.target, what: `${event.type} ${event.effect.name}` }
    case 'effectEnded': return { id: event.target, what: `${event.type} ${event.name} ${event.why}` }
  }
  return undefined
}

/** An attack without a name, whose hit or miss is the next line, needs no line of its own. */
function toldNext({ event, commit }: LogEntry, next: LogEntry | undefined): boolean {
  return event.type === 'acted' && !event.action.name && !event.ruling && next !== undefined && next.commit === commit
    && next.event.type === 'resolved' && next.event.frame === event.frame && (next.event.outcome === 'hit' || next.event.outcome === 'miss')
}

/** What was done at once: only GMs are told commits, others that it has one time. */
export const at = (entry: LogEntry) => entry.commit ?? entry.at

/** Whoever broke in and is through at once: that it is over goes without saying. */
function overAtOnce(entry: LogEntry, begun: ReadonlyMap<string, number>): boolean {
  return entry.event.type === 'framePopped' && begun.get(entry.event.frame) === at(entry)
}

/** Makes one line of neighbours in a commit that say the same of several. */
export function fold(entries: readonly LogEntry[]): Line[] {
  const lines: Line[] = []
  const begun = new Map<string, number>()
  let before: string | undefined
  for (const [i, entry] of entries.entries()) {
    if (entry.event.type === 'framePushed') begun.set(entry.event.frame.id, at(entry))
    if (toldNext(entry, entries[i + 1]) || overAtOnce(entry, begun)) continue
    const one = about(entry.event)
    const last = lines.at(-1)
    const same = one && `${at(entry)} ${one.what}`
    if (last && same && same === before) last.who.push(one.id)
    else lines.push({ entry, who: one ? [one.id] : [] })
    before = same
  }
  return lines
}

/** What undo does not touch: talk, dice, what players ask for, and who sits where. */
const untouched: ReadonlySet<AppEvent['type']> = new Set([
  'created', 'imported', 'seatAdded', 'seatRemoved', 'seatEdited', 'linkReplaced', 'noted', 'diceRolled', 'said', 'proposed',
])
const stands = (event: AppEvent) =>
  untouched.has(event.type) || (event.type === 'proposalClosed' && (event.why === 'withdrawn' || event.why === 'gone'))

/** The commits whose lines no longer hold: undone, and not brought back. */
export const undone = (entries: readonly LogEntry[]): Set<number> => past(entries).gone

/** What became of commits, and which ones undo and redo would be about. */
export function past(entries: readonly LogEntry[]): { gone: Set<number>; undo: number | undefined; redo: number | undefined } {
  const gone = new Set<number>()
  const active = new Set<number>()
  let redoable: number[][] = []
  for (const { commit, event } of entries) {
    if (!commit || stands(event)) continue
    if (event.type === 'undone') {
      const taken = [...active].filter((n) => n > event.to)
      for (const n of taken) {
        active.delete(n)
        gone.add(n)
      }
      redoable.push(taken)
    } else if (event.type === 'redone') {
      for (const n of redoable.pop() ?? []) {
        gone.delete(n)
        active.add(n)
      }
    } else if (!active.has(commit)) {
      active.add(commit)
      redoable = []
    }
  }
  return { gone, undo: [...active].at(-1), redo: redoable.at(-1)?.[0] }
}

/** What a commit did, in words; empty where the command's own name says it better. */
export function deedText(entries: readonly LogEntry[], commit: number | undefined, names: Names): string {
  const line = commit === undefined ? undefined : fold(entries.filter((e) => e.commit === commit && toneOf(e.event) !== 'detail'))[0]
  if (!line || ['turn', 'round'].includes(toneOf(line.entry.event))) return ''
  return sentence(line.entry.event, names, line.entry.seat ? names.seat(line.entry.seat) : tx(`role.${line.entry.by}`, ''), line.who)
}

/** The sentence of an event. by is who caused it, for what is said; all are those of whom it says the same. */
export function sentence(event: AppEvent, names: Names, by: string, all: string[] = []): string {
  const who = (id: string | undefined) => (id ? names.combatant(id) : t('someone'))
  const many = (ids: string[]) => list(ids.map(who))
  switch (event.type) {
    case 'created':
    case 'imported':
    case 'combatStarted':
    case 'combatEnded':
    case 'staged':
    case 'windowClosed':
    case 'pendingClosed':
      return t(`log.${event.type}`)
    case 'combatReset':
      return t(event.clear ? 'log.combatReset.clear' : 'log.combatReset')
    case 'proposed': {
      const { seat, command, combatants } = event.pending
      return t('log.proposed', { by: names.seat(seat ?? ''), what: proposalText(command, combatants, who) })
    }
    case 'proposalClosed':
      return tx(`log.proposalClosed.${event.why}`, event.why, { by: names.seat(event.seat), what: proposalText(event.command, event.combatants, who) })
    case 'optionsSet':
      if (event.title !== undefined) return t('log.optionsSet.title', { title: event.title })
      return t('log.optionsSet', {
        // What a number may mean besides is for the form.
        what: list(Object.entries(event.options ?? {}).map(([k, v]) => `${tx(`option.${k}`, k).replace(/ \([^)]*\)$/, '')} → ${tx(`option.${k}.${v}`, tx(`option.${v}`, v))}`)),
      })
    case 'seatAdded':
    case 'seatRemoved':
      return t(`log.${event.type}`, { name: event.name })
    case 'seatEdited':
      return t(event.readOnly ? 'log.seatEdited.readOnly' : 'log.seatEdited', { name: event.name })
    case 'linkReplaced':
      return t('log.linkReplaced', { role: tx(`role.${event.role}`, event.role) })
    case 'combatantAdded':
      return all.length > 1 ? t('log.combatantAdded.many', { who: many(all) }) : t('log.combatantAdded', { who: event.combatant.name })
    case 'combatantEdited':
      return event.was
        ? t('log.combatantEdited.renamed', { was: event.was, who: event.name })
        : t('log.combatantEdited', { who: event.name })
    case 'combatantRemoved':
      return t('log.combatantRemoved', { who: event.name })
    case 'hiddenSet':
      return tx(`log.hiddenSet.${event.untilAct ? 'untilAct' : event.hidden ? 'on' : 'off'}${event.from ? `.${event.from}` : ''}`,
        t(event.hidden ? 'log.hiddenSet.on' : 'log.hiddenSet.off', { who: who(event.combatant) }), { who: who(event.combatant) })
    case 'sightSet':
      return t(event.audience === 'spectators' ? 'log.sightSet.spectators' : 'log.sightSet.players', { who: who(event.combatant) })
    case 'defeatedSet':
      return t(event.defeated ? 'log.defeatedSet.on' : 'log.defeatedSet.off', { who: who(event.combatant) })
    case 'seatAssigned':
      return event.seat
        ? t('log.seatAssigned', { who: who(event.combatant), seat: names.seat(event.seat) })
        : t('log.seatAssigned.none', { who: who(event.combatant) })
    case 'positionSet':
      return t('log.positionSet', { who: who(event.combatant), text: event.position })
    case 'chargeSet': {
      const key = event.charged
        ? event.die ? 'log.chargeSet.die' : 'log.chargeSet.on'
        : event.die ? 'log.chargeSet.dieOff' : 'log.chargeSet.off'
      return t(key, { who: who(event.combatant), name: event.name, die: event.die })
    }
    case 'marksSet':
    case 'planned':
      return t(`log.${event.type}`, { who: who(event.combatant) })
    case 'surprisedSet':
      if (all.length > 1) return t('log.surprisedSet.many', { who: many(all) })
      return t(event.surprised ? 'log.surprisedSet.on' : 'log.surprisedSet.off', { who: who(event.combatant) })
    case 'initiativeSet':
      return t(event.die ? 'log.initiativeSet.die' : 'log.initiativeSet', {
        who: many(all.length > 1 ? all : [event.combatant]), count: num(event.count), die: event.die, mod: signed(event.mod ?? 0),
      })
    case 'rolledOff':
      return t('log.rolledOff', { who: who(event.combatant), die: event.die })
    case 'tieSettled':
      return t('log.tieSettled', { order: event.order.map(who).join(', ') })
    case 'ordered':
      switch (event.why) {
        case 'joined': return t('log.ordered.joined')
        case 'count': return t('log.ordered.count')
        case 'gm': return t('log.ordered.gm')
        case 'delay': return t('log.ordered.delay')
        default: return t('log.ordered')
      }
    case 'roundStarted':
      return event.phase === 'surprise' ? t('log.roundStarted.surprise') : t('log.roundStarted', { round: event.round })
    case 'turnStarted':
      if (event.kind === 'lair') return t('log.turnStarted.lair', { who: who(event.combatant) })
      return event.empty
        ? t('log.turnStarted.empty', { who: who(event.combatant), reason: reasonLabel(event.empty) })
        : t('log.turnStarted', { who: who(event.combatant) })
    case 'stepped':
      return t('log.stepped', { step: tx(`step.${event.step}`, event.step) })
    case 'turnEnded':
      return t(event.expired ? 'log.turnEnded.expired' : 'log.turnEnded', { who: who(event.combatant) })
    case 'poolsSet':
      return t(event.why === 'grant' ? 'log.poolsSet.grant' : 'log.poolsSet', { who: who(event.combatant), pools: pools(event.pools) })
    case 'delaySet':
      return t(event.delaying ? 'log.delaySet.on' : 'log.delaySet.off', { who: who(event.combatant) })
    case 'clockSet':
      if (event.why === 'pause') return t('log.clockSet.pause')
      return event.why === 'resume' ? t('log.clockSet.resume') : t('log.clockSet')
    case 'acted': {
      const targets = event.action.targets ?? []
      const text = t(targets.length ? 'log.acted.targets' : 'log.acted', {
        who: who(event.combatant), what: actionLabel(event.action), targets: many(targets),
      })
      return event.ruling ? `${text} (${t('log.ruling')})` : text
    }
    case 'resolved':
      return resolved(event, who)
    case 'windowOpened': {
      const eligible = event.window?.eligible ?? []
      return eligible.length ? t('log.windowOpened', { eligible: many(eligible) }) : t('log.windowOpened.nobody')
    }
    case 'windowMoved':
      return event.eligible?.[0] ? t('log.windowMoved', { who: who(event.eligible[0]) }) : t('log.windowMoved.nobody')
    case 'declined':
      switch (event.why) {
        case 'expired': return t('log.declined.expired', { who: who(event.combatant) })
        case 'closed': return t('log.declined.closed', { who: who(event.combatant) })
        default: return t('log.declined.declined', { who: who(event.combatant) })
      }
    case 'framePushed': {
      const { frame } = event
      const what = frame.action ? actionLabel(frame.action) : tx(`frame.${frame.kind}`, frame.kind)
      const other = frame.trigger?.combatant
      const targets = frame.action?.targets ?? []
      // It comes between two turns, and interrupts neither.
      const text = frame.kind === 'legendary' ? t(targets.length ? 'log.acted.targets' : 'log.acted', { who: who(frame.combatant), what, targets: many(targets) })
        : other && other !== frame.combatant
        ? t('log.framePushed.of', { who: who(frame.combatant), other: who(other), what })
        : t('log.framePushed', { who: who(frame.combatant), what })
      return event.ruling ? `${text} (${t('log.ruling')})` : text
    }
    case 'framePopped':
      return t('log.framePopped', { who: who(event.combatant) })
    case 'readySet':
      return readied(event, who)
    case 'moved':
      return t(event.forced ? 'log.moved.forced' : 'log.moved', { who: who(event.combatant), feet: num(event.feet) })
    case 'damaged': {
      const place = { who: who(event.combatant), amount: num(event.amount), source: who(event.source), effect: effectLabel(event.effect ?? '') }
      if (!event.amount) return t('log.damaged.hidden', place)
      if (event.effect) return t('log.damaged.effect', place)
      return t(event.source ? 'log.damaged.by' : 'log.damaged', place)
    }
    case 'healed':
      return t(event.amount ? 'log.healed' : 'log.healed.hidden', { who: who(event.combatant), amount: num(event.amount) })
    case 'tempHpSet':
      return t('log.tempHpSet', { who: who(event.combatant), temp: num(event.temp) })
    case 'lifeSet':
      return tx(`log.lifeSet.${event.life}`, event.life, { who: who(event.combatant) })
    case 'saved': {
      const save = event.kind === 'save' && event.effect ? `${pendingLabel('save')} (${effectLabel(event.effect)})` : pendingLabel(event.kind)
      // Those who may not see the dice are told how it ended.
      if (event.die === undefined) return t(event.success ? 'log.saved.success.unseen' : 'log.saved.failure.unseen', { who: who(event.combatant), save })
      const die = event.total && event.total !== event.die ? `${event.die} (${event.total})` : String(event.die)
      return t(event.success ? 'log.saved.success' : 'log.saved.failure', { who: who(event.combatant), save, die })
    }
    case 'effectAdded':
      return t('log.effectAdded', { who: many(all.length ? all : [event.effect.target]), effect: effectLabel(event.effect.name) })
    case 'effectEnded': {
      const place = { who: many(all.length ? all : [event.target]), effect: effectLabel(event.name) }
      if (event.why === 'saved') return t('log.effectEnded.saved', place)
      return t(event.why === 'concentration' ? 'log.effectEnded.concentration' : 'log.effectEnded', place)
    }
    case 'pendingOpened': {
      const { kind, ability, combatants } = event.pending
      const what = ability ? `${pendingLabel(kind)}, ${abilityLabel(ability)}` : pendingLabel(kind)
      return t('log.pendingOpened', { what, who: many(combatants ?? []) })
    }
    case 'hpSet':
      return t('log.hpSet', { who: who(event.combatant), hp: num(event.hp) })
    case 'undone':
      // What it was may be hidden from all but the GM.
      if (!event.took) return t('log.undone.plain')
      return event.count > 1
        ? tn('log.undone.many', event.count, { what: commandLabel(event.took) })
        : t('log.undone', { what: commandLabel(event.took) })
    case 'redone':
      return event.brought ? t('log.redone', { what: commandLabel(event.brought) }) : t('log.redone.plain')
    case 'noted':
      return t('log.noted', { text: event.text })
    case 'diceRolled':
      return t(event.label ? 'log.diceRolled.label' : 'log.diceRolled', {
        by, dice: event.dice, label: event.label, total: num(event.total), faces: (event.faces ?? []).join(', '),
      })
    case 'said':
      return t('log.said', { by, text: event.text })
    default:
      // A newer server may know more events than this page.
      return t('log.unknown', { type: (event as { type: string }).type })
  }
}

function resolved(event: Extract<AppEvent, { type: 'resolved' }>, who: (id?: string) => string): string {
  const place = { who: who(event.combatant), what: actionLabel(event), target: who(event.target), total: event.total }
  switch (event.outcome) {
    case 'hit': return t(event.total === undefined ? 'log.resolved.hit' : 'log.resolved.hit.total', place)
    case 'miss': return t(event.total === undefined ? 'log.resolved.miss' : 'log.resolved.miss.total', place)
    case 'countered': return t('log.resolved.countered', place)
    case 'lost': return t('log.resolved.lost', place)
    default: return t('log.resolved.done', place)
  }
}

function readied(event: Extract<AppEvent, { type: 'readySet' }>, who: (id?: string) => string): string {
  const place = { who: who(event.combatant) }
  if (event.readied) {
    const what = event.readied.action ? actionLabel(event.readied.action) : ''
    if (!event.readied.trigger) return t('log.readySet.plain', place)
    return t('log.readySet', { ...place, what, trigger: event.readied.trigger })
  }
  switch (event.why) {
    case 'lapsed': return t('log.readySet.lapsed', place)
    case 'released': return t('log.readySet.released', place)
    case 'lost': return t('log.readySet.lost', place)
    default: return t('log.readySet.gone', place)
  }
}
