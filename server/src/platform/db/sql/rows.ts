import type { Statement } from './sql.ts'

export type Row = Record<string, unknown>

/**
 * Runs statements of one organization. Outside a transaction they are reads, and share what they can with others: a transaction that may have begun
 * before they were asked, so the time is `statement_timestamp()` to them, not `now()`.
 */
export type Run = <R extends Row = Row>(statement: Statement) => Promise<R[]>
