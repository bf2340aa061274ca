/** Any part of the document. */
type Node = { [key: string]: unknown }

/** A copy of the document, in which schemas say in OpenAPI's words what the checks know in ours. */
export function inWordsOfOpenapi<T>(node: T): T {
  return copied(node) as T
}

function copied(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(copied)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, isExample(key) ? value : copied(value)]),
  )
  return withTypes(withForms(copy))
}

function isExample(key: string): boolean {
  return key === 'example' || key === 'examples' || key === 'const' || key === 'default'
}

/** Generators of clients need to know what an enum is made of. */
function withTypes(node: Node): Node {
  if (!Array.isArray(node.enum) || node.type !== undefined) return node
  const types = [...new Set(node.enum.map((value) => (value === null ? 'null' : typeof value)))]
  return { type: types.length === 1 ? types[0] : types, ...node }
}

/** Every form of a moment that is read. */
const momentForms: readonly Node[] = [
  { type: 'string', format: 'date-time', description: 'A date-time with its offset.' },
  {
    type: 'string',
    format: 'date',
    description: 'A bare date: its first instant in UTC, or, as the end of a range, its last.',
  },
  {
    type: 'string',
    pattern: '^\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?$',
    description: 'A date-time without an offset, which is in UTC.',
  },
]

function withForms({ format, type, ...node }: Node): Node {
  if (format !== 'moment')
    return { ...(type !== undefined && { type }), ...(format !== undefined && { format }), ...node }
  const moment = { $ref: '#/components/schemas/Moment' }
  return { ...node, ...([type].flat().includes('null') ? { anyOf: [moment, { type: 'null' }] } : moment) }
}

/** What the fields and parameters of the format `moment` refer to. */
export const Moment = { description: 'A moment, in any of the forms that are read.', anyOf: momentForms }

/** The schemas of errors, wherever they are, name these codes: all that a refusal can have. */
export function withErrorCodes(schemas: Record<string, Node>, codes: readonly string[]): Record<string, Node> {
  return {
    ...(coded(schemas) as Record<string, Node>),
    ErrorCode: {
      type: 'string',
      enum: codes,
      description: 'What went wrong, for programs. docs/errors.md says what each means and what to do; more may come.',
      examples: ['wrong_type'],
    },
  }
}

function coded(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(coded)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, isExample(key) ? value : coded(value)]),
  ) as Node
  const { properties } = copy as { properties?: Node }
  if (!properties) return copy
  // A code with values of its own is none of ours.
  const isError = properties.code !== undefined && !(properties.code as Node).enum && properties.message !== undefined
  const name = properties.error_code ? 'error_code' : isError ? 'code' : undefined
  return name ? { ...copy, properties: { ...properties, [name]: { $ref: '#/components/schemas/ErrorCode' } } } : copy
}
