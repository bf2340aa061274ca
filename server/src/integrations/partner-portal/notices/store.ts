import type { Load } from '../../../freight/loads/model.ts'
import type { Context } from '../../../platform/context.ts'
import { type Statement, sql } from '../../../platform/db/sql/sql.ts'
import { loadOf } from '../loads-sql.ts'

/** Who hears of something, and from whom. */
export type NoticeAudience = {
  organization: string
  time_zone: string
  /** The carrier's people with an account who can sign in. */
  people: string[]
  /** The carrier's own address. */
  email: string | null
  /** Whoever of the organization does it. */
  reply_to: string | null
}

export type TenderNotice = NoticeAudience & {
  id: string
  manifest_id: string
  partner_carrier_id: string
  full_id: string
  currency_id: string | null
  rate: number | null
  agreed_rate: number | null
  message: string | null
  expires_at: string
  /** Null where the manifest is another carrier's: what becomes of it is not this one's to know. */
  load: Load | null
}

export type AnswerNotice = NoticeAudience & { number: string | null }

/** What the mails about these tenders say and whom they go to. */
export async function listTenderNotices(ctx: Context, ids: readonly string[]): Promise<TenderNotice[]> {
  return ctx.run<TenderNotice>(sql`
    select t.id, t.manifest_id, t.partner_carrier_id, m.full_id, t.currency_id, t.rate, t.agreed_rate, t.message, wire_time(t.expires_at) as expires_at,
      case when ${concerns} then ${loadOf(ctx.org, sql`m.id`, sql`m.json`)} end as load, ${heardBy(ctx)}
    from tenders t join organizations own on own.org_id = t.org_id
    join objects m on m.org_id = t.org_id and m.id = t.manifest_id
    join objects c on c.org_id = t.org_id and c.id = t.partner_carrier_id and c.deleted_at is null
    where t.org_id = ${ctx.org} and t.id = any(${ids}::uuid[]) order by t.id`)
}

/** The same about a bill, if its carrier sees it. */
export async function findAnswerNotice(ctx: Context, bill: string, carrier: string): Promise<AnswerNotice | undefined> {
  const [row] = await ctx.run<AnswerNotice>(sql`
    select bill_number(b.number) as number, ${heardBy(ctx)}
    from bills b join organizations own on own.org_id = b.org_id join objects c on c.org_id = b.org_id and c.id = b.partner_carrier_id and c.deleted_at is null
    where b.org_id = ${ctx.org} and b.id = ${bill} and b.partner_carrier_id = ${carrier} and b.status_id <> 'draft' and b.voided_at is null`)
  return row
}

const concerns = sql`(m.json ->> 'partnerId' is null or m.json ->> 'partnerId' = t.partner_carrier_id::text)`

/** Of the carrier `c` and the organization `own`. Answers never go to another carrier: who accepts a tender ends those of others. */
function heardBy({ org, actor }: Context): Statement {
  return sql`own.name as organization, own.time_zone, c.json ->> 'email' as email,
    array(select u.email from users u where u.org_id = ${org} and u.partner_carrier_id = c.id and u.role = 'partner' and u.disabled_at is null order by u.email) as people,
    (select u.email from users u where u.org_id = ${org} and u.id::text = ${actor.id} and u.role <> 'partner') as reply_to`
}
