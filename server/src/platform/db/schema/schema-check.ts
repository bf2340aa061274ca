import { readFileSync } from 'node:fs'
import type { Pool } from '../pool/connect.ts'
import { sql } from '../sql/sql.ts'
import { schemaText } from './schema-text.ts'

/** By what a part of the schema is called, its text. */
type Parts = Map<string, string>

/** With which version of PostgreSQL the text was written: others write the same expressions in other words. */
export const writtenWith = (major: string) => `-- Written with PostgreSQL ${major}.`

/**
 * What is missing of the schema that the baseline and the migrations make, or is not as they make it, in sentences: a restore that went wrong, or a change by hand. What is
 * there besides is the operator's own. A cluster keeps its tables in another way, and is looked at by `placementFaults`.
 */
export async function schemaFaults(pool: Pool): Promise<string[]> {
  if (await pool.distributed()) return []
  const text = readFileSync(new URL('../../../../schema.sql', import.meta.url), 'utf8')
  const { found, major } = await pool.transaction(async (run) => {
    await run(sql`set local search_path = public`)
    const [server] = await run<{ major: string }>(
      sql`select (current_setting('server_version_num')::int / 10000)::text as major`,
    )
    return { found: await schemaText(run), major: server?.major ?? '' }
  })
  return differences(partsOf(text), partsOf(found), text.includes(writtenWith(major)))
}

/** `sameWords`: both were written by the same version, so that the texts can be compared too. */
export function differences(wanted: Parts, found: Parts, sameWords: boolean): string[] {
  return [...wanted].flatMap(([name, text]) => {
    const there = found.get(name)
    if (there === undefined) return sameWords || isNamed(name) ? [`The ${name} is missing.`] : []
    return sameWords && there !== text ? [`The ${name} is not as the migrations make it.`] : []
  })
}

/** The parts of a text that `schemaText` wrote, in any order. */
export function partsOf(text: string): Parts {
  const parts: Parts = new Map()
  for (const block of text.split(/\n\n(?=create |set |grant |comment )/i)) {
    const [, table, inside = '', rest = ''] = /^create table (\S+) \(\n(.*?)\n\)(.*)$/s.exec(block.trim()) ?? []
    if (table === undefined) add(statementPart(block.trim()))
    else {
      parts.set(`table ${table}`, '')
      for (const item of inside.split(/,\n {2}(?=\S)/)) add(itemPart(table, item.trim()))
      for (const statement of rest.slice(rest.indexOf(';') + 1).split(/;\n|;$/))
        if (statement.trim() !== '') add(statementPart(statement.trim()))
    }
  }
  return parts

  function add(part: [name: string, text: string] | null): void {
    // Which names need quotes depends on the version.
    if (part) parts.set(part[0].replaceAll('"', ''), part[1])
  }
}

function itemPart(table: string, item: string): [string, string] {
  const [, constraint] = /^constraint (\S+) /.exec(item) ?? []
  return constraint
    ? [`constraint ${constraint} of ${table}`, item]
    : [`column ${item.split(' ')[0]} of ${table}`, item]
}

function statementPart(statement: string): [string, string] | null {
  const [, table, constraint] = /^alter table (\S+) add (constraint .*)$/s.exec(statement) ?? []
  if (table && constraint) return itemPart(table, constraint)
  const [, sort, name] =
    /^create (?:or replace )?(?:unique )?(function|procedure|view|index|domain|extension|statistics|trigger|policy) ("?[\w.]+"?)/i.exec(
      statement,
    ) ?? []
  if (sort && name)
    return [`${sort.toLowerCase()} ${name}${argumentsOf(sort, statement)}${ownerOf(sort, statement)}`, statement]
  return /^(?:--|set )/.test(statement) ? null : [`statement ${statement}`, statement]
}

/** Functions of one name differ in what they take. */
function argumentsOf(sort: string, statement: string): string {
  return /^(?:function|procedure)$/i.test(sort) ? (/\(.*\)/.exec(statement)?.[0] ?? '') : ''
}

/** Policies and triggers of many tables are called the same. */
function ownerOf(sort: string, statement: string): string {
  return /^(?:policy|trigger)$/i.test(sort) ? ` of ${/ on (?:public\.)?(\S+)/i.exec(statement)?.[1]}` : ''
}

function isNamed(name: string): boolean {
  return !name.startsWith('statement ')
}
