// Whether the server has a newer application than this page is.
import { replaced } from './upgrade'

class Version {
  newer = $state(false)

  /** Looks; for when a line to the server was lost and is back. */
  async look(): Promise<void> {
    if (!this.newer && (await replaced())) this.newer = true
  }
}

export const version = new Version()
