/** A duration, or none when the person wants the screen calm. */
export function calm(ms: number): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms
}
