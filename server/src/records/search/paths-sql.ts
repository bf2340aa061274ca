import { join, type Statement, sql } from '../../platform/db/sql/sql.ts'
import type { Choice, Expansion } from './paths.ts'

/** The JSON of what was chosen, made from the row `w` of `objects_wire`, in one statement however many references the paths lead through. */
export function chosen(org: string, choice: Choice, depth = 0): Statement {
  const w = aliases[depth] as { row: Statement; json: Statement }
  const keys = [...new Set(['id', 'objectKey', ...choice.keys])]
  const own = choice.all
    ? w.json
    : sql`(select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(${w.json}) where key = any (${keys}::text[]))`
  const parts = [...choice.parts].map(
    ([key, wanted]) =>
      sql`jsonb_build_object(${key}::text, (select jsonb_object_agg(key, value) from jsonb_each(nullif(${w.json} -> ${key}, 'null')) where key = any (${wanted}::text[])))`,
  )
  const expanded = [...choice.expanded].map(
    ([alias, expansion]) => sql`jsonb_build_object(${alias}::text, ${expand(org, expansion, w.json, depth + 1)})`,
  )
  return join([own, ...parts, ...expanded], sql` || `)
}

function expand(org: string, { field, many, choice }: Expansion, json: Statement, depth: number): Statement {
  const { row } = aliases[depth] as { row: Statement }
  const one = chosen(org, choice, depth)
  if (!many)
    return sql`(select ${one} from objects_wire ${row} where ${row}.org_id = ${org} and ${row}.id = (${json} ->> ${field})::uuid and ${row}.deleted_at is null)`
  return sql`(select coalesce(jsonb_agg(${one} order by r.position), '[]') from jsonb_array_elements_text(coalesce(nullif(${json} -> ${field}, 'null'), '[]')) with ordinality as r(id, position)
    join objects_wire ${row} on ${row}.org_id = ${org} and ${row}.id = r.id::uuid and ${row}.deleted_at is null)`
}

const aliases = [sql`w`, sql`w1`, sql`w2`, sql`w3`].map((row) => ({ row, json: sql`${row}.json::jsonb` }))
