/** As much of the OpenAPI document as its other forms are made from. */
export type Parameter = {
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  description?: string
  example?: unknown
  examples?: Record<string, unknown>
  schema?: { format?: string }
}
export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  security?: object[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: Body | { $ref: string }
}
export type Body = { content: Record<string, { example?: unknown }> }
export type ApiDescription = {
  info: { title: string; summary?: string; description?: string; version: string }
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, unknown>
  components: {
    parameters?: Record<string, Parameter>
    requestBodies?: Record<string, Body>
    securitySchemes?: Record<string, unknown>
  }
}
export type ListedOperation = {
  method: string
  path: string
  operation: Operation
  parameters: Parameter[]
  body: Body | undefined
}

/** Every operation with its parameters, by the tag under which the reference shows it, in the order of the document. */
export function operationsByTag(document: ApiDescription): Map<string, ListedOperation[]> {
  const found = new Map<string, ListedOperation[]>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = 'Other'] = operation.tags ?? []
      const parameters = (operation.parameters ?? []).map((parameter) => inPlace(document, parameter))
      const body = operation.requestBody && inPlace(document, operation.requestBody)
      found.set(tag, [...(found.get(tag) ?? []), { method: method.toUpperCase(), path, operation, parameters, body }])
    }
  }
  return found
}

/** The component that a reference names. */
export function inPlace<T extends object>({ components }: ApiDescription, part: T | { $ref: string }): T {
  if (!('$ref' in part)) return part
  const [section = '', name = ''] = part.$ref.split('/').slice(-2)
  const found = (components as Record<string, Record<string, unknown>>)[section]?.[name]
  if (!found) throw new Error(`the document has no ${part.$ref}`)
  return found as T
}
