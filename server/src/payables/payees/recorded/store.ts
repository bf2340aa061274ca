import type { Context } from '../../../platform/context.ts'
import { conflict, invalid, quote } from '../../../platform/core/refusal.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import type { PlainReference } from '../../../platform/core/values/ids.ts'
import { andChanged } from '../../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../../platform/db/sql/constraints.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../../platform/db/sql/keyset.ts'
import { sql, when } from '../../../platform/db/sql/sql.ts'
import type { Content, Payee, PayeeSearch } from './model.ts'

export async function listPayees(ctx: Context, search: PayeeSearch): Promise<string> {
  const { search_term, partner_carrier_ids, methods, waiting, factors } = search
  const page = pageOf('payees', search, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'payees', search)} ${when(search_term, sql`and position(lower(${search_term}) in lower(name)) > 0`)}
    ${when(partner_carrier_ids, sql`and partner_carrier_id = any(${partner_carrier_ids}::uuid[])`)} ${when(methods, sql`and method = any(${methods}::text[])`)}
    ${when(waiting !== undefined, sql`and (waiting_change_id is not null) = ${waiting}`)} ${when(factors !== undefined, sql`and is_factor = ${factors}`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from payees_wire where ${filter})`,
      rows: sql`from payees_wire where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('payees', found ?? nothingFound, page)
}

export async function findPayee(
  ctx: Context,
  reference: PlainReference,
): Promise<(WireRecord & { id: string }) | undefined> {
  const which = reference.by === 'id' ? sql`id = ${reference.id}` : sql`external_id = ${reference.external_id}`
  const [row] = await ctx.run<WireRecord & { id: string }>(
    sql`select id, revision, json from payees_wire where org_id = ${ctx.org} and ${which}`,
  )
  return row
}

/** With its bank details as they are kept. */
export type LockedPayee = Payee & { sealed: string | null }

/** Whoever pays to it holds the row against this lock. */
export async function lockPayee(ctx: Context, id: string): Promise<LockedPayee | undefined> {
  const [row] = await ctx.run<{ sealed: string | null }>(
    sql`select bank_details_sealed as sealed from payees where org_id = ${ctx.org} and id = ${id} for update`,
  )
  const found = row && (await findPayee(ctx, { by: 'id', id }))
  return found && { ...JSON.parse(found.json), sealed: row.sealed }
}

type Kept = Content & { sealed: string | null }
type New = Kept & { id: string; external_id: string | null; partner_carrier_id: string | null; created_by: string }

export async function insertPayee(ctx: Context, payee: New): Promise<void> {
  const {
    id,
    external_id,
    partner_carrier_id,
    created_by,
    name,
    method,
    sealed,
    bank_details,
    address,
    remittance_email,
    notes,
  } = payee
  const { factor_payee_id, notice_of_assignment_on, notice_document_id, quick_pay_days, quick_pay_percent } = payee
  await ctx
    .run(sql`
      insert into payees (org_id, id, external_id, partner_carrier_id, name, method, bank_details_sealed, bank_details_masked, address, remittance_email, factor_payee_id,
        notice_of_assignment_on, notice_document_id, quick_pay_days, quick_pay_percent, notes, status, created_by)
      values (${ctx.org}, ${id}, ${external_id}, ${partner_carrier_id}, ${name}, ${method}, ${sealed}, ${json(bank_details)}::text::jsonb, ${json(address)}::text::jsonb,
        ${remittance_email}, ${factor_payee_id}, ${notice_of_assignment_on}, ${notice_document_id}, ${quick_pay_days}, ${quick_pay_percent}::numeric, ${notes}, 'waiting',
        ${created_by})`)
    .catch(refusing(payee))
}

/** All that can be set, and where it stands. */
export async function savePayee(ctx: Context, id: string, payee: Kept & { status: string }): Promise<void> {
  const { name, method, sealed, bank_details, address, remittance_email, notes, status } = payee
  const { factor_payee_id, notice_of_assignment_on, notice_document_id, quick_pay_days, quick_pay_percent } = payee
  await ctx
    .run(sql`
      update payees set name = ${name}, method = ${method}, bank_details_sealed = ${sealed}, bank_details_masked = ${json(bank_details)}::text::jsonb,
        address = ${json(address)}::text::jsonb, remittance_email = ${remittance_email}, factor_payee_id = ${factor_payee_id},
        notice_of_assignment_on = ${notice_of_assignment_on}, notice_document_id = ${notice_document_id}, quick_pay_days = ${quick_pay_days},
        quick_pay_percent = ${quick_pay_percent}::numeric, notes = ${notes}, status = ${status}, revision = revision + 1, updated_at = statement_timestamp()
      where org_id = ${ctx.org} and id = ${id}`)
    .catch(refusing(payee))
}

