import type { TestContext } from 'node:test'

/** What a scenario found: figures for the table, and a sentence for each fault. */
export type Result = { name: string; figures: Record<string, string | number>; faults: string[] }

type Work = () => unknown

const open = new Set<{ leave(): Promise<void> }>()

/**
 * Runs a scenario, and afterwards whatever it registered with `after`, the last first. The starters of test/process take a test's context and
 * use nothing but its `after`.
 */
export async function inPlace<T>(work: (t: TestContext) => Promise<T>): Promise<T> {
  const works: Work[] = []
  let isLeft = false
  const place = {
    async leave() {
      open.delete(place)
      isLeft = true
      for (let next = works.pop(); next; next = works.pop()) await end(next)
    },
  }
  open.add(place)
  try {
    // What a scenario that was given up still starts is ended at once.
    const after = (next: Work) => void (isLeft ? end(next) : works.push(next))
    return await work({ after } as unknown as TestContext)
  } finally {
    await place.leave()
  }
}

/** For the end of the whole run, also on Ctrl-C. */
export async function leaveAll(): Promise<void> {
  for (const place of [...open]) await place.leave()
}

/** What cannot be ended has ended by itself. */
async function end(work: Work): Promise<void> {
  try {
    await work()
  } catch {}
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
