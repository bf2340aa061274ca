import type { Context } from '../../../platform/context.ts'
import { oneOf } from '../../../platform/db/sql/one-of.ts'
import { sql } from '../../../platform/db/sql/sql.ts'
import { approvalsGiven, contentOf, isBeyondLimit, rulesAbout, rulesAboutPlanned } from '../rules/rules-sql.ts'

export type ApprovalStatus = 'not_needed' | 'pending' | 'approved' | 'rejected'
/** A bill whose approval is not what it was. */
export type JudgedBill = { id: string; was: ApprovalStatus; status: ApprovalStatus }

/**
 * Gives these bills the approval status that follows from the rules, from their content and from what was decided about that content, and ends decisions
 * about other content. One statement, so that it goes out together with the write that it follows. Where approvals are off it finds nothing to do.
 */
export function judgeBills({ org, run }: Context, ids: readonly string[]): Promise<JudgedBill[]> {
  const standing = sql`a.org_id = ${org} and a.bill_id = d.id and a.ended_at is null and a.content = d.content`
  return run<JudgedBill>(sql`
    with due as (
      select b.id, b.approval_status as was, o.approvals = 'on' as is_on, ${contentOf(org)} as content, ${isBeyondLimit} as is_beyond, statement_timestamp() as now,
        (select array_agg(r.id) ${rulesAbout(org)}) as rules
      from bills b join organizations o on o.org_id = b.org_id
      where b.org_id = ${org} and o.org_id = ${org} and b.id = ${oneOf(ids)} and (o.approvals = 'on' or b.approval_status <> 'not_needed')),
    judged as (
      select d.id, d.was, d.content, d.now, last.user_id, last.created_at, case
        when not d.is_on or (d.rules is null and not d.is_beyond) then 'not_needed'
        when exists (select from bill_approvals a where ${standing} and a.decision = 'reject') then 'rejected'
        when last.user_id is not null and (d.rules is null or not exists (
          select from approval_rules r where r.org_id = ${org} and r.id = any(d.rules) and r.needed_approvals > ${approvalsGiven(org, sql`d.id`, sql`d.content`)}))
          then 'approved'
        else 'pending' end as status
      from due d left join lateral (
        select a.user_id, a.created_at from bill_approvals a where ${standing} and a.decision = 'approve' order by a.created_at desc, a.id desc limit 1) last on true),
    ended as (
      update bill_approvals a set ended_at = statement_timestamp() from due d
      where a.org_id = ${org} and a.bill_id = d.id and a.ended_at is null and a.content <> d.content)
    update bills b set approval_status = j.status,
      approval_requested_at = case when j.status = 'pending' then case when b.approval_status = 'pending' then b.approval_requested_at else j.now end end,
      approved_by = case when j.status = 'approved' then j.user_id end, approved_at = case when j.status = 'approved' then j.created_at end
    from judged j
    where b.org_id = ${org} and b.id = j.id and (b.approval_status <> j.status or (j.status = 'approved' and b.approved_at is distinct from j.created_at))
    returning b.id, j.was, j.status`)
}

/** What keeps a bill from being paid by somebody, who acts under these names. */
export type ApprovalObstacle = {
  id: string
  number: number | null
  approval_status: ApprovalStatus
  is_same_person: boolean
}

export async function listStanding(
  { org, run }: Context,
  ids: readonly string[],
  payer: readonly string[],
): Promise<ApprovalObstacle[]> {
  return run<ApprovalObstacle>(sql`
    select b.id, b.number, b.approval_status, o.separate_payer and (b.created_by = any(${payer}::text[])
      or exists (select from carrier_invoices i where i.org_id = ${org} and i.bill_id = b.id and i.created_by = any(${payer}::text[]))
      or exists (select from bill_approvals a where a.org_id = ${org} and a.bill_id = b.id and a.ended_at is null and a.decision = 'approve'
        and a.user_id::text = any(${payer}::text[]))) as is_same_person
    from bills b join organizations o on o.org_id = b.org_id where b.org_id = ${org} and o.org_id = ${org} and b.id = ${oneOf(ids)}`)
}

/** A bill as it would be written. */
export type PlannedBill = {
  index: number
  partner_carrier_id: string | null
  currency_id: string | null
  total_amount: number
  home_currency_id: string | null
  home_total_amount: number | null
  types: string[]
}

/** Which of these would need an approval, and whether who enters a bill may pay it. */
export async function listNeeding(
  { org, run }: Context,
  planned: readonly PlannedBill[],
): Promise<{ index: number; is_needed: boolean; is_separate: boolean }[]> {
  return run(sql`
    select b.index, o.approvals = 'on' and (exists (select ${rulesAboutPlanned(org)}) or ${isBeyondLimit}) as is_needed, o.separate_payer as is_separate
    from organizations o cross join jsonb_to_recordset(${JSON.stringify(planned)}::text::jsonb) as b(index int, partner_carrier_id uuid, currency_id text,
      total_amount bigint, home_currency_id text, home_total_amount bigint, types uuid[])
    where o.org_id = ${org}`)
}
