import { invalid } from '../../core/refusal.ts'

/** A position as callers keep it: they cannot see that it is a number, so none will calculate with it. */
export function writePosition(position: number): string {
  return Buffer.from(`feed ${position}`).toString('base64url')
}

export function readPosition(text: string, field = 'after'): number {
  const [, digits] = /^feed (\d{1,16})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  const position = Number(digits)
  if (digits === undefined || !Number.isSafeInteger(position) || writePosition(position) !== text) {
    throw invalid(
      field,
      'invalid_position',
      `"${field}" is not a position of the feed. Send ${field === 'before' ? '"next_before"' : '"next_after"'} as it was answered, or leave it out.`,
    )
  }
  return position
}
