import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { Definition } from '../kinds/kind.ts'
import type { Fields } from '../model/apply.ts'
import { type Leaves, leavesOf, type Value, withFullId } from './entries.ts'

/** An object, and what stands beside it. */
export type Beside = {
  id: string
  full_id: string
  json: Fields
  name: string
  status: string
  external_id: string | null
  values: string[]
  words: string[]
  links: string[]
  claims: string[]
}

const parts = ['values', 'words', 'links', 'claims'] as const
export type Part = (typeof parts)[number]

/** Words are not in the order of objects, so for each page those of the whole kind are looked through: few pages, but no larger than memory likes. */
const pageSize = 5000
const pageBytes = 32 * 1024 * 1024

export const firstId = '00000000-0000-0000-0000-000000000000'

/** The live objects of a kind after one of them, as many as make a page; all in one look, so that none is seen half changed. */
export function readBeside(ctx: Context, objectKey: string, after: string): Promise<Beside[]> {
  return ctx.run<Beside>(sql`
    with next as (
      select id, octet_length(wire) as bytes from objects where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null and id > ${after}::uuid order by id limit ${pageSize}
    ), page as materialized (
      select id from (select id, bytes, sum(bytes) over (order by id) as upto from next) as sized where upto - bytes < ${pageBytes}
    ), worded as (
      select object_id, array_agg(word::text) as words from object_words
      where org_id = ${ctx.org} and object_key = ${objectKey} and object_id = any (array(select id from page)) group by object_id
    )
    select o.id, o.full_id, o.json, o.name, o.status, o.external_id, coalesce(w.words, '{}') as words,
      array(select jsonb_build_array(field, position, text_value, folded_value, long_text, long_folded, number_value, flag_value, unworded)::text from object_values v where v.org_id = o.org_id and v.object_id = o.id) as values,
      array(select field || ' ' || position || ' ' || to_id || ' ' || to_key from object_references r where r.org_id = o.org_id and r.from_id = o.id) as links,
      array(select field || ' ' || encode(sha256, 'hex') from object_unique_values u where u.org_id = o.org_id and u.object_id = o.id) as claims
    from page join objects o on o.org_id = ${ctx.org} and o.id = page.id left join worded w on w.object_id = o.id order by o.id`)
}

/** What should stand beside an object. */
export function leavesWithin(definition: Definition, { full_id, json, name, status, external_id }: Beside): Leaves {
  return withFullId(leavesOf(definition, { json, name: name === full_id ? null : name, status, externalId: external_id }), full_id)
}

/** What has to go, and what has to come, for an object to have beside it what it should; fields whole, words one by one. */
export type Amends = {
  gone: { values: string[]; words: string[]; links: string[]; claims: string[] }
  missing: Pick<Leaves, 'values' | 'links' | 'claims'> & { words: string[] }
}

export function amendsFor(row: Beside, leaves: Leaves): Amends {
  const values = amend(row.values.map(storedValue), leaves.values, valueKey)
  const links = amend(row.links.map(storedEntry), leaves.links, ({ position, to_id, to_key }) => `${position} ${to_id} ${to_key}`)
  const claims = amend(row.claims.map(storedEntry), leaves.claims, ({ sha256 }) => sha256)
  const words = new Set(row.words)
  return {
    gone: { values: values.gone, links: links.gone, claims: claims.gone, words: row.words.filter((word) => !leaves.words.has(word)) },
    missing: { values: values.missing, links: links.missing, claims: claims.missing, words: [...leaves.words].filter((word) => !words.has(word)) },
  }
}

/** Where something else stands beside an object than should. */
export function differencesOf(row: Beside, leaves: Leaves): Part[] {
  const { gone, missing } = amendsFor(row, leaves)
  return parts.filter((part) => gone[part].length + missing[part].length > 0)
}

type Stored = { field: string; key: string }

/** Compared field by field, whatever order their entries come in. */
function amend<T extends { field: string }>(stored: readonly Stored[], wanted: readonly T[], keyOf: (entry: T) => string): { gone: string[]; missing: T[] } {
  const there = keysByField(stored)
  const due = keysByField(wanted.map((entry) => ({ field: entry.field, key: keyOf(entry) })))
  const wrong = new Set([...there.keys(), ...due.keys()].filter((field) => there.get(field) !== due.get(field)))
  return { gone: [...wrong].filter((field) => there.has(field)), missing: wanted.filter(({ field }) => wrong.has(field)) }
}

function keysByField(entries: readonly Stored[]): Map<string, string> {
  const byField = new Map<string, string[]>()
  for (const { field, key } of entries) {
    const keys = byField.get(field)
    if (keys) keys.push(key)
    else byField.set(field, [key])
  }
  return new Map([...byField].map(([field, keys]) => [field, keys.length === 1 ? (keys[0] as string) : keys.sort().join('\n')]))
}

function valueKey({ position, text, folded, long, long_folded, number, flag, unworded }: Value): string {
  return JSON.stringify([position, text ?? null, folded ?? null, long ?? null, long_folded ?? null, number ?? null, flag ?? null, unworded ?? false])
}

function storedValue(text: string): Stored {
  const [field, ...rest] = JSON.parse(text) as [string, ...unknown[]]
  return { field, key: JSON.stringify(rest) }
}

/** Of `<field> <rest>`: only fields that a definition names have these, and their names have no spaces. */
function storedEntry(text: string): Stored {
  const end = text.indexOf(' ')
  return { field: text.slice(0, end), key: text.slice(end + 1) }
}
