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
  requestBody?: { content: Record<string, { example?: unknown }> }
}
export type ApiDescription = {
  info: { title: string; summary?: string; description?: string; version: string }
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, unknown>
  components: {
    parameters?: Record<string, Parameter>
    schemas?: Record<string, unknown>
    responses?: Record<string, unknown>
  }
}
export type ListedOperation = { method: string; path: string; operation: Operation; parameters: Parameter[] }

/** Every operation with its parameters, by the tag under which the reference shows it, in the order of the document. */
export function operationsByTag(document: ApiDescription): Map<string, ListedOperation[]> {
  const found = new Map<string, ListedOperation[]>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = 'Other'] = operation.tags ?? []
      const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter))
      found.set(tag, [...(found.get(tag) ?? []), { method: method.toUpperCase(), path, operation, parameters }])
    }
  }
  return found
}

function resolved({ components }: ApiDescription, parameter: Parameter | { $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter
  const found = components.parameters?.[parameter.$ref.split('/').at(-1) as string]
  if (!found) throw new Error(`the document has no parameter ${parameter.$ref}`)
  return found
}
