import { invalid } from '../../../../platform/core/refusal.ts'
import { type Field, isNullable, namesOf } from './fields.ts'
import type { Shape } from './shape.ts'

/** What the body of a creation sets for good, apart from the rest of it, or a refusal where something of it is missing. */
export function creationIn<B extends object>(
  { fields, noun }: Shape,
  body: B,
): { given: Record<string, unknown>; rest: B } {
  const rest = { ...body } as Record<string, unknown>
  const given: Record<string, unknown> = {}
  for (const name of namesOf(fields, 'creation')) {
    const value = rest[name] ?? null
    if (value === null && !isNullable(fields[name] as Field))
      throw invalid(name, 'required', `A new ${noun} needs "${name}", which cannot change later.`)
    given[name] = value
    delete rest[name]
  }
  return { given, rest: rest as B }
}

/** What a creation needs of these at least, by way of example. */
export function exampleOfCreation({ fields }: Pick<Shape, 'fields'>): Record<string, unknown> {
  const needed = namesOf(fields, 'creation').filter((name) => !isNullable(fields[name] as Field))
  return Object.fromEntries(
    needed.map((name) => [name, ((fields[name] as Field).schema as { examples?: unknown[] }).examples?.[0]]),
  )
}
