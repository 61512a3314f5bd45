import type { Outcome } from './connection'

/** A field that sends what is typed in it. It is free for the next as soon as that is sent; what is refused comes back. */
export class Draft {
  text = $state('')

  /** Empties the field while what was in it is under way. A refusal brings it back, unless there is something new or it is no longer meant. */
  async hold(sending: Promise<Outcome>, meant: () => boolean = () => true): Promise<Outcome> {
    const sent = this.text
    this.text = ''
    const outcome = await sending
    if (!outcome.ok && this.text === '' && meant()) this.text = sent
    return outcome
  }
}
