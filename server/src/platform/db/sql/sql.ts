/**
 * SQL text with its values apart: what a `store.ts` writes, and what a context runs. What the `sql` tag makes has a name, under which connections
 * keep it prepared; text of another origin has none, and without values may be several statements.
 */
export type Statement = {
  readonly name?: string
  readonly text: string
  readonly values: readonly unknown[]
  /** Where it has `each` values: how several such statements are asked as one. */
  readonly together?: BatchedQuery | null
  /** One plan for all values: it was written so that no plan made for some of them would be better. */
  readonly plannedOnce?: boolean
  /** A search: it has a time limit of its own, and so many of an organization run at once as are quick. */
  readonly search?: boolean
  /** A search that sums up much of what there is, and may take as long as any statement. */
  readonly report?: boolean
}

/** One query for many statements that differ in their `each` value alone: that value stands at `places` among the values, what they share at `shared`. */
export type BatchedQuery = {
  readonly name: string
  readonly text: string
  readonly places: readonly number[]
  readonly shared: readonly number[]
}

/** A class of its own, so that no value which merely looks like a statement is taken for one. */
class Made implements Statement {
  readonly shape: Shape
  readonly values: readonly unknown[]
  constructor(shape: Shape, values: readonly unknown[]) {
    this.shape = shape
    this.values = values
  }

  plannedOnce = false
  search = false
  report = false

  get name(): string {
    return this.shape.name
  }

  get text(): string {
    return this.shape.text
  }

  get together(): BatchedQuery | null {
    return this.shape.together
  }
}

class Each {
  readonly type: EachType
  readonly value: unknown
  constructor(type: EachType, value: unknown) {
    this.type = type
    this.value = value
  }
}

type EachType = 'uuid' | 'text' | 'int'

/** What statements from one place in the code have in common: everything but the values. `pieces` is the text between those. */
type Shape = {
  id: number
  name: string
  pieces: readonly string[]
  text: string
  each: readonly (EachType | null)[]
  together: BatchedQuery | null
}

/** A place in the code; `plain` is what it makes where no statement is spliced in, which need not be looked up. */
type Template = { id: number; plain?: Shape }

const templates = new WeakMap<TemplateStringsArray, Template>()
const shapes = new Map<string, Shape>()
let counted = 0
/** Characters of the texts in `shapes`. */
let remembered = 0
const mostRemembered = 20_000_000

/**
 * sql`select … where id = ${id} ${when(name, sql`and name = ${name}`)}`: a value becomes a parameter, a statement is
 * spliced in. Text never comes from a caller, so nothing can be injected.
 */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Statement {
  const template = templates.get(strings) ?? countTemplate(strings)
  if (template.plain && isMadeOf(template.plain, parts)) return new Made(template.plain, parts.map(bareValue))
  const values: unknown[] = []
  let key = String(template.id)
  for (const part of parts) {
    if (part instanceof Made) {
      key += `.${part.shape.id}`
      for (const value of part.values) values.push(value)
    } else if (part instanceof Each) {
      key += `!${part.type}`
      values.push(part.value)
    } else {
      key += '?'
      values.push(part)
    }
  }
  const shape = shapes.get(key) ?? makeShape(key, strings, parts)
  if (!parts.some((part) => part instanceof Made)) template.plain = shape
  return new Made(shape, values)
}

/** Whether the parts are values of the same sorts, and no statements. */
function isMadeOf({ each }: Shape, parts: readonly unknown[]): boolean {
  return parts.every(
    (part, index) => !(part instanceof Made) && (part instanceof Each ? part.type : null) === each[index],
  )
}

function bareValue(part: unknown): unknown {
  return part instanceof Each ? part.value : part
}

/** To be planned once for all values, where PostgreSQL would plan anew each time that a question looks cheap, which takes longer than the answer. */
export function plannedOnce(statement: Statement): Statement {
  return marked(statement, { plannedOnce: true })
}

/** What finds records by conditions that a caller chose, which may be slow. */
export function searching(statement: Statement): Statement {
  return marked(statement, { search: true })
}

/** What sums up much of what there is: it takes its turn among the searches, and has the time of any other statement. */
export function reporting(statement: Statement): Statement {
  return marked(statement, { search: true, report: true })
}

function marked(statement: Statement, marks: { plannedOnce?: true; search?: true; report?: true }): Statement {
  const { shape, values, plannedOnce, search, report } = statement as Made
  return Object.assign(new Made(shape, values), { plannedOnce, search, report }, marks)
}

/**
 * A value in which alike reads differ, such as the id of the one record that is asked for: those that arrive together are then asked as one
 * query. Where it stands more than once in a statement it is the same value each time.
 */
export function each(type: EachType, value: unknown): unknown {
  return new Each(type, value)
}

export const nothing: Statement = sql``

/**
 * `limit` stands in the text, and `offset` only where there is one: PostgreSQL then keeps one plan for the page that nearly everyone asks for,
 * where it would plan anew each time for a limit it cannot see.
 */
