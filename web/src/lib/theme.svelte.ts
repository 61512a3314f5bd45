// Dark, light, or as the device has it.
import { recall, remember } from './storage'

export type Choice = 'auto' | 'light' | 'dark'
const choices: Choice[] = ['auto', 'light', 'dark']

class Theme {
  choice = $state<Choice>('auto')

  /** Begins with what was chosen before, or what the address asks for. */
  begin(asked: string | undefined): void {
    const wanted = asked ?? recall('theme')
    this.show(choices.find((c) => c === wanted) ?? 'auto')
  }

  /** Goes to the next choice and keeps it. */
  turn(): void {
    const next = choices[(choices.indexOf(this.choice) + 1) % choices.length] ?? 'auto'
    remember('theme', next)
    this.show(next)
  }

  private show(choice: Choice): void {
    this.choice = choice
    if (choice === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = choice
  }
}

export const theme = new Theme()
