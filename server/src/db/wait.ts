import { unavailable } from '../core/refusal.ts'

/**
 * Bounds the wait for a free connection, and only that: work that has begun is never given up on, and work that was given up
 * on never begins.
 */
export function waitAtMost(ms: number): { reached(): void; passed: Promise<never> } {
  let timer: NodeJS.Timeout | undefined
  let expired = false
  const busy = () => unavailable('The database is busy. Try again in a moment.')
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      expired = true
      reject(busy())
    }, ms)
  })
  passed.catch(() => {})
  return {
    reached() {
      clearTimeout(timer)
      if (expired) throw busy()
    },
    passed,
  }
}
