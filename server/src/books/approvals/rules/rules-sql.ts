import { approvingRoles } from '../../../platform/access/roles.ts'
import { join, named, type Statement, sql } from '../../../platform/db/sql/sql.ts'
import { billFields, billLineFields } from '../../bills/fields/fields.ts'

/** Whether the rule `r` is about the bill `b`. An amount that cannot be compared, because its currency is another, counts as large enough. */
function isAbout(hasType: Statement): Statement {
  return sql`r.is_active and (r.partner_carrier_id is null or r.partner_carrier_id = b.partner_carrier_id) and (r.bill_item_type_id is null or ${hasType})
    and (r.min_amount is null or coalesce(abs(${amountIn(sql`r.currency_id`)}) >= r.min_amount, true))`
}

/** The rules `r` about a bill `b` that is kept. */
export function rulesAbout(org: string): Statement {
  return sql`from approval_rules r where r.org_id = ${org}
    and ${isAbout(sql`exists (select from bill_items i where i.org_id = ${org} and i.bill_id = b.id and i.bill_item_type_id = r.bill_item_type_id)`)}`
}

/** The rules `r` about a bill `b` that is not written yet; `types` are those of its lines. */
export function rulesAboutPlanned(org: string): Statement {
  return sql`from approval_rules r where r.org_id = ${org} and ${isAbout(sql`r.bill_item_type_id = any(b.types)`)}`
}

/** Whether the bill `b` of the organization `o` comes to more than what needs no approval. */
export const isBeyondLimit: Statement = sql`(o.approval_limit_amount is null or coalesce(abs(${amountIn(sql`o.home_currency_id`)}) > o.approval_limit_amount, true))`

function amountIn(currency: Statement): Statement {
  return sql`case when b.currency_id = ${currency} then b.total_amount when b.home_currency_id = ${currency} then b.home_total_amount end`
}

/** A hash of all that makes up the bill `b`: what makes a bill `edited` when it is changed after sending. */
export function contentOf(org: string): Statement {
  return sql`md5(jsonb_build_array(${fieldsOfContent}, (
    select jsonb_agg(jsonb_build_array(${fieldsOfLines}) order by i.position) from bill_items i where i.org_id = ${org} and i.bill_id = b.id))::text)`
}

const fieldsOfContent = join(
  Object.entries(billFields)
    .filter(([, { isContent, setBy, column }]) => isContent && column && (setBy === 'client' || setBy === 'sum'))
    .map(([name, { column }]) => (column === 'timestamptz' ? sql`wire_time(b.${named(name)})` : sql`b.${named(name)}`)),
  sql`, `,
)

const fieldsOfLines = join(
  Object.entries(billLineFields)
    .filter(([, { column }]) => column)
    .map(([name]) => sql`i.${named(name)}`),
  sql`, `,
)

/** How many people have approved the bill with this content for the rule `r`. */
export function approvalsGiven(org: string, bill: Statement, content: Statement): Statement {
  return sql`(select count(distinct a.user_id)::int from bill_approvals a where a.org_id = ${org} and a.bill_id = ${bill} and a.ended_at is null
    and a.decision = 'approve' and a.content = ${content} and r.id = any(a.rule_ids))`
}

/** Everything as which this user may have acted, as `listActorsOfUser` of applications says it, within the statement that asks. */
function namesOf(org: string, user: string | Statement): Statement {
  return sql`array(with recursive names(id) as (
    select ${user}::text
    union select given.id from names n join events e on e.actor ->> 'id' = n.id cross join lateral unnest(array[e.subject_id::text, e.data ->> 'client_id']) as given(id)
    where e.org_id = ${org} and e.subject_type = 'oauth_application' and e.type in ('oauth_application.created', 'oauth_application.secret_rotated')
  ) select id from names)`
}

/** Whether one of these entered or changed the bill `b`, or the carrier invoice that it was made from. */
export function isEnteredBy(org: string, ids: readonly string[] | Statement): Statement {
  const changed = (
    noun: string,
    id: Statement,
  ) => sql`exists (select from events e where e.org_id = ${org} and e.subject_type = ${noun} and e.subject_id = ${id}
    and e.type in (${`${noun}.created`}, ${`${noun}.updated`}) and e.actor ->> 'id' = any(${ids}::text[]))`
  return sql`(b.created_by = any(${ids}::text[]) or ${changed('bill', sql`b.id`)} or exists (
    select from carrier_invoices i where i.org_id = ${org} and i.bill_id = b.id and (i.created_by = any(${ids}::text[]) or ${changed('carrier_invoice', sql`i.id`)})))`
}

/** Whether a user could approve the bill `b` next: one with this id, or of a row of the statement. */
export function isAwaiting(org: string, user: string | Statement): Statement {
  const isOne = sql`(u.id = ${user} or u.id in (select d.from_user_id from approval_delegations d
    where d.org_id = ${org} and d.to_user_id = ${user} and d.starts_at <= statement_timestamp() and d.ends_at > statement_timestamp()))`
  return sql`b.approval_status = 'pending' and b.status_id <> 'draft' and b.voided_at is null
    and exists (select from users u where u.org_id = ${org} and u.id = ${user} and u.role = any(${approvingRoles}::text[]))
    and not exists (select from bill_approvals a where a.org_id = ${org} and a.bill_id = b.id and a.user_id = ${user} and a.ended_at is null)
    and (not exists (select from organizations o where o.org_id = ${org} and o.forbid_self_approval)
      or not exists (select from (select ${namesOf(org, user)} as names offset 0) own where ${isEnteredBy(org, sql`own.names`)}))
    and (not exists (select ${rulesAbout(org)}) or exists (select ${rulesAbout(org)}
      and ((r.approver_user_ids is null and r.approver_role is null) or exists (
        select from users u where u.org_id = ${org} and ${isOne} and (u.id = any(r.approver_user_ids) or u.role = r.approver_role)))
      and r.needed_approvals > (select count(distinct a.user_id) from bill_approvals a where a.org_id = ${org} and a.bill_id = b.id and a.ended_at is null
        and a.decision = 'approve' and r.id = any(a.rule_ids))))`
}