export async function deletePayee(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from payees where org_id = ${ctx.org} and id = ${id}`).catch((error) => {
    if (violatedConstraint(error) === 'payee_factor')
      throw inUse('Carriers have assigned what they are owed to it. End those assignments first.')
    if (violatedConstraint(error) === 'payment_run_payment_payee')
      throw inUse('Payments of a payment run go to it, so it stays.')
    throw error
  })
}

export type NewChange = {
  id: string
  payee_id: string
  fields: Record<string, unknown>
  previous: Record<string, unknown>
  sealed: string | null
  requested_by: string
}

export async function insertChange(
  ctx: Context,
  { id, payee_id, fields, previous, sealed, requested_by }: NewChange,
): Promise<void> {
  await ctx
    .run(sql`
      insert into payee_changes (org_id, id, payee_id, fields, previous, bank_details_sealed, requested_by)
      values (${ctx.org}, ${id}, ${payee_id}, ${json(fields)}::text::jsonb, ${json(previous)}::text::jsonb, ${sealed}, ${requested_by})`)
    .catch((error) => {
      throw violatedConstraint(error) === 'payee_change_waits_alone' ? changeWaits() : error
    })
}

export type WaitingChange = {
  id: string
  status: string
  fields: Partial<Content>
  sealed: string | null
  requested_by: string
}

/** A change of a payee whose row the caller has locked. */
export async function findChange(ctx: Context, payee: string, id: string): Promise<WaitingChange | undefined> {
  const [row] = await ctx.run<WaitingChange>(sql`
    select id, status, fields, bank_details_sealed as sealed, requested_by from payee_changes where org_id = ${ctx.org} and payee_id = ${payee} and id = ${id}`)
  return row
}

export async function findWaitingChange(ctx: Context, payee: string): Promise<WaitingChange | undefined> {
  const [row] = await ctx.run<WaitingChange>(sql`
    select id, status, fields, bank_details_sealed as sealed, requested_by from payee_changes where org_id = ${ctx.org} and payee_id = ${payee} and status = 'waiting'`)
  return row
}

type Decided = { status: 'approved' | 'rejected'; by: string; byTheOnlyUser: boolean; note: string | null }

/** Bank details of a change that was decided are needed no more: those that apply are with the payee. */
export async function saveDecision(
  ctx: Context,
  id: string,
  { status, by, byTheOnlyUser, note }: Decided,
): Promise<void> {
  await ctx.run(sql`
    update payee_changes set status = ${status}, decided_by = ${by}, decided_at = statement_timestamp(), by_the_only_user = ${byTheOnlyUser}, note = ${note},
      bank_details_sealed = null where org_id = ${ctx.org} and id = ${id}`)
}

export async function raiseRevision(ctx: Context, id: string): Promise<void> {
  await ctx.run(
    sql`update payees set revision = revision + 1, updated_at = statement_timestamp() where org_id = ${ctx.org} and id = ${id}`,
  )
}

export async function findChangeJson(ctx: Context, id: string): Promise<string> {
  const [row] = await ctx.run<{ json: string }>(
    sql`select json from payee_changes_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row?.json as string
}

export async function listChanges(
  ctx: Context,
  payee: string,
  asked: { offset?: number; limit?: number; after?: string },
): Promise<string> {
  const page = pageOf('payee_changes', { ...asked, payee }, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org} and payee_id = ${payee}`
  const total = sql`(select count(*)::int from payee_changes where ${filter})`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({ total, rows: sql`from payee_changes_wire where ${filter}`, order: newestFirst, page }),
  )
  return envelope('payee_changes', found ?? nothingFound, page)
}

export function changeWaits() {
  return conflict(
    'payee_change_waiting',
    'A change of this payee waits for a second person. Have it approved or rejected first.',
  )
}

function inUse(message: string) {
  return conflict('payee_in_use', message)
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

function refusing({ external_id, factor_payee_id }: { external_id?: string | null; factor_payee_id: string | null }) {
  return (error: unknown): never => {
    switch (violatedConstraint(error)) {
      case 'payee_external_id':
        throw conflict('external_id_taken', `Another payee has the external_id ${quote(external_id)} already.`, [
          { field: 'external_id', code: 'taken', message: 'An external_id is unique in the organization.' },
        ])
      case 'payee_of_a_carrier':
        throw conflict('carrier_has_a_payee', 'This carrier has a payee already. Change that one instead.', [
          { field: 'partner_carrier_id', code: 'taken', message: 'A carrier has one payee.' },
        ])
      case 'payee_factor':
        throw invalid(
          'factor_payee_id',
          'unknown_factor',
          `There is no payee ${quote(factor_payee_id)} of a factoring company in this organization.`,
        )
      case 'payee_assigned_is_a_carrier':
        throw invalid(
          'factor_payee_id',
          'not_of_a_carrier',
          'Only the payee of a carrier can be assigned: this one has no "partner_carrier_id".',
        )
      default:
        throw error
    }
  }
}
