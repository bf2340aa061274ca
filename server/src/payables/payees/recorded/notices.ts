import { approvingRoles } from '../../../platform/access/roles.ts'
import type { Context } from '../../../platform/context.ts'
import { sendMail } from '../../../platform/mail/send.ts'
import { listPeople, listWithRoles } from './people-store.ts'

type Named = { id: string; name: string }
/** `remittance_email` is the address from before the change, `status` that of the payee before it. */
type Changing = Named & { remittance_email: string | null; status: string }
type Decision = 'approved' | 'rejected'

/** Tells who may decide about a change of where money goes that it waits, who asked that they did, and the payee itself. No mail holds bank details. */
export async function tellOfRequest(ctx: Context, payee: Changing, requestedBy: string): Promise<void> {
  const able = (await listWithRoles(ctx, approvingRoles)).filter(({ id }) => id !== requestedBy)
  const toDecide = `A change of where the money of ${payee.name} goes waits for a second person, and payments to it wait meanwhile.\n\nCheck it with the carrier, by a number that you know and not by one from the message that asked for the change. Then approve or reject it.`
  await tell(ctx, payee, addressesOf(able), `A change of the payee ${payee.name} waits for you`, toDecide)
  const toAsker = `You asked for a change of where the money of ${payee.name} goes. It waits for a second person, and payments to it wait meanwhile.\n\nIf it was not you, tell an admin at once: somebody else uses your account.`
  await tell(
    ctx,
    payee,
    addressesOf(await listPeople(ctx, [requestedBy])),
    `You asked for a change of the payee ${payee.name}`,
    toAsker,
  )
  await tellPayee(
    ctx,
    payee,
    'A change of where your payments go was asked for',
    `We were asked to send payments for ${payee.name} elsewhere: to another account, address or recipient. Nothing changes before a second person here has checked it.`,
  )
}

/** Tells who asked for the change, who decided and all admins what became of it, and the payee. */
export async function tellOfDecision(
  ctx: Context,
  payee: Changing,
  decision: Decision,
  people: readonly string[],
): Promise<void> {
  const text =
    decision === 'approved'
      ? `The change of where the money of ${payee.name} goes was approved. Payments go there from now on.`
      : `The change of where the money of ${payee.name} goes was rejected. Everything stays as it was.`
  const told = [...(await listPeople(ctx, people)), ...(await listWithRoles(ctx, ['admin']))]
  await tell(ctx, payee, [...new Set(addressesOf(told))], `The change of the payee ${payee.name} was ${decision}`, text)
  const toPayee =
    decision === 'approved'
      ? `Payments for ${payee.name} go elsewhere from now on: to another account, address or recipient.`
      : `The change of where payments for ${payee.name} go was not made. They go where they went before.`
  await tellPayee(
    ctx,
    payee,
    decision === 'approved' ? 'Your payments go elsewhere from now on' : 'Your payments go where they went before',
    toPayee,
  )
}

/** Tells the address that remittance advices went to until now that they go elsewhere: otherwise whoever changed it would be the only one to hear of what follows. */
export async function tellOfNewAddress(ctx: Context, before: Changing): Promise<void> {
  await tellPayee(
    ctx,
    before,
    'Your remittance advices go elsewhere from now on',
    `Remittance advices of payments for ${before.name} go to another e-mail address from now on.`,
  )
}

/** A payee that was never approved has nobody to warn. */
async function tellPayee(ctx: Context, payee: Changing, subject: string, text: string): Promise<void> {
  if (payee.remittance_email === null || payee.status === 'waiting') return
  await tell(
    ctx,
    payee,
    [payee.remittance_email],
    subject,
    `${text}\n\nIf you did not ask for this, call us, by a number that you know and not by one from another message.`,
  )
}

async function tell(ctx: Context, { id }: Named, to: readonly string[], subject: string, text: string): Promise<void> {
  if (to.length > 0)
    await sendMail(ctx, { kind: 'notice', scope: 'bills', to, subject, text, record: { type: 'payee', id } })
}

function addressesOf(people: readonly { email: string }[]): string[] {
  return people.map(({ email }) => email)
}
