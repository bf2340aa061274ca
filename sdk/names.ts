/** Writes src/names.ts, a name for each schema, body and set of filters of the API; with --check it only says whether the committed one is current. */
import { readFileSync, writeFileSync } from 'node:fs'

type Reference = { $ref?: string }
type Operation = {
  operationId?: string
  parameters?: ({ in?: string } & Reference)[]
  requestBody?: { content?: Record<string, unknown> } & Reference
}
type Description = {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

const { paths, components }: Description = JSON.parse(
  readFileSync(new URL('../server/openapi.json', import.meta.url), 'utf8'),
)
const schemas = Object.keys(components.schemas ?? {})
const operations = Object.values(paths).flatMap((methods) =>
  Object.values(methods).filter(({ operationId }) => operationId !== undefined),
)
const bodies = namesOf(operations.filter(({ requestBody = {} }) => inPlace(requestBody).content?.['application/json']))
const filters = namesOf(
  operations.filter(
    ({ requestBody, parameters = [] }) =>
      !requestBody && parameters.some((parameter) => inPlace(parameter).in === 'query'),
  ),
)

const text = `/** Generated from server/openapi.json by npm run generate. */
import type { components } from './schema.d.ts'
import type { QueryOf, RequestOf } from './types.ts'

type Schemas = components['schemas']

/** Everything that has a name in the description. */
${linesOf(schemas, (name) => `Schemas['${name}']`)}

/** Bodies of requests, by the name of the operation. */
${linesOf(bodies, (name) => `RequestOf<'${idOf(name)}'>`)}

/** The filters of searches, by the name of the operation. */
${linesOf(filters, (name) => `QueryOf<'${idOf(name)}'>`)}
`
const file = new URL('src/names.ts', import.meta.url)
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write(
    'sdk/src/names.ts is not what server/openapi.json says. Run npm run generate and commit the result.\n',
  )
  process.exitCode = 1
}

/** The component that a reference names. */
function inPlace<T extends Reference>(part: T): T {
  const [, section = '', name = ''] = /^#\/components\/(\w+)\/(\w+)$/.exec(part.$ref ?? '') ?? []
  return part.$ref === undefined ? part : (components[section]?.[name] as T)
}

/** A schema of the same name comes first; the body is `RequestOf<'…'>` then. */
function namesOf(found: Operation[]): string[] {
  return found
    .map(({ operationId = '' }) => operationId.replace(/^./, (letter) => letter.toUpperCase()))
    .filter((name) => !schemas.includes(name))
}

function idOf(name: string): string {
  return operations.find(({ operationId }) => operationId?.toLowerCase() === name.toLowerCase())?.operationId as string
}

function linesOf(names: string[], type: (name: string) => string): string {
  const lines = names
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((name) => `export type ${name} = ${type(name)}`)
  return lines.join('\n')
}
