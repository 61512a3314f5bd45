// What comes up under a finger, or means something else from one moment to the
// next, must not be pressed by what was meant for what stood there before.
import { pressMs } from './session.svelte'

export class Settled {
  /** It has been the same for as long as a double click takes. */
  yes = $state(false)

  /** untouched: nothing has changed since the page came up. what: changes when it means something else. To be made with its component. */
  constructor(untouched: () => boolean, what: () => string | undefined) {
    const now = $derived(what())
    // A page that has just come up stands in nobody's way.
    let first = (this.yes = untouched())
    $effect(() => {
      void now
      if (first) {
        first = false
        return
      }
      this.yes = false
      const timer = setTimeout(() => { this.yes = true }, pressMs)
      return () => clearTimeout(timer)
    })
  }
}
