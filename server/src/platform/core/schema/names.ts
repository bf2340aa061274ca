import type { TSchema } from 'typebox'

/** A keyword that the OpenAPI document turns into a component, and shows to nobody. */
export const nameKeyword = 'x-name'

/**
 * Gives a schema a name in the OpenAPI document: it stands there once, and clients made from the document have a type of that name. What describes the
 * place where it is used (description, examples, null) stays there. On a parameter it names the parameter.
 */
export function named<T extends TSchema>(name: string, schema: T): T {
  // TypeBox keeps what kind of schema it is where spreading does not find it.
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))
  return Object.assign(copy, { [nameKeyword]: name }) as unknown as T
}
