/** Round figures at the same distance, from the least or below to the most or above, zero among them. */
export function ticksFor(values: readonly number[], steps = 4): number[] {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  if (least === most) return [0, 1]
  const fine = (most - least) / steps
  const power = 10 ** Math.floor(Math.log10(fine))
  const step = power * ([1, 2, 2.5, 5].find((times) => times * power >= fine) ?? 10)
  const [first, last] = [Math.floor(least / step), Math.ceil(most / step)]
  return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step)
}

/** From where to where each value reaches when they stand on each other: those below zero hang down from it. */
export function piled(values: readonly number[]): { from: number; to: number }[] {
  let [up, down] = [0, 0]
  return values.map((value) => {
    const from = value < 0 ? down : up
    const to = from + value
    if (value < 0) down = to
    else up = to
    return { from, to }
  })
}
