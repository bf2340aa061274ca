import { type Context, transaction } from '../../platform/context.ts'
import type { Database } from '../../platform/db/database.ts'
import { sendMail } from '../../platform/mail/send.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import type { Kind } from '../documents/model/kind/kind.ts'
import { recordOf, requestsIn } from '../documents/store/history.ts'
import { raiseRevisions } from '../documents/writing/locks.ts'
import { bills } from '../kinds/kinds.ts'
import { approving } from './judging/judging.ts'
import {
  findDue,
  listAwaited,
  listDueOrganizations,
  listReminding,
  lockOpen,
  saveDue,
  saveReminders,
} from './rejudging-store.ts'

const kind = bills as unknown as Kind
const first = '00000000-0000-0000-0000-000000000000'
const atOnce = 500

/**
 * The rules of the organization have changed: its open bills are looked at again, some at once and the others in the background. None is paid meanwhile
 * that may not be, because a payment looks at its bills by itself.
 */
export async function rejudgeSoon(ctx: Context): Promise<void> {
  await saveDue(ctx, first)
  await rejudgeSome(ctx)
}

/** The settings of the organization have changed: the open bills are looked at again where that can make a difference. */
export async function rejudgeAfter(ctx: Context, previous: object): Promise<void> {
  if (['approvals', 'approval_limit_amount', 'home_currency_id'].some((name) => name in previous))
    await rejudgeSoon(ctx)
}

/** The background job: goes on where it stopped. */
export async function rejudgeAll(database: Database, signal?: AbortSignal): Promise<void> {
  for (const org of await listDueOrganizations(database.pool))
    for (let isDue = true; isDue; ) {
      signal?.throwIfAborted()
      isDue = await transaction(systemContext(database, org), rejudgeSome)
    }
}

/** Whether more are left. */
async function rejudgeSome(ctx: Context): Promise<boolean> {
  const due = await findDue(ctx)
  if (due === null) return false
  const ids = await lockOpen(ctx, due, atOnce)
  if (ids.length > 0) await rejudge(ctx, ids)
  const left = ids.length === atOnce ? (ids.at(-1) as string) : null
  await saveDue(ctx, left)
  return left !== null
}

async function rejudge(ctx: Context, ids: readonly string[]): Promise<void> {
  const judged = await approving.judge(ctx, ids)
  if (judged.length === 0) return
  await raiseRevisions(
    ctx,
    kind,
    judged.map(({ id }) => id),
  )
  const others = judged
    .filter(({ isRequested }) => !isRequested)
    .map(({ id, previous }) => ({ type: 'bill.updated' as const, id, previous }))
  await recordOf(ctx, kind, [...requestsIn(kind, judged), ...others])
}

/** The background job: an event for every bill that has waited too long, and a mail to each person who could approve some of them. */
export async function remindAll(database: Database, signal?: AbortSignal): Promise<void> {
  for (const org of await listReminding(database.pool))
    for (let reminded = atOnce; reminded === atOnce; ) {
      signal?.throwIfAborted()
      reminded = await transaction(systemContext(database, org), remindSome)
    }
}

async function remindSome(ctx: Context): Promise<number> {
  const ids = await saveReminders(ctx, atOnce)
  await recordOf(
    ctx,
    kind,
    ids.map((id) => ({ type: 'bill.approval_reminder' as const, id })),
  )
  for (const { email, bills } of ids.length > 0 ? await listAwaited(ctx, ids) : [])
    await sendReminder(ctx, email, bills)
  return ids.length
}

async function sendReminder(ctx: Context, email: string, count: number): Promise<void> {
  const what = count === 1 ? 'A bill waits' : `${count} bills wait`
  await sendMail(ctx, {
    ...{ kind: 'notice', scope: 'bills', to: [email] },
    subject: `${what} for your approval`,
    text: `${what} for your approval for longer than your organization wants.\n\nThe console shows what waits for you on its first page.`,
  })
}
