import type { Context } from '../../platform/context.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { oneOf } from '../../platform/db/sql/one-of.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import type { Decider, Decision, Facts } from './rules/model.ts'
import { approvalsGiven, contentOf, isEnteredBy, rulesAbout } from './rules/rules-sql.ts'

/** What is known of these bills, which the caller has locked where it wants to decide. */
export async function listFacts(
  { org, run }: Context,
  ids: readonly string[],
  decider: string,
  actsAs: readonly string[],
): Promise<Facts[]> {
  const content = contentOf(org)
  const standing = sql`a.org_id = ${org} and a.bill_id = b.id and a.ended_at is null and a.content = b.content`
  return run<Facts>(sql`
    select b.id, b.revision, b.status_id, b.voided_at is not null as is_voided, b.approval_status, b.content,
      coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name, 'users', r.approver_user_ids,
        'names', (select json_agg(u.name order by u.name) from users u where u.org_id = ${org} and u.id = any(r.approver_user_ids)), 'role', r.approver_role, 'needed', r.needed_approvals,
        'given', ${approvalsGiven(org, sql`b.id`, sql`b.content`)}) order by r.name) ${rulesAbout(org)}), '[]') as rules,
      (select count(distinct a.user_id)::int from bill_approvals a where ${standing} and a.decision = 'approve') as given,
      o.forbid_self_approval and ${isEnteredBy(org, actsAs)} as is_own,
      (select a.decision from bill_approvals a where ${standing} and a.user_id = ${decider} order by a.created_at desc limit 1) as own_decision
    from (select b.*, ${content} as content from bills b where b.org_id = ${org} and b.id = ${oneOf(ids)}) b
    join organizations o on o.org_id = b.org_id where o.org_id = ${org}`)
}

export async function findDecider({ org, run }: Context, id: string): Promise<Decider> {
  const [found] = await run<Decider>(sql`
    select ${id}::text as id, (select u.role from users u where u.org_id = ${org} and u.id = ${id}) as role, coalesce((
      select json_agg(json_build_object('id', u.id, 'role', u.role)) from approval_delegations d join users u on u.org_id = d.org_id and u.id = d.from_user_id
      where d.org_id = ${org} and u.org_id = ${org} and d.to_user_id = ${id} and d.starts_at <= statement_timestamp() and d.ends_at > statement_timestamp()), '[]') as delegators
    from organizations o where o.org_id = ${org}`)
  return found ?? { id, role: null, delegators: [] }
}

export type NewDecision = { bill_id: string; content: string; rule_ids: string[]; on_behalf_of: string | null }
type Given = { decision: Decision; user_id: string; note: string | null }

/** Of one person about several bills. It takes the place of their earlier decision, and of all that decided the opposite. */
export async function insertDecisions(
  { org, run }: Context,
  decisions: readonly NewDecision[],
  { decision, user_id, note }: Given,
): Promise<void> {
  const rows = decisions.map((one) => ({ ...one, id: newId() }))
  await run(sql`
    update bill_approvals a set ended_at = statement_timestamp()
    where a.org_id = ${org} and a.bill_id = any(${rows.map(({ bill_id }) => bill_id)}::uuid[]) and a.ended_at is null and (a.decision <> ${decision} or a.user_id = ${user_id})`)
  await run(sql`
    insert into bill_approvals (org_id, id, bill_id, content, decision, user_id, on_behalf_of, note, rule_ids)
    select own.org_id, n.id, n.bill_id, n.content, ${decision}::text, ${user_id}::uuid, n.on_behalf_of, ${note}::text, n.rule_ids
    from organizations own cross join jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as n(id uuid, bill_id uuid, content text, on_behalf_of uuid, rule_ids uuid[])
    where own.org_id = ${org}`)
}

/** All decisions about a bill as JSON, the newest first. */
export async function findDecisions({ org, run }: Context, bill: string): Promise<string> {
  const [found] = await run<{ json: string }>(sql`
    select coalesce(json_agg(json_build_object('id', a.id, 'decision', a.decision, 'user_id', a.user_id, 'user_name', (select u.name from users u where u.org_id = ${org} and u.id = a.user_id),
      'on_behalf_of', a.on_behalf_of, 'on_behalf_of_name', (select u.name from users u where u.org_id = ${org} and u.id = a.on_behalf_of), 'note', a.note,
      'created_at', wire_time(a.created_at), 'ended_at', wire_time(a.ended_at)) order by a.created_at desc, a.id desc), '[]')::text as json
    from bill_approvals a where a.org_id = ${org} and a.bill_id = ${bill}`)
  return found?.json ?? '[]'
}
