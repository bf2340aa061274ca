import type { Context } from '../../platform/context.ts'
import { type Statement, sql } from '../../platform/db/sql/sql.ts'
import type { Candidate } from './matching.ts'
import { isDelivered, stopsIn } from './received/movement.ts'

type Row = {
  id: string
  full_id: string
  external_id: string | null
  status: string
  json: Record<string, unknown>
  billed_by: string | null
  has_pod: boolean
}

/** These manifests, those that are gone left out. `typeNames` are the names of bill item types in lower case, by their ids. */
export function listManifests(
  ctx: Context,
  ids: readonly string[],
  typeNames: ReadonlyMap<string, string>,
): Promise<Candidate[]> {
  return read(ctx, sql`select unnest(${ids}::uuid[]) as id`, typeNames)
}

/** As many manifests of one carrier are looked at, those that are not billed yet and the latest first. */
const mostOfCarrier = 200

/** The manifests that have one of these names, however they are spelled: their reference number, external id or full id. */
export function listNamed(
  ctx: Context,
  names: readonly string[],
  typeNames: ReadonlyMap<string, string>,
): Promise<Candidate[]> {
  const { org } = ctx
  const numbers = names.flatMap((name) => /^man-(\d{1,9})$/i.exec(name)?.[1] ?? []).map(Number)
  const spellings = [...new Set(names.flatMap((name) => [name, name.toLowerCase(), name.toUpperCase()]))]
  return read(
    ctx,
    sql`select v.object_id as id from object_values v where v.org_id = ${org} and v.object_key = 'manifest' and v.field = 'referenceNumber' and v.text_value = any(${spellings}::text[])
      union select o.id from objects o where o.org_id = ${org} and o.object_key = 'manifest' and o.deleted_at is null and o.external_id = any(${spellings}::text[])
      union select o.id from objects o where o.org_id = ${org} and o.object_key = 'manifest' and o.number = any(${numbers}::int[])`,
    typeNames,
  )
}

/** The latest manifests of these carriers that no bill pays for yet. */
export function listOpen(
  ctx: Context,
  carriers: readonly string[],
  typeNames: ReadonlyMap<string, string>,
): Promise<Candidate[]> {
  const { org } = ctx
  return read(
    ctx,
    sql`select m.id from unnest(${carriers}::uuid[]) as c(id) cross join lateral (
      select r.from_id as id from object_references r where r.org_id = ${org} and r.to_id = c.id and r.to_key = 'partner' and r.field = 'partnerId'
        and not exists (select from manifest_bills b where b.org_id = ${org} and b.manifest_id = r.from_id)
      order by r.from_id desc limit ${mostOfCarrier}) m`,
    typeNames,
  )
}

async function read(ctx: Context, ids: Statement, typeNames: ReadonlyMap<string, string>): Promise<Candidate[]> {
  const { org } = ctx
  const rows = await ctx.run<Row>(sql`
    with wanted as materialized (${ids})
    select o.id, o.full_id, o.external_id, o.status, o.json,
      (select coalesce(bill_number(b.number), b.id::text) from manifest_bills m join bills b on b.org_id = ${org} and b.id = m.bill_id
        where m.org_id = ${org} and m.manifest_id = o.id and b.voided_at is null and b.number is not null) as billed_by,
      exists (select from document_links l join document_files d on d.org_id = ${org} and d.id = l.document_id
        where l.org_id = ${org} and d.document_type = 'pod' and l.record_id = any(array(
          select o.id union all select r.to_id from object_references r where r.org_id = ${org} and r.from_id = o.id and r.to_key = 'order'))) as has_pod
    from wanted join objects o on o.org_id = ${org} and o.id = wanted.id where o.object_key = 'manifest' and o.deleted_at is null`)
  return rows.map((row) => candidateOf(row, typeNames))
}

function candidateOf(
  { id, full_id, external_id, status, json, billed_by, has_pod }: Row,
  typeNames: ReadonlyMap<string, string>,
): Candidate {
  const text = (name: string) => (typeof json[name] === 'string' ? (json[name] as string) : null)
  const items = (Array.isArray(json.paymentItems) ? json.paymentItems : []) as {
    id?: string
    type?: unknown
    unitPrice?: unknown
    quantity?: unknown
  }[]
  const stops = stopsIn(json)
  return {
    ...{
      id,
      full_id,
      external_id,
      billed_by,
      has_pod,
      undelivered: isDelivered(status, stops) ? null : status.replaceAll('_', ' '),
      name: full_id,
      reference_number: text('referenceNumber'),
      ends_at: text('endAt'),
    },
    partner_carrier_id: text('partnerId'),
    currency_id: text('currency')?.toLowerCase() ?? null,
    distance_km: typeof json.distance === 'number' ? json.distance : null,
    stops,
    items: items.flatMap((item) => {
      if (typeof item?.type !== 'string' || !Number.isSafeInteger(item.unitPrice)) return []
      const quantity = Number.isSafeInteger(item.quantity) ? (item.quantity as number) : 1
      const type = item.type.toLowerCase()
      return [{ id: item.id ?? null, type: typeNames.get(type) ?? type, amount: (item.unitPrice as number) * quantity }]
    }),
  }
}
