/** How long to wait for an answer before asking again another way. */
export type Pace = { learn(ms: number): void; usualMs(): number; patienceMs(): number }

const leastMs = 25
/** So many times as long as answers usually take to follow each other: where all are slow, to ask again would make them slower still. */
const times = 8

/** Follows the last ten answers or so, in which a single slow one counts for no more than was waited for it. Before the first, `usual` is assumed. */
export function paceOf(usual = 0): Pace {
  const patienceMs = () => Math.max(leastMs, times * usual)
  return {
    patienceMs,
    usualMs: () => usual,
    learn(ms) {
      usual += (Math.min(ms, patienceMs()) - usual) / 10
    },
  }
}
