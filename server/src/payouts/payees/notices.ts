import type { Context } from '../../context.ts'
import { sendMail } from '../../mail/send.ts'
import { listAdmins, listPeople } from './people-store.ts'

type Named = { id: string; name: string }

/** Tells the admins, other than who asked, that a change of where money goes waits for one of them. No mail holds bank details. */
export async function tellOfRequest(ctx: Context, payee: Named, requestedBy: string): Promise<void> {
  const to = (await listAdmins(ctx)).filter(({ id }) => id !== requestedBy).map(({ email }) => email)
  const text = `A change of where the money of ${payee.name} goes waits for a second person, and payments to it wait meanwhile.\n\nCheck it with the carrier, by a number that you know and not by one from the message that asked for the change. Then approve or reject it.`
  await tell(ctx, payee, to, `A change of the payee ${payee.name} waits for you`, text)
}

/** Tells who asked for the change and who decided what became of it. */
export async function tellOfDecision(ctx: Context, payee: Named, decision: 'approved' | 'rejected', people: readonly string[]): Promise<void> {
  const to = (await listPeople(ctx, people)).map(({ email }) => email)
  const text =
    decision === 'approved'
      ? `The change of where the money of ${payee.name} goes was approved. Payments go there from now on.`
      : `The change of where the money of ${payee.name} goes was rejected. Everything stays as it was.`
  await tell(ctx, payee, to, `The change of the payee ${payee.name} was ${decision}`, text)
}

async function tell(ctx: Context, { id }: Named, to: readonly string[], subject: string, text: string): Promise<void> {
  if (to.length > 0) await sendMail(ctx, { kind: 'notice', scope: 'bills', to, subject, text, record: { type: 'payee', id } })
}
