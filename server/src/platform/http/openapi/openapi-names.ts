/** What the components of the OpenAPI document are called where their schema has no name of its own (`named`). */
import type { Schema } from './openapi-shared-schemas.ts'

export type Media = { schema?: Schema; example?: unknown; examples?: unknown }
export type Content = Record<string, Media>
export type Parameter = { $ref?: string; name?: string; in?: string; schema?: Schema }
export type Operation = {
  operationId?: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { $ref?: string; content?: Content }
  responses?: Record<string, { $ref?: string; content?: Content }>
}
/** Where something stands in the document. */
export type Place = { operation: Operation; method: string; status: string }

/** What a page says besides its records. */
const paging = ['offset', 'limit', 'total', 'next_after', 'nextAfter', 'next_before', 'has_more']

/** A body is called as its operation: `CreateBill`. */
export function nameOfBody(schema: Schema, places: readonly Place[]): string {
  const ids = idsOf(places)
  if (ids.length === 1) return capitalized(ids[0] as string)
  throw unnamed(`The body of ${ids.join(', ')}`, schema)
}

/**
 * An answer is called after what is in it: `BillPage`, `ConnectorList`, `PaymentAnswer` of one record; otherwise after the operation that reads it, or
 * the only one that gives it: `BillAnswer` of `getBill`, `SendBillAnswer`.
 */
export function nameOfAnswer(schema: Schema, places: readonly Place[]): string {
  const fields = Object.entries(schema.properties ?? {})
  const [content, more] = fields.filter(([name]) => !paging.includes(name)).map(([, field]) => field)
  const record = !more && content && referredBy(content.items ?? content)
  if (record) return `${record}${!content.items ? 'Answer' : fields.length > 1 ? 'Page' : 'List'}`
  const ids = idsOf(places)
  const reading = ids.filter((id) => /^get[A-Z]/.test(id)).map((id) => id.slice('get'.length))
  const [subject = ids[0] as string] = reading
  if (reading.length === 1 || ids.length === 1) return `${capitalized(subject)}Answer`
  throw unnamed(`The answer of ${ids.join(', ')}`, schema)
}

/** A request or an answer of several operations is called after its schema: `SendDocumentBody`; `BillRead`, `BillCreated`, `BillWritten`. */
export function nameOfRequestBody({ content }: { content?: Content }): string | undefined {
  const schema = schemaIn(content)
  return schema && `${schema}Body`
}

export function nameOfResponse({ content }: { content?: Content }, places: readonly Place[]): string | undefined {
  const schema = schemaIn(content)
  if (schema === undefined) return undefined
  const all = (is: (place: Place) => boolean) => places.every(is)
  const what = all(({ status }) => status === '201')
    ? 'Created'
    : all(({ status }) => status === '202')
      ? 'Accepted'
      : all(({ method }) => method === 'get')
        ? 'Read'
        : 'Written'
  return `${schema.replace(/Answer$/, '')}${what}`
}

/** A part of a path is called as it is named there: `BillId`. A filter that only one resource has begins with that: `BillsStatusIds`. */
export function nameOfParameter({ name = '', in: place }: Parameter, places: readonly Place[]): string {
  const tags = new Set(places.map(({ operation }) => operation.tags?.[0] ?? ''))
  const [tag = ''] = tags
  return `${place === 'query' && tags.size === 1 ? capitalized(tag) : ''}${capitalized(name.replace(/ID$/, 'Id'))}`
}

export function referredBy({ $ref }: { $ref?: unknown }): string | undefined {
  return typeof $ref === 'string' ? $ref.slice('#/components/schemas/'.length) : undefined
}

function schemaIn(content: Content = {}): string | undefined {
  return Object.values(content)
    .map(({ schema = {} }) => referredBy(schema))
    .find((name) => name !== undefined)
}

function idsOf(places: readonly Place[]): string[] {
  return [...new Set(places.map(({ operation }) => operation.operationId ?? ''))]
}

/** `BillItemTypes` of `Bill item types`, `bill_item_types` and `billItemTypes`. */
function capitalized(name: string): string {
  return name
    .split(/[^A-Za-z0-9]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}

function unnamed(what: string, schema: Schema): Error {
  return new Error(
    `${what} is the same, so none of them can give it a name: give it one with named(). ${JSON.stringify(schema)}`,
  )
}
