import Type from 'typebox'
import { invalid, quote } from '../refusal.ts'
import { numberIn } from '../values/ids.ts'

/** The filter by the numbers that people read. */
export const Numbers = (example: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: 40 }), {
      maxItems: 500,
      description: 'Keeps those with one of these numbers.',
      examples: [[example]],
    }),
  )

/** The numbers that such a filter asks for. */
export function numbersIn(sent: readonly string[] | undefined, prefix: string): number[] | undefined {
  return sent?.map((text) => {
    const written = numberIn(text)
    if (written?.prefix !== prefix)
      throw invalid('number', 'bad_id', `"number" must be a number such as ${prefix}-000123, not ${quote(text)}.`)
    return written.number
  })
}
