import { invalid, quote } from '../../platform/core/refusal.ts'
import { named, nothing, type Statement, sql } from '../../platform/db/sql/sql.ts'
import type { ExternalField } from '../../records/kinds/extension.ts'
import type { Link } from './links.ts'

/** Where the read-only fields of an object are read from: the document that was made from it, unless that is voided. */
export function fieldsOf(link: Link): readonly ExternalField[] {
  const { noun, document } = link
  const read = (value: Statement) => ({
    all: (org: string) => sql`select m.object_id, ${value} from ${documentsOf(link, org)}`,
    of: (org: string, id: Statement) => sql`select m.object_id, ${value} from ${documentOf(link, org, id)}`,
  })
  const id = sql`m.${named(document)} as value`
  return [
    {
      key: `${noun}Id`,
      valueType: 'uuid',
      ...read(id),
      all: (org) => sql`select m.object_id, ${id} from ${linksOf(link, org)}`,
    },
    { key: `${noun}StatusId`, valueType: 'text', ...read(sql`b.status_id as value`) },
    {
      key: `${noun}Number`,
      valueType: 'integer',
      hasText: true,
      ...read(sql`b.number as value, ${named(`${noun}_number`)}(b.number) as text`),
      readOperand: (value, at) => readNumber(link, value, at),
    },
  ]
}

/** From documents to their objects, so that a condition that few documents meet reads few objects. */
function documentsOf(link: Link, org: string): Statement {
  const { document, documents } = link
  return sql`${named(documents)} b cross join lateral (${linked(link, org)} and m.${named(document)} = b.id offset 0) as m
    where b.org_id = ${org} and b.voided_at is null`
}

/** From objects to their documents, which is how an id is looked for. */
function linksOf(link: Link, org: string, which: Statement = nothing): Statement {
  const { document, documents } = link
  return sql`(${linked(link, org)}${which}) as m join ${named(documents)} b on b.id = m.${named(document)} and b.org_id = ${org} and b.voided_at is null`
}

function documentOf(link: Link, org: string, id: Statement): Statement {
  return linksOf(link, org, sql` and m.${named(link.object)} = ${id}`)
}

function linked({ table, object, document }: Link, org: string): Statement {
  return sql`select m.${named(object)} as object_id, m.${named(document)} from ${named(table)} m where m.org_id = ${org}`
}

/** `BILL-000123` → 123: so numbers are stored, and so they have an order. */
function readNumber({ noun, prefix }: Link, value: unknown, at: string): number {
  const [, digits] = (typeof value === 'string' && new RegExp(`^${prefix}-0*(\\d{1,9})$`, 'i').exec(value)) || []
  if (digits === undefined)
    throw invalid(
      at,
      'wrong_type',
      `"${at}" must be the number of a ${noun} such as "${prefix}-000123", not ${quote(value)}.`,
    )
  return Number(digits)
}
