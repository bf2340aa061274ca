/**
 * A table whose rows wait to be worked on, each by one process at a time. Its key is `org_id, id`, and `leased_until` says until when a row is held: after
 * that another may take it, whatever became of the process that had it. What becomes of its rows, and when they are tried again, is said by its room.
 */
export type QueueTable = {
  name: string
  /** The column that says since when a row may be taken. */
  dueAt: string
  /** What a row is that has no such time. */
  withoutTime: 'due' | 'done'
  /** The column of the state, and the state in which a row waits; where the time says so alone, none. */
  waits?: readonly [column: string, state: string]
}

/** Rows that were taken together. Until when they are held tells whose they are: whoever takes them after that holds them until later. */
export type HeldRows = { ids: readonly string[]; until: Date }
