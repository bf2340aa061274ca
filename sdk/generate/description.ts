/** The API's own description, as far as the generators read it. */
import { readFileSync } from 'node:fs'

type Reference = { $ref: string }
export type Schema =
  | Reference
  | ({ type?: string | string[]; properties?: Record<string, Schema> } & Record<string, unknown>)
export type Parameter = { in: string; name: string; required?: boolean; schema?: Schema }
type Content = Record<string, { schema?: Schema }>
type Body = { required?: boolean; content: Content }
type Answer = { content?: Content }
type Written = {
  operationId: string
  summary: string
  description?: string
  parameters?: (Parameter | Reference)[]
  requestBody?: Body | Reference
  responses: Record<string, Answer | Reference>
}

export type Operation = {
  id: string
  method: string
  path: string
  summary: string
  description: string
  parameters: Parameter[]
  body: Body | undefined
  /** What it answers when it succeeds, by status. */
  answers: { status: string; content: Content }[]
}

const document: {
  paths: Record<string, Record<string, Written>>
  components: { schemas: Record<string, Schema> }
} = JSON.parse(readFileSync(new URL('../../server/openapi.json', import.meta.url), 'utf8'))

export const schemas = document.components.schemas

export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => read(path, method.toUpperCase(), operation)),
)

function read(path: string, method: string, operation: Written): Operation {
  const { operationId, summary, description = '', parameters = [], requestBody, responses } = operation
  return {
    id: operationId,
    method,
    path,
    summary,
    description,
    parameters: parameters.map(resolve),
    body: requestBody && resolve(requestBody),
    answers: Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, answer]) => ({ status, content: resolve(answer).content ?? {} })),
  }
}

/** What a reference names; anything else as it is. */
export function resolve<T extends object>(written: T | Reference): T {
  if (!('$ref' in written)) return written
  const parts = (written.$ref as string).slice(2).split('/')
  return resolve(parts.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], document) as T)
}

/** The name that a schema has among the components. */
export function nameOf(schema: Schema | undefined): string | undefined {
  return schema && '$ref' in schema ? (schema.$ref as string).split('/').at(-1) : undefined
}
