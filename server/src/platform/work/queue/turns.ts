import { setImmediate as nextTurn } from 'node:timers/promises'

/** While a turn goes on, others are looked for so often, as the jobs that work off queues do when they are idle. */
const lookEveryMs = 5_000

export type Turns<T> = {
  /** One of everything whose turn may be now, such as the next of each organization; first those that have waited longest. */
  list(): Promise<readonly T[]>
  /** Whose turn it is: nobody has two at the same time. */
  keyOf(turn: T): string
  /** Does a little of it. False where nothing was done: another process is at it, or it must wait. */
  work(turn: T): Promise<boolean>
  /** So many turns go on at the same time. */
  atOnce?: number
  /** Looked at between turns. */
  signal?: AbortSignal | undefined
}

/**
 * Works off a queue, a turn of each after the other, until nothing is left that can be done now: whoever has much to do delays the others by a turn. One that
 * fails does not keep the others from theirs; what was thrown is thrown at the end.
 */
export async function workInTurns<T>({ list, keyOf, work, atOnce = 1, signal }: Turns<T>): Promise<void> {
  const underWay = new Map<string, Promise<void>>()
  const errors: unknown[] = []
  let worked = true

  function begin(turn: T, key: string): void {
    const ended = work(turn)
      .then((done) => {
        worked ||= done
      })
      .catch((error) => void errors.push(error))
      // Requests that arrived meanwhile come first.
      .then(() => nextTurn())
      .finally(() => underWay.delete(key))
    underWay.set(key, ended)
  }

  /** Until something was done, nothing is under way, or it is time to look again. */
  async function settled(): Promise<void> {
    const late = Promise.withResolvers<'late'>()
    const timer = setTimeout(late.resolve, lookEveryMs, 'late')
    while (!worked && underWay.size > 0)
      if ((await Promise.race([late.promise, ...underWay.values()])) === 'late') break
    clearTimeout(timer)
  }

  try {
    while (worked || underWay.size > 0) {
      signal?.throwIfAborted()
      worked = false
      for (const turn of await list()) {
        if (underWay.has(keyOf(turn))) continue
        if (underWay.size >= atOnce) await Promise.race(underWay.values())
        signal?.throwIfAborted()
        begin(turn, keyOf(turn))
      }
      await settled()
    }
  } finally {
    await Promise.allSettled(underWay.values())
  }
  if (errors.length > 0) throw gathered(errors)
}

/** One error of several. */
export function gathered(errors: readonly unknown[]): unknown {
  return errors.length === 1 ? errors[0] : new AggregateError(errors, `${errors.length} failed: ${errors[0]}`)
}
