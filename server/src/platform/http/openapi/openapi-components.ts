import { nameKeyword } from '../../core/schema/names.ts'
import {
  type Content,
  nameOfAnswer,
  nameOfBody,
  nameOfParameter,
  nameOfRequestBody,
  nameOfResponse,
  type Operation,
  type Parameter,
  type Place,
  referredBy,
} from './openapi-names.ts'
import {
  namedTakenOut,
  requireName,
  type Schema,
  type Schemas,
  schemasBeginningWith,
  takingOut,
} from './openapi-shared-schemas.ts'

/** A body or an answer. */
type Holder = { $ref?: string; content?: Content }
type Operations = Record<string, Record<string, Operation>>
type Components = Record<string, Record<string, unknown>>
type Document = { paths: Operations; webhooks: Operations; components: Components }
/** Something in an operation, and how something else is put there. */
type Found<T> = Place & { value: T; put(value: T): void }

/**
 * A copy of the document in which nothing stands twice: every body, every answer and what has a name is a schema of its own, and parameters, bodies,
 * answers and examples that operations share are components too. Different ones under one name are refused.
 */
export function withComponents(document: object): object {
  const { components, ...operations } = structuredClone(document) as Document
  const { schemas, ...others } = components as Components
  const parameters = shareParameters(placesIn(operations.paths).flatMap(parametersOf))
  const kept = schemasBeginningWith({})
  const { takeOut, finish } = takingOut(kept)
  for (const [name, schema] of Object.entries(schemas ?? {})) kept.refer(name, namedTakenOut(schema as Schema, takeOut))
  const named = namedTakenOut({ ...operations, components: joined(others, { parameters }) }, takeOut)
  finish()
  const shared = shareContents(named.paths, kept)
  return { ...named, components: joined(named.components, { ...shared, schemas: kept.all() }) }
}

/** A name that is given to the schema of a parameter is that of the parameter. */
function shareParameters(found: readonly Found<Parameter>[]): Record<string, Parameter> {
  const given = new Map<Parameter, string>()
  for (const { value } of found) {
    const { [nameKeyword]: name, ...schema } = value.schema ?? {}
    if (typeof name === 'string') given.set(Object.assign(value, { schema }), name)
  }
  return share('parameters', found, (parameter, places) => given.get(parameter) ?? nameOfParameter(parameter, places))
}

/** Gives the bodies and the answers their schemas, and takes out what operations share of them. */
function shareContents(paths: Operations, schemas: Schemas): Components {
  const places = placesIn(paths)
  const [bodies, answers] = [places.flatMap(bodyOf), places.flatMap(answersOf)]
  nameContents(bodies, nameOfBody, schemas)
  nameContents(answers, nameOfAnswer, schemas)
  const examples = shareExamples(answers)
  return {
    examples,
    requestBodies: share('requestBodies', bodies, nameOfRequestBody),
    responses: share('responses', answers, nameOfResponse),
  }
}

function nameContents(
  found: readonly Found<Holder>[],
  nameOf: (schema: Schema, places: readonly Place[]) => string,
  schemas: Schemas,
): void {
  const media = found.flatMap((place) =>
    Object.entries(place.value.content ?? {})
      .filter(([type, { schema }]) => /^(?:application\/json|multipart\/)/.test(type) && schema && !schema.$ref)
      .map(([, value]) => ({ ...place, value })),
  )
  for (const group of equalOf(media, ({ value }) => value.schema)) {
    const [{ value }] = group as [(typeof media)[number]]
    const reference = schemas.refer(nameOf(value.schema as Schema, group), value.schema as Schema)
    for (const { value } of group) value.schema = reference
  }
}

/** What stands more than once, by the names that its references have now. */
function share<T extends { $ref?: string }>(
  section: string,
  found: readonly Found<T>[],
  nameOf: (value: T, places: readonly Place[]) => string | undefined,
): Record<string, T> {
  const shared: Record<string, T> = {}
  for (const group of equalOf(found, ({ value }) => value)) {
    const [{ value }] = group as [Found<T>]
    const name = group.length > 1 && value.$ref === undefined ? nameOf(value, group) : undefined
    if (name === undefined) continue
    keep(shared, name, value)
    for (const { put } of group) put({ $ref: `#/components/${section}/${name}` } as T)
  }
  return shared
}

/** An example that several answers have is called after their schema. */
function shareExamples(answers: readonly Found<Holder>[]): Record<string, object> {
  const shared: Record<string, object> = {}
  const media = answers.flatMap((place) =>
    Object.values(place.value.content ?? {}).flatMap((value) => (value.schema?.$ref ? [{ ...place, value }] : [])),
  )
  for (const group of equalOf(media, ({ value: { schema, example } }) => [schema, example])) {
    const [{ value }] = group as [(typeof media)[number]]
    if (group.length === 1) continue
    const name = referredBy(value.schema as Schema) as string
    keep(shared, name, { value: value.example })
    for (const { value } of group) {
      delete value.example
      value.examples = { [name]: { $ref: `#/components/examples/${name}` } }
    }
  }
  return shared
}

function keep<T>(kept: Record<string, T>, name: string, value: T): void {
  requireName(name)
  if (Object.hasOwn(kept, name))
    throw new Error(
      `Two components of the OpenAPI document would be called ${name}: ${JSON.stringify(kept[name])} and ${JSON.stringify(value)}.`,
    )
  kept[name] = value
}

function equalOf<T>(all: readonly T[], contentOf: (one: T) => unknown): T[][] {
  return [...Map.groupBy(all, (one) => JSON.stringify(contentOf(one))).values()]
}

/** The components of both. */
function joined(components: Components, more: Components): Components {
  const all = Object.fromEntries(Object.entries(components).map(([name, section]) => [name, { ...section }]))
  for (const [section, added] of Object.entries(more)) {
    all[section] ??= {}
    for (const [name, value] of Object.entries(added)) keep(all[section], name, value)
  }
  return all
}

function placesIn(paths: Operations): Place[] {
  return Object.values(paths).flatMap((methods) =>
    Object.entries(methods).map(([method, operation]) => ({ method, operation, status: '' })),
  )
}

function parametersOf(place: Place): Found<Parameter>[] {
  const { parameters = [] } = place.operation
  return parameters.map((value, index) => ({
    ...place,
    value,
    put(value) {
      parameters[index] = value
    },
  }))
}

function bodyOf(place: Place): Found<Holder>[] {
  const { operation } = place
  const put = (value: Holder) => {
    operation.requestBody = value
  }
  return operation.requestBody ? [{ ...place, value: operation.requestBody, put }] : []
}

function answersOf(place: Place): Found<Holder>[] {
  const { responses = {} } = place.operation
  return Object.entries(responses).map(([status, value]) => ({
    ...place,
    status,
    value,
    put(value) {
      responses[status] = value
    },
  }))
}
