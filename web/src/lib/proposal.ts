// What a player asks the game master to apply, in words.
import { list, num, t } from './lang.svelte'
import { effectLabel } from './labels'
import type { Command } from './wire.gen'

/** “7 damage to Ash”. about are the combatants whom it is about; effectName is what an effect that still lasts is called. */
export function proposalText(
  command: Command | undefined,
  about: string[],
  nameOf: (id: string | undefined) => string,
  effectName: (id: string) => string | undefined = () => undefined,
): string {
  const who = list(about.map(nameOf))
  switch (command?.type) {
    case 'damage':
      return command.source
        ? t('proposal.damage.by', { who, amount: num(command.amount), source: nameOf(command.source) })
        : t('proposal.damage', { who, amount: num(command.amount) })
    case 'heal':
    case 'setTempHp':
      return t(`proposal.${command.type}`, { who, amount: num(command.amount) })
    case 'addEffect':
      return t('proposal.addEffect', { who, effect: effectLabel(command.name) })
    case 'removeEffect': {
      const names = command.effects.map(effectName).filter((name) => name !== undefined)
      return names.length ? t('proposal.removeEffect.named', { who, effect: list(names.map(effectLabel)) }) : t('proposal.removeEffect', { who })
    }
  }
  return who
}
