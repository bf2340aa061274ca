import { actorId } from '../../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { conflict, notFound } from '../../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../../platform/core/schema/revisions.ts'
import { isId, newId } from '../../../platform/core/values/ids.ts'
import { record } from '../../../platform/events/record.ts'
import { type PortalUrl, tellOfAnswer } from '../notices/mails.ts'
import type { BillQuestion } from './model.ts'
import { findName, findQuestion, insertMessage, lockQuestion, lockThread, type NewMessage, saveState } from './store.ts'

/** Every event of a thread has all of it. A carrier, or whoever has its link, takes half of the room at most: who is asked can still answer. */
const mostMessages = { partner: 100, organization: 200 }

/** A carrier asks about a bill of its own, which the caller has looked up. All that it asks about one bill is one thread. */
export function askAboutBill(
  ctx: Context,
  { bill, carrier, author_name, text }: { bill: string; carrier: string; author_name: string; text: string },
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const { id, isNew } = await lockThread(ctx, newId(), bill, carrier)
    await addMessage(ctx, id, { side: 'partner', author_id: await actorId(ctx), author_name, text })
    await saveState(ctx, id, 'open', { said: true, isNew })
    return recordQuestion(ctx, isNew ? 'created' : 'asked', id)
  })
}

export function answerQuestion(
  ctx: Context,
  id: string,
  text: string,
  expected: ExpectedRevision,
  portal: PortalUrl,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const { state, bill_id, partner_carrier_id } = await lock(ctx, id, expected)
    const { type, id: actor } = ctx.actor
    const author_name = (type === 'user' && isId(actor) && (await findName(ctx, actor))) || 'An application'
    await addMessage(ctx, id, { side: 'organization', author_id: await actorId(ctx), author_name, text })
    await saveState(ctx, id, 'answered', { said: true })
    await tellOfAnswer(ctx, portal, { id, bill_id, partner_carrier_id, text })
    return recordQuestion(ctx, 'answered', id, { state })
  })
}

/** Nothing is left to answer. The carrier can still ask on. */
export function closeQuestion(ctx: Context, id: string, expected: ExpectedRevision): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const { state } = await lock(ctx, id, expected)
    if (state === 'closed') return readBack(ctx, id)
    await saveState(ctx, id, 'closed', { said: false })
    return recordQuestion(ctx, 'closed', id, { state })
  })
}

async function addMessage(ctx: Context, id: string, message: NewMessage): Promise<void> {
  const most = mostMessages[message.side]
  if ((await insertMessage(ctx, id, message)) > most)
    throw conflict(
      'thread_is_full',
      `There are ${most} messages or more about this bill, and no more are taken here. Write a mail, or call.`,
    )
}

async function lock(ctx: Context, id: string, expected: ExpectedRevision): Promise<BillQuestion> {
  const question = await lockQuestion(ctx, id)
  if (!question) throw notFound('question', id)
  requireExpected(expected, question.revision)
  return question
}

async function recordQuestion(
  ctx: Context,
  verb: string,
  id: string,
  previous?: Record<string, unknown>,
): Promise<WireRecord> {
  const { revision, json } = await readBack(ctx, id)
  await record(ctx, {
    type: `bill_question.${verb}`,
    subject: { type: 'bill_question', id },
    revision,
    data: json,
    ...(previous && { previous }),
  })
  return { revision, json }
}

async function readBack(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findQuestion(ctx, id)
  if (!found) throw new Error(`question ${id} is missing within its own transaction`)
  return found
}
