/** Whether the database is known to be away, and the way to learn that it is back. */
export type DatabaseAbsence = {
  /** Throws where it is. */
  require(): void
  /** It was found to be away. From now on it is looked for. */
  note(error: unknown): void
  stop(): void
}

/** Often enough that it is noticed within a second or two that it is back. Attempts overlap: one that gets no answer must not delay the next. */
const lookEveryMs = 500

/** Nobody waits for a database that is known to be away: those who ask are refused at once, and one attempt after the other looks for it. */
export function trackAbsence(find: () => Promise<void>): DatabaseAbsence {
  let away: { cause: unknown; timer: NodeJS.Timeout } | null = null
  let stopped = false

  function back(): void {
    clearInterval(away?.timer)
    away = null
  }

  return {
    require() {
      if (!away) return
      const { message } = away.cause as Error
      throw Object.assign(new Error(message, { cause: away.cause }), { code: '08006' })
    },
    note(cause) {
      if (away || stopped) return
      const timer = setInterval(() => void find().then(back, () => {}), lookEveryMs).unref()
      away = { cause, timer }
    },
    stop() {
      stopped = true
      back()
    },
  }
}
