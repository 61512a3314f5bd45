// Whether the device slept: then its date went on while its steady time stood
// still. Only how far they moved apart is looked at, never the date itself: a
// date that somebody sets by hand costs one needless look at the line.

/** What a busy page may lose without having slept, in milliseconds. */
const slack = 2_000

export class Sleep {
  private steadyAt: number
  private dateAt: number

  /** Both give milliseconds. */
  constructor(private readonly steady: () => number, private readonly date: () => number) {
    this.steadyAt = steady()
    this.dateAt = date()
  }

  /** Reports whether the device has slept since this was asked last. */
  ended(): boolean {
    const [steady, date] = [this.steady(), this.date()]
    const apart = (date - this.dateAt) - (steady - this.steadyAt)
    this.steadyAt = steady
    this.dateAt = date
    return Math.abs(apart) > slack
  }
}
