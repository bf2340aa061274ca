/** How often we look whether the process has had something to do. */
const lookEveryMs = 30_000
/** A process whose event loop was in use for less than this part of the time had nothing to do but its background jobs. */
const idleBelow = 0.1

/**
 * Gives memory back to the system when the process has nothing to do after it was busy, as it is while it starts. V8 does so by itself only when it collects all
 * garbage, for which an idle server may give it no reason for hours.
 */
export function giveBackWhenIdle(): { stop(): void } {
  let last = performance.eventLoopUtilization()
  let wasBusy = true
  const look = () => {
    const { utilization } = performance.eventLoopUtilization(last)
    last = performance.eventLoopUtilization()
    if (utilization < idleBelow && wasBusy) giveBack()
    wasBusy = utilization >= idleBelow
  }
  const timer = setInterval(look, lookEveryMs).unref()
  return { stop: () => clearInterval(timer) }
}

/** There is no such function where the program was started without its flags (bin/lading.js). */
export function giveBack(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
