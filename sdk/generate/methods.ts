/** A method for each operation: what it takes and answers, for the compiler, and how it is called, for the program. */
import { nameOf, type Operation, operations, resolve, type Schema } from './description.ts'
import { bodyOf, filtersOf, nameOfFilters } from './names.ts'
import { methodName } from './naming.ts'

/** `call` is what src/methods/calling.ts reads; `signature` stands behind the name. */
export type Method = { name: string; doc: string; call: string; signatures: string[] }
export type Group = { methods: Method[]; groups: Map<string, Group> }

/** Types of the API that the signatures name. */
export const named = new Set<string>()

export function groupsOfMethods(): Group {
  const root: Group = { methods: [], groups: new Map() }
  for (const operation of operations) {
    const path = methodName(operation, operations)
    const group = path.slice(0, -1).reduce(within, root)
    const name = path.at(-1) as string
    if (group.methods.some((method) => method.name === name))
      throw new Error(`There are two methods ${path.join('.')}.`)
    group.methods.push({ name, doc: docOf(operation), ...methodOf(operation) })
  }
  return root
}

function within({ groups }: Group, name: string): Group {
  const group = groups.get(name) ?? { methods: [], groups: new Map() }
  groups.set(name, group)
  return group
}

function docOf({ summary, method, path, description }: Operation): string {
  return `${summary}: \`${method} ${path}\`.${description && ` ${description}`}`.replaceAll('*/', '*\u200b/')
}

function methodOf(operation: Operation): Pick<Method, 'call' | 'signatures'> {
  const start = `${operation.method} ${operation.path}`
  if (operation.id === 'streamEvents')
    return { call: `${start} - stream`, signatures: ['(options?: FollowOptions): AsyncGenerator<FollowedEvent, void>'] }
  const ids = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .map((parameter) => `${parameter.name}: ${typeOf(parameter.schema)}`)
  const [takes, main] = mainOf(operation)
  const [gives, answer] = answerOf(operation)
  const [options, required] = optionsOf(operation, takes)
  const call = [start, ...(takes || gives ? [takes || '-'] : []), ...(gives ? [gives] : [])].join(' ')
  const signature = (last: string, type: string) => `(${[...ids, ...main, last].join(', ')}): ${type}`
  const signatures = [signature(`options${required ? '' : '?'}: ${options}`, answer)]
  if (mediaOf(operation).join() === 'application/json,text/csv')
    signatures.push(
      `(${[...ids, ...main.map((one) => one.replace('?:', ': undefined |')), `options: ${options} & AsCsv`].join(', ')}): Promise<Response>`,
    )
  return { call, signatures }
}

/** What comes behind the ids: a body, a form, a text or filters. */
function mainOf(operation: Operation): [takes: string, main: string[]] {
  const json = bodyOf(operation)
  if (json) {
    if (Object.keys(resolve(json).properties ?? json).length === 0) return ['', []]
    return ['body', [`body${operation.body?.required ? '' : '?'}: ${typeOf(json)}`]]
  }
  const media = Object.keys(operation.body?.content ?? {})
  const form = operation.body?.content['multipart/form-data']
  if (form) return ['form', [`form: Form<${typeOf(form.schema)}>`]]
  if (media.length > 0) return [media.join(), ['content: Content']]
  const filters = filtersOf(operation).filter(({ name }) => !inOptions.has(name))
  if (filters.length === 0) return ['', []]
  const isRequired = filters.some(({ required }) => required)
  return ['query', [`query${isRequired ? '' : '?'}: ${nameIt(nameOfFilters(operation))}`]]
}

/** What it gives, for the program, and the type of it. */
function answerOf(operation: Operation): [gives: string, type: string] {
  const media = mediaOf(operation)
  if (media.length === 0) return ['', 'Promise<void>']
  if (!media.includes('application/json')) return ['file', 'Promise<Response>']
  const schema = operation.answers[0]?.content['application/json']?.schema as Schema
  const fields = Object.entries(resolve(schema).properties ?? {})
  const record = fields.map(([, field]) => resolve(field)).find(({ type }) => type === 'array')
  const isPage = fields.some(([name]) => name === 'next_after' || name === 'nextAfter')
  if (!isPage || !record) return ['', `Promise<${typeOf(schema)}>`]
  return ['page', `List<${typeOf(schema)}, ${typeOf(record.items as Schema)}>`]
}

function mediaOf({ answers }: Operation): string[] {
  return [...new Set(answers.flatMap(({ content }) => Object.keys(content)))]
}

/** Parameters that every call has by another name, in its options. */
const inOptions = new Set(['dry_run', 'dryRun', 'as_of', 'asOf'])

const optionTypes: Record<string, string> = {
  '': 'CallOptions',
  as_of: 'AsOfOptions',
  'Idempotency-Key': 'KeyOptions',
  'Idempotency-Key dry_run': 'WriteOptions',
  'Idempotency-Key If-Match': 'KeyOptions & { ifMatch?: Revision }',
  'Idempotency-Key If-Match dry_run': 'ChangeOptions',
  'Idempotency-Key If-Match dry_run as_of': 'ChangeOptions & AsOfOptions',
}

/** What can be said of the call itself, and what goes into its query beside a body. */
function optionsOf(operation: Operation, takes: string): [type: string, isRequired: boolean] {
  const has = (...names: string[]) => operation.parameters.some(({ name }) => names.includes(name))
  const said = [
    has('Idempotency-Key') && 'Idempotency-Key',
    has('If-Match') && 'If-Match',
    has('dry_run', 'dryRun') && 'dry_run',
    has('as_of', 'asOf') && 'as_of',
  ]
  const type = optionTypes[said.filter(Boolean).join(' ')]
  if (!type) throw new Error(`${operation.id}: there is no type for the options ${said.filter(Boolean).join(', ')}.`)
  const inForm = takes === 'form' ? fieldsOfForm(operation) : []
  const beside = takes === '' || takes === 'query' ? [] : filtersOf(operation)
  const fields = beside
    .filter(({ name }) => !inOptions.has(name) && !inForm.includes(name))
    .map(({ name, required, schema }) => ({ text: `${name}${required ? '' : '?'}: ${typeOf(schema)}`, required }))
  const media = takes.split(',')
  if (media.length > 1)
    fields.push({ text: `contentType?: ${media.map((one) => `'${one}'`).join(' | ')}`, required: false })
  if (fields.length === 0) return [type, false]
  return [`${type} & { ${fields.map(({ text }) => text).join('; ')} }`, fields.some(({ required }) => required)]
}

function fieldsOfForm({ body }: Operation): string[] {
  const schema = body?.content['multipart/form-data']?.schema
  return Object.keys((schema && resolve(schema).properties) ?? {})
}

/** The name of a component; of what has none, only what a parameter can be. */
function typeOf(schema: Schema | undefined): string {
  const name = nameOf(schema)
  if (name) return nameIt(name)
  const { type, enum: values } = (schema ?? {}) as { type?: string; enum?: string[] }
  if (values) return values.map((value) => `'${value}'`).join(' | ')
  if (type === 'string' || type === 'boolean') return type
  if (type === 'integer' || type === 'number') return 'number'
  throw new Error(`There is no name for ${JSON.stringify(schema).slice(0, 200)}.`)
}

function nameIt(name: string): string {
  named.add(name)
  return name
}