export function sliceOf({ offset, limit }: { offset: number; limit: number }): Statement {
  const first = slices.get(limit) ?? makeSlice(limit)
  return offset > 0 ? sql`${first} offset ${offset}` : first
}

const slices = new Map<number, Statement>()

function makeSlice(limit: number): Statement {
  const slice = sql`limit ${numberText(limit)}`
  slices.set(limit, slice)
  return slice
}

/** A whole number in the text of a statement, for those that take few values, such as limits. */
export function numberText(value: number): Statement {
  const known = numbers.get(value)
  if (known) return known
  if (!Number.isSafeInteger(value) || value < 0) throw new Error('a limit is a whole number')
  const made = new Made(newShape([String(value)], String(value), []), [])
  numbers.set(value, made)
  return made
}

const numbers = new Map<number, Statement>()

/**
 * The name of a table, a column or a record, for statements that serve several: sql`select id from ${named(table)}`. Of a list, the names with commas
 * between them. Names come from descriptions in the code, never from a caller, and what does not look like a name is refused.
 */
export function named(names: string | readonly string[]): Statement {
  const text = typeof names === 'string' ? names : names.join(', ')
  const known = namedTexts.get(text)
  if (known) return known
  for (const name of [names].flat()) checkName(name)
  const made = new Made(newShape([text], text, []), [])
  namedTexts.set(text, made)
  return made
}

const namedTexts = new Map<string, Statement>()

function checkName(name: string): void {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name))
    throw new Error(`${JSON.stringify(name)} is no name of a table, a column or a record`)
}

/** Values with commas between them, for `values (…)` and `set (…) = row(…)`: one text for each number of values. */
export function list(values: readonly unknown[]): Statement {
  const shape = lists.get(values.length) ?? makeList(values.length)
  return new Made(shape, values)
}

const lists = new Map<number, Shape>()

function makeList(length: number): Shape {
  if (length === 0) throw new Error('a list of values has at least one')
  const places = Array.from({ length }, (_, index) => `$${index + 1}`)
  const pieces = ['', ...places.slice(1).map(() => ', '), '']
  const shape = newShape(
    pieces,
    places.join(', '),
    places.map(() => null),
  )
  lists.set(length, shape)
  return shape
}

function countTemplate(strings: TemplateStringsArray): Template {
  const template = { id: ++counted }
  templates.set(strings, template)
  return template
}

/** Put together once for each combination of templates; parameters are numbered here, because a statement may stand anywhere in another. */
function makeShape(key: string, strings: TemplateStringsArray, parts: readonly unknown[]): Shape {
  const pieces = [strings[0] as string]
  const each: (EachType | null)[] = []
  parts.forEach((part, index) => {
    const [first, ...rest] = part instanceof Made ? part.shape.pieces : ['', '']
    pieces[pieces.length - 1] += first as string
    for (const piece of rest) pieces.push(piece)
    pieces[pieces.length - 1] += strings[index + 1] as string
    for (const type of part instanceof Made ? part.shape.each : [part instanceof Each ? part.type : null])
      each.push(type)
  })
  const text = pieces.reduce((all, piece, index) => (index === 0 ? piece : `${all}$${index}${piece}`), '')
  const shape = newShape(pieces, text, each)
  // Filters combine freely, so there could be very many, and large ones; forgetting them costs no more than putting them together again.
  remembered += text.length
  if (shapes.size >= 10_000 || remembered > mostRemembered) {
    shapes.clear()
    remembered = text.length
  }
  shapes.set(key, shape)
  return shape
}

function newShape(pieces: readonly string[], text: string, each: readonly (EachType | null)[]): Shape {
  const id = ++counted
  return { id, name: `s${id}`, pieces, text, each, together: togetherOf(id, pieces, each) }
}

/** The values that differ are its first parameter, as an array; each row of the answer begins with the place in it of what it belongs to. */
function togetherOf(id: number, pieces: readonly string[], each: readonly (EachType | null)[]): BatchedQuery | null {
  const type = each.find((type) => type !== null)
  if (!type) return null
  let parameter = 1
  const text = pieces.reduce((all, piece, index) => {
    if (index === 0) return piece
    return `${all}${each[index - 1] ? 'asked.value' : `$${++parameter}`}${piece}`
  }, '')
  return {
    name: `t${id}`,
    text: `select asked.place::int, answer.* from unnest($1::${type}[]) with ordinality as asked(value, place) cross join lateral (${text}) as answer`,
    places: each.flatMap((type, place) => (type ? [place] : [])),
    shared: each.flatMap((type, place) => (type ? [] : [place])),
  }
}

/** The statement if there is something to filter by, else nothing. */
export function when(condition: unknown, statement: Statement): Statement {
  return condition === undefined || condition === null || condition === false ? nothing : statement
}

export function join(statements: readonly Statement[], separator: Statement): Statement {
  return statements.reduce((all, next, index) => (index === 0 ? next : sql`${all}${separator}${next}`), nothing)
}
