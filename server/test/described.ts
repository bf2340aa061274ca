type Reference = { $ref?: string }
type Operation = {
  parameters?: Reference[]
  requestBody?: Reference
  responses?: Record<
    string,
    Reference & { content?: Record<string, { example?: unknown; examples?: Record<string, Reference> }> }
  >
}
type Described = {
  paths: Record<string, Record<string, object>>
  components: Record<string, Record<string, unknown>>
}

/** The OpenAPI document with the parameters, bodies, answers and examples that operations share in the place of their references. */
export function inPlace<D extends Described>(document: D): D {
  const { components } = document
  const of = <T extends Reference>(part: T): T => {
    const [, section = '', name = ''] = /^#\/components\/(\w+)\/([\w-]+)$/.exec(part.$ref ?? '') ?? []
    return part.$ref === undefined ? part : (components[section]?.[name] as T)
  }
  const answer = (shared: NonNullable<Operation['responses']>[string]) => {
    const { content, ...rest } = of(shared)
    if (!content) return rest
    const media = Object.entries(content).map(([type, { examples, ...one }]) => {
      const [example] = Object.values(examples ?? {})
      return [type, example ? { ...one, example: (of(example) as { value?: unknown }).value } : one]
    })
    return { ...rest, content: Object.fromEntries(media) }
  }
  const operation = ({ parameters, requestBody, responses, ...rest }: Operation) => ({
    ...rest,
    ...(parameters && { parameters: parameters.map(of) }),
    ...(requestBody && { requestBody: of(requestBody) }),
    ...(responses && { responses: mapped(responses, answer) }),
  })
  return { ...document, paths: mapped(document.paths, (methods) => mapped(methods, operation)) }
}

function mapped<A, B>(values: Record<string, A>, to: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]))
}
