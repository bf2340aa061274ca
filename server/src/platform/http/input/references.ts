import type { Context } from '../../context.ts'
import { invalid } from '../../core/refusal.ts'
import type { ObjectSchema } from '../../core/schema/check.ts'
import { isId } from '../../core/values/ids.ts'
import type { KindOf, Place } from './body-names.ts'
import { queryReader } from './params.ts'

/** A record as a request names it otherwise than by its id. */
export type NamedRecord = { kind: string; text: string }

/** How records are named in bodies and filters: which kind a field refers to, and the ids of those that there are, in one query, by `keyOf`. */
export type References = {
  kindOf(field: string, path: string): string | undefined
  find(ctx: Context, named: readonly NamedRecord[]): Promise<ReadonlyMap<string, string>>
}

export function keyOf({ kind, text }: NamedRecord): string {
  return `${kind} ${text}`
}

/** As many as fit into one query well. Nothing that a request may have of lists comes near it. */
const most = 20_000

/** Puts ids in the place of names. What names nothing stays as it is, for the check to refuse by its field. */
export async function resolve(ctx: Context, places: readonly Place[], { find }: References): Promise<void> {
  const named = new Map(places.map((place) => [keyOf(place), { kind: place.kind, text: place.text }]))
  if (named.size > most)
    throw invalid(
      '',
      'too_many',
      `The request names ${named.size} records otherwise than by their ids; it can name ${most}.`,
    )
  const ids = await find(ctx, [...named.values()])
  for (const { holder, key, ...name } of places) holder[key] = ids.get(keyOf(name)) ?? name.text
}

type Query = Record<string, string | string[]>

/**
 * The references in a query, by the parameters of a route that take them. What is found is put back as the one form in which commas are part of a value;
 * null where no parameter takes references.
 */
export function referencesInQuery(schema: ObjectSchema, kindOf: KindOf): ((query: Query) => Place[]) | null {
  const all = schema.properties ?? {}
  const parameters = Object.entries(all).flatMap(([name, { format, items }]) => {
    if (format !== 'uuid' && items?.format !== 'uuid') return []
    const [kind, typedBy] = [kindOf(name), typeOf(name, Object.keys(all))]
    return kind === undefined && typedBy === undefined ? [] : [{ name, kind, typedBy, isList: items !== undefined }]
  })
  if (parameters.length === 0) return null
  const read = queryReader({
    properties: Object.fromEntries(
      parameters
        .flatMap(({ name, typedBy }) => [name, ...(typedBy ? [typedBy] : [])])
        .map((name) => [name, all[name] as ObjectSchema]),
    ),
  })
  const begins = (sent: string) =>
    parameters.find(({ name }) => sent.startsWith(name) && (sent.length === name.length || sent[name.length] === '['))
  return (query) => {
    if (!Object.keys(query).some((sent) => begins(sent) !== undefined)) return []
    const values = read(query)
    return parameters.flatMap(({ name, typedBy, isList, ...parameter }): Place[] => {
      const kind = typedBy === undefined ? parameter.kind : kindOf(`${values[typedBy]}_id`)
      const texts = [values[name] ?? []].flat() as string[]
      if (kind === undefined || texts.every(isId)) return []
      for (const sent of Object.keys(query)) if (begins(sent)?.name === name) delete query[sent]
      if (!isList)
        return [{ holder: Object.assign(query, { [name]: texts[0] }), key: name, kind, text: texts[0] as string }]
      query[`${name}[]`] = texts
      return texts.map((text, key) => ({ holder: texts as never, key, kind, text })).filter(({ text }) => !isId(text))
    })
  }
}

/** The parameter that says of what type a record is, where there is one: `subject_type` next to `subject_id`. */
export function typeOf(name: string, parameters: readonly string[]): string | undefined {
  const type = name.replace(/_id$/, '_type')
  return type !== name && parameters.includes(type) ? type : undefined
}
