import { Refusal } from '../refusal.ts'

/** Gives a place back. */
export type Leave = () => void
/** Whoever waits for a place gives it up when this is aborted. A function, because most never wait. */
export type WaitSignal = () => AbortSignal

/**
 * Places that many share: each organization, or whatever else the places are shared between, has as many as leave room for the others, and who waits is
 * served in turn, an organization after the other.
 */
export type Share<U extends string = string> = {
  /** `use` is `read` where nothing else is said. `waitMs`: how long this one waits, where it is not as long as the others. */
  enter(org: string, use?: U | 'read', waits?: WaitSignal, waitMs?: number): Promise<Leave>
  /** A place without a wait; null where there is none. */
  tryEnter(org: string, use?: U | 'read'): Leave | null
  counts(): { held: number; waiting: number; refused: number }
}

type Rules<U extends string> = {
  places: number
  /** Whether an organization that holds so many may have one more while so many are free. */
  mayEnter(held: number, free: number, org: string, use: U | 'read'): boolean
  /** Of one organization for one use; who comes after them is refused at once. */
  mostWaiting: number | ((org: string, use: U | 'read') => number)
  /** Of all together for one use, where that is bounded. */
  mostWaitingInAll?: number
  /** Who waits for this use has a turn before all others. */
  ahead?: U
  /** How long anybody waits; where that is infinite, who waits says itself when it does not any more. */
  waitMs: number
  refuse(held: number, use: U | 'read'): Refusal
}

type Waiter<U> = { readonly use: U; admit(): void }
type Holder<U> = { readonly org: string; held: number; readonly waiting: Waiter<U>[] }
type Turn<U> = { readonly holder: Holder<U>; readonly waiter: Waiter<U> }

export function shareOut<U extends string>({
  places,
  mayEnter,
  mostWaiting,
  mostWaitingInAll = Number.POSITIVE_INFINITY,
  ahead,
  waitMs: usualMs,
  refuse,
}: Rules<U>): Share<U> {
  type Used = U | 'read'
  const holders = new Map<string, Holder<Used>>()
  /** Those of whom somebody waits, in the order of their turns. */
  const turns = new Set<Holder<Used>>()
  let held = 0
  let refused = 0

  async function enter(org: string, use: Used = 'read', waits?: WaitSignal, waitMs = usualMs): Promise<Leave> {
    const holder = holders.get(org) ?? { org, held: 0, waiting: [] }
    if (mayEnterNow(holder, use)) return take(holder)
    const most = typeof mostWaiting === 'number' ? mostWaiting : mostWaiting(org, use)
    if (countOf(holder, use) >= most || waitingFor(use) >= mostWaitingInAll) {
      refused += 1
      throw refuse(holder.held, use)
    }
    return wait(holder, use, waits?.(), waitMs)
  }

  function tryEnter(org: string, use: Used = 'read'): Leave | null {
    const holder = holders.get(org) ?? { org, held: 0, waiting: [] }
    return mayEnterNow(holder, use) ? take(holder) : null
  }

  /** Nobody passes those of the same organization who wait for the same. */
  function mayEnterNow(holder: Holder<Used>, use: Used): boolean {
    return countOf(holder, use) === 0 && mayEnter(holder.held, places - held, holder.org, use)
  }

  function take(holder: Holder<Used>): Leave {
    holders.set(holder.org, holder)
    holder.held += 1
    held += 1
    let left = false
    return () => {
      if (left) return
      left = true
      holder.held -= 1
      held -= 1
      admitWaiting()
      forgetIfGone(holder)
    }
  }

  function wait(holder: Holder<Used>, use: Used, signal: AbortSignal | undefined, waitMs: number): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter<Used> = {
        use,
        admit() {
          stopWaiting()
          resolve(take(holder))
        },
      }
      const giveUp = () => {
        stopWaiting()
        reject(refuse(holder.held, use))
        forgetIfGone(holder)
      }
      const stopWaiting = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        holder.waiting.splice(holder.waiting.indexOf(waiter), 1)
        if (holder.waiting.length === 0) turns.delete(holder)
      }
      const tooLate = () => {
        refused += 1
        giveUp()
      }
      const timer = waitMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(tooLate, waitMs)
      holders.set(holder.org, holder)
      holder.waiting.push(waiter)
      turns.add(holder)
      if (signal?.aborted) giveUp()
      else signal?.addEventListener('abort', giveUp)
    })
  }

  function admitWaiting(): void {
    for (let next = nextInTurn(); next; next = nextInTurn()) {
      // To the end of the order, for as long as others of it wait.
      turns.delete(next.holder)
      turns.add(next.holder)
      next.waiter.admit()
    }
  }

  function nextInTurn(): Turn<Used> | undefined {
    return (ahead && firstOf((use) => use === ahead)) ?? firstOf(() => true)
  }

  function firstOf(isAsked: (use: Used) => boolean): Turn<Used> | undefined {
    for (const holder of turns) {
      const mayHave = ({ use }: Waiter<Used>) => isAsked(use) && mayEnter(holder.held, places - held, holder.org, use)
      const waiter = holder.waiting.find(mayHave)
      if (waiter) return { holder, waiter }
    }
    return undefined
  }

  function forgetIfGone({ org, held, waiting }: Holder<Used>): void {
    if (held === 0 && waiting.length === 0) holders.delete(org)
  }

  function countOf({ waiting }: Holder<Used>, use: Used): number {
    return waiting.reduce((count, waiter) => count + (waiter.use === use ? 1 : 0), 0)
  }

  function waitingFor(use: Used): number {
    return mostWaitingInAll === Number.POSITIVE_INFINITY ? 0 : sum((holder) => countOf(holder, use))
  }

  function sum(count: (holder: Holder<Used>) => number): number {
    let all = 0
    for (const holder of turns) all += count(holder)
    return all
  }

  return { enter, tryEnter, counts: () => ({ held, waiting: sum(({ waiting }) => waiting.length), refused }) }
}

export function busy(what: string): Refusal {
  return new Refusal(
    'too_many',
    'organization_busy',
    `This organization has as many ${what} under way as one may have at once. Try again in a moment, and send fewer at the same time.`,
    { headers: { 'retry-after': '1' } },
  )
}
