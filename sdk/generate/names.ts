/** A name for each schema, body and set of filters of the API. */
import { nameOf, type Operation, operations, schemas } from './description.ts'

const names = Object.keys(schemas)

/** The body of a request that is no form, text or file. */
export const bodyOf = ({ body }: Operation) => body?.content['application/json']?.schema

export const filtersOf = ({ parameters }: Operation) => parameters.filter((parameter) => parameter.in === 'query')

/** `SearchBills`; a schema of the same name comes first. */
export function nameOfFilters({ id }: Operation): string {
  const name = id.replace(/^./, (letter) => letter.toUpperCase())
  return names.includes(name) ? `${name}Query` : name
}

export function namesText(): string {
  const bodies = operations
    .filter((operation) => bodyOf(operation) && !names.includes(nameOfFilters(operation)))
    .map((operation) => [nameOfFilters(operation), `Schemas['${nameOf(bodyOf(operation))}']`] as const)
  const filters = operations
    .filter((operation) => !operation.body && filtersOf(operation).length > 0)
    .map(
      (operation) =>
        [nameOfFilters(operation), `NonNullable<operations['${operation.id}']['parameters']['query']>`] as const,
    )
  return `/** Generated from server/openapi.json by npm run generate. */
import type { components, operations } from './schema.d.ts'

type Schemas = components['schemas']

/** Everything that has a name in the description. */
${linesOf(names.map((name) => [name, `Schemas['${name}']`]))}

/** Bodies of requests, by the name of the operation. */
${linesOf(bodies.filter(([name]) => !names.includes(name)))}

/** The filters of searches, by the name of the operation. */
${linesOf(filters)}
`
}

function linesOf(types: (readonly [name: string, type: string])[]): string {
  return types
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, type]) => `export type ${name} = ${type}`)
    .join('\n')
}
