import type { Context } from '../../../platform/context.ts'
import { type Statement, sql } from '../../../platform/db/sql/sql.ts'

const daysBefore: Statement = sql`case
  when o.new_approver_days_set_at + o.new_approver_days_before * interval '1 day' > statement_timestamp() then o.new_approver_days_before else 0 end`
/** For how many days who is new decides nothing about where money goes: a smaller number counts when those of the larger one have passed. */
const daysInEffect: Statement = sql`greatest(o.new_approver_days, ${daysBefore})`

/** `decides_at`, where a user is new: from when on they are not. */
export type DeciderStanding = { days: number; decides_at: string | null; is_alone: boolean }

/**
 * What this user may decide about where money goes. Somebody is alone who is the only person of the organization, and has been for those days: the
 * people of carriers, who use the portal, are none of its own, and who was shut out lately still counts.
 */
export async function findStanding({ org, run }: Context, id: string): Promise<DeciderStanding> {
  const [row] = await run<DeciderStanding>(sql`
    select o.days, (select wire_time(u.approves_since + o.days * interval '1 day') from users u
        where u.org_id = ${org} and u.id::text = ${id} and u.approves_since > statement_timestamp() - o.days * interval '1 day') as decides_at,
      exists (select from users u where u.org_id = ${org} and u.id::text = ${id} and u.disabled_at is null and u.joined_at is not null and u.role <> 'partner')
      and not exists (select from users u where u.org_id = ${org} and u.id::text <> ${id} and u.joined_at is not null
        and ((u.disabled_at is null and u.role <> 'partner') or u.left_at > statement_timestamp() - o.days * interval '1 day')) as is_alone
    from (select ${daysInEffect} as days from organizations o where o.org_id = ${org}) o`)
  return row ?? { days: 0, decides_at: null, is_alone: false }
}

/** What it was before a change counts on for as many days; or what counted then, which is still kept. */
export async function saveDaysBefore({ org, run }: Context, previous: number): Promise<void> {
  const [row] = await run<{ days: number }>(
    sql`select greatest(${previous}::int, ${daysBefore}) as days from organizations o where o.org_id = ${org}`,
  )
  await run(sql`
    update organizations set new_approver_days_before = ${row?.days ?? previous}, new_approver_days_set_at = statement_timestamp() where org_id = ${org}`)
}

export async function endDaysBefore({ org, run }: Context): Promise<void> {
  await run(
    sql`update organizations set new_approver_days_before = null, new_approver_days_set_at = null where org_id = ${org}`,
  )
}
