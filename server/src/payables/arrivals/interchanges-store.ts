import type { Context } from '../../platform/context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../platform/core/schema/pages.ts'
import type { Pool } from '../../platform/db/pool/connect.ts'
import { andWithin } from '../../platform/db/sql/changed.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../platform/db/sql/keyset.ts'
import { sql, when } from '../../platform/db/sql/sql.ts'
import type { EdiInterchangeSearch } from './interchanges-model.ts'

export type NewInterchange = {
  id: string
  number: number
  sender: string
  receiver: string
  sent_on: string
  control_number: string
  source: string
  status: string
  problems: readonly object[]
  carrier_invoice_ids: readonly string[]
  acknowledgement: string
}

export async function insertInterchange(ctx: Context, one: NewInterchange): Promise<void> {
  await ctx.run(sql`
    insert into edi_interchanges (org_id, id, number, sender, receiver, sent_on, control_number, source, status, problems, carrier_invoice_ids, acknowledgement)
    values (${ctx.org}, ${one.id}, ${one.number}, ${one.sender}, ${one.receiver}, ${one.sent_on}, ${one.control_number}, ${one.source}, ${one.status},
      ${JSON.stringify(one.problems)}::text::jsonb, ${one.carrier_invoice_ids}::uuid[], ${one.acknowledgement})`)
}

export async function listInterchanges(ctx: Context, search: EdiInterchangeSearch): Promise<string> {
  const { status_ids: statuses, control_number } = search
  const page = pageOf('edi_interchanges', search, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org} ${andWithin(search, sql`created_at`)} ${when(statuses, sql`and status = any(${statuses}::text[])`)} ${when(control_number, sql`and control_number = ${control_number}`)}`
  const total = sql`(select count(*)::int from edi_interchanges where ${filter})`
  const rows = sql`from edi_interchanges_wire where ${filter}`
  const [found] = await ctx.run<FoundRecords>(pageStatement({ total, rows, order: newestFirst, page }))
  return envelope('edi_interchanges', found ?? nothingFound, page)
}

export async function listInterchangesJson(
  ctx: Context,
  ids: readonly string[],
): Promise<{ id: string; json: string }[]> {
  return ctx.run(
    sql`select w.id, w.json from edi_interchanges_wire w where w.org_id = ${ctx.org} and w.id = any(${ids}::uuid[]) order by w.id`,
  )
}

export async function findAcknowledgement(
  ctx: Context,
  id: string,
): Promise<{ text: string; number: number } | undefined> {
  const [row] = await ctx.run<{ text: string; number: number }>(
    sql`select e.acknowledgement as text, e.number from edi_interchanges e where e.org_id = ${ctx.org} and e.id = ${id}`,
  )
  return row
}

type Named = { sender: string; sent_on: string; control_number: string }

/** The interchange that was taken with these numbers: the last one, should a sender have used them twice. */
export async function findTaken(ctx: Context, { sender, sent_on, control_number }: Named): Promise<string | null> {
  const [row] = await ctx.run<{ id: string }>(sql`
    select e.id from edi_interchanges e
    where e.org_id = ${ctx.org} and e.sender = ${sender} and e.sent_on = ${sent_on} and e.control_number = ${control_number} and e.status <> 'rejected'
    order by e.created_at desc, e.id desc limit 1`)
  return row?.id ?? null
}

export async function saveUnwritten(ctx: Context, ids: readonly string[]): Promise<void> {
  await ctx.run(
    sql`update edi_interchanges set written_at = null where org_id = ${ctx.org} and id = any(${ids}::uuid[])`,
  )
}

/** Those that were made lately and wait to be written, with the rights of the schema's owner. What is older arrived before there was a directory. */
export async function listOrganizationsWithUnwritten({ run }: Pool): Promise<string[]> {
  const rows = await run<{ org_id: string }>(
    sql`select distinct e.org_id from edi_interchanges e where e.written_at is null and e.created_at > statement_timestamp() - interval '7 days'`,
  )
  return rows.map(({ org_id }) => org_id)
}

export type UnwrittenInterchange = { id: string; number: number; text: string }

export function listUnwritten(ctx: Context): Promise<UnwrittenInterchange[]> {
  return ctx.run<UnwrittenInterchange>(sql`
    select e.id, e.number, e.acknowledgement as text from edi_interchanges e
    where e.org_id = ${ctx.org} and e.written_at is null and e.created_at > statement_timestamp() - interval '7 days' order by e.created_at, e.id limit 100`)
}

export async function saveWritten(ctx: Context, ids: readonly string[]): Promise<void> {
  await ctx.run(
    sql`update edi_interchanges set written_at = statement_timestamp() where org_id = ${ctx.org} and id = any(${ids}::uuid[])`,
  )
}
