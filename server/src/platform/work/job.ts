/** Work that no request waits for. */
export type Job = {
  /** As an operator reads it in the log, the metrics and `lading doctor`. */
  name: string
  /** From the start of one run to the start of the next. */
  everySeconds: number
  /**
   * `one process`: of all that share the database one runs it, once in a period. `each process`: every process runs it for itself, and the job
   * makes sure by locks of its own that nothing is done twice.
   */
  runsOn: 'one process' | 'each process'
  /**
   * Returns when everything is done. When the signal is aborted it throws at the next point where nothing is lost (`signal.throwIfAborted()`).
   * Any other error is recorded, and the job runs again in its next period.
   */
  run(signal: AbortSignal): Promise<unknown>
  /** For jobs of each process: asks for a run before the period is over. Returns the way to stop asking. */
  wokenBy?(wake: () => void): () => void
}
