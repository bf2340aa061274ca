import type { Context } from '../../platform/context.ts'
import type { Pool } from '../../platform/db/pool/connect.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import { isAwaiting } from './rules/rules-sql.ts'

/** From here on the open bills after this one are to be looked at again; null where all have been. */
export async function saveDue({ org, run }: Context, from: string | null): Promise<void> {
  await run(sql`update organizations set approvals_due_from = ${from}::uuid where org_id = ${org}`)
}

export async function findDue({ org, run }: Context): Promise<string | null> {
  const [row] = await run<{ due: string | null }>(
    sql`select approvals_due_from as due from organizations where org_id = ${org} for no key update`,
  )
  return row?.due ?? null
}

/** Open bills in the order of their ids, locked. */
export async function lockOpen({ org, run }: Context, after: string, most: number): Promise<string[]> {
  const rows = await run<{ id: string }>(sql`
    select id from bills where org_id = ${org} and id > ${after} and status_id <> 'paid' and voided_at is null order by id limit ${most} for update`)
  return rows.map(({ id }) => id)
}

export async function listDueOrganizations({ run }: Pool): Promise<string[]> {
  const rows = await run<{ org_id: string }>(
    sql`select org_id from organizations where approvals_due_from is not null order by org_id`,
  )
  return rows.map(({ org_id }) => org_id)
}

export async function listReminding({ run }: Pool): Promise<string[]> {
  const rows = await run<{ org_id: string }>(
    sql`select org_id from organizations where approvals = 'on' and approval_reminder_days is not null order by org_id`,
  )
  return rows.map(({ org_id }) => org_id)
}

/** Bills that have waited for as long as the organization says since they were sent for approval, or since the last reminder; noted as reminded now. */
export async function saveReminders({ org, run }: Context, most: number): Promise<string[]> {
  const rows = await run<{ bill_id: string }>(sql`
    insert into approval_reminders as n (org_id, bill_id, reminded_at)
    select b.org_id, b.id, statement_timestamp() from bills b join organizations o on o.org_id = b.org_id
      left join approval_reminders r on r.org_id = b.org_id and r.bill_id = b.id and r.org_id = ${org}
    where b.org_id = ${org} and o.org_id = ${org} and b.approval_status = 'pending' and b.status_id <> 'draft' and b.voided_at is null
      and greatest(b.approval_requested_at, r.reminded_at) <= statement_timestamp() - o.approval_reminder_days * interval '1 day'
    order by b.approval_requested_at limit ${most}
    on conflict (org_id, bill_id) do update set reminded_at = excluded.reminded_at
    returning n.bill_id`)
  return rows.map(({ bill_id }) => bill_id)
}

/** Who could approve some of these bills, and how many. */
export function listAwaited(
  { org, run }: Context,
  bills: readonly string[],
): Promise<{ email: string; bills: number }[]> {
  return run(sql`
    select p.email, count(*)::int as bills from users p join bills b on b.org_id = p.org_id
    where p.org_id = ${org} and p.disabled_at is null and p.joined_at is not null and b.org_id = ${org} and b.id = any(${bills}::uuid[])
      and ${isAwaiting(org, sql`p.id`)}
    group by p.id, p.email order by p.id`)
}
