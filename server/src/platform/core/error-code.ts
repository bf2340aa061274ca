/** What a code of a refusal means. A code without a status is one that only the command line tool uses. */
export type ErrorCode = { statuses: readonly number[]; meaning: string; remedy: string }

/** Each room that refuses has its own in its `error-codes.ts`; a code that several give stands with the lowest of them. */
export type ErrorCodes = Readonly<Record<string, ErrorCode>>

export const is = (statuses: number | readonly number[], meaning: string, remedy: string): ErrorCode => ({
  statuses: [statuses].flat(),
  meaning,
  remedy,
})
