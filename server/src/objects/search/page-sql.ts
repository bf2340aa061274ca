import type { Context } from '../../context.ts'
import type { Page } from '../../core/pages.ts'
import { invalid, quote } from '../../core/refusal.ts'
import { type Statement, sliceOf, sql } from '../../db/sql.ts'
import type { Definition } from '../kinds/kind.ts'
import { fewEnough } from './candidates-sql.ts'
import { deepPage, isDeep } from './deep-page-sql.ts'
import { type PlaceOptions, placeOf } from './fields.ts'
import { isId, joined, type Key, orderBy, termOf, walked } from './index-scan-sql.ts'
import type { Selection } from './selection-sql.ts'

const mostKeys = 3

/** Reads `sort`: fields with commas between them, each with - in front for descending. What is wrong is refused with its spot. */
export function readSort(definition: Definition, sort: string, options: PlaceOptions = {}): Key[] {
  const named = sort.split(/(?<!\\),/)
  if (named.length > mostKeys) throw invalid('sort', 'too_many', `"sort" can have at most ${mostKeys} fields.`)
  const keys = named.map((text, index): Key => {
    const at = named.length === 1 ? 'sort' : `sort[${index}]`
    const path = text.trim().replace(/^-/, '').replaceAll('\\,', ',')
    const place = path === 'fullId' ? ({ in: 'number' } as const) : placeOf(definition, path, at, options)
    if (place.in === 'parts') throw invalid(at, 'not_sortable', `"${at}" cannot be ${quote(path)}, which has parts; name one of them, by its key after a dot.`)
    return { place: index < named.length - 1 ? shared(place) : place, descending: text.trim().startsWith('-') }
  })
  // No two are alike in these, so nothing is left to be ordered by the rest.
  const unique = keys.findIndex(({ place }) => place.in === 'number' || isId(place))
  return unique === -1 ? keys : keys.slice(0, unique + 1)
}

/** One page of what was selected, as `id` and `place`. Equal ones come in the order of their ids, in the direction of the first key. */
export function pageIn(ctx: Context, { objectKey }: Definition, keys: readonly Key[], selection: Selection, page: Page): Statement {
  const [first, ...others] = keys as [Key, ...Key[]]
  if (others.length === 0 && isDeep(first, selection, page)) return deepPage(ctx, objectKey, first, selection, page)
  const terms = keys.map((key, index) => termOf(ctx, objectKey, key, index))
  if (selection.walk) return walked(ctx, terms, first.descending, selection, page)
  const order = orderBy(terms, sql`o.id`, first.descending)
  const sorted = (rows: Statement) => sql`select o.id, row_number() over (order by ${order}) as place from ${rows} ${joined(terms, sql`o.id`, 'each')}`
  if (isId(first.place)) return sql`${sorted(sql`found as o`)} order by ${order} ${sliceOf(page)}`
  const found = sql`found cross join lateral (select o.* from objects o where o.org_id = ${ctx.org} and o.id = found.id offset 0) as o`
  const isMany = sql`(select n > ${fewEnough} from counted)`
  const few = sql`${sorted(found)} where not ${isMany}`
  const many = walked(
    ctx,
    terms,
    first.descending,
    { ...selection, member: (id) => sql`${isFound(id)} and ${isMany}`, rows: sql`${selection.rows} and ${isFound(sql`o.id`)} and ${isMany}` },
    page,
  )
  return sql`
    select id, place from ((${few} order by ${order} ${sliceOf(page)}) union all (select id, place from (${many}) as many)) as either`
}

/** Asked of each on the way, and not joined: so the order of the index is kept. */
function isFound(id: Statement): Statement {
  return sql`(${id} in (select id from found)) is true`
}

/** Of several made in one moment the next key tells the order, so there it is the moment, and not the id that begins with it. */
function shared(place: Key['place']): Key['place'] {
  return place.in === 'column' && place.column === 'created' ? { ...place, column: 'created_at' } : place
}
