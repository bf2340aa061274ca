import { actorId } from '../../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { notFound } from '../../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../../platform/core/schema/revisions.ts'
import { newId, type PlainReference, sentAs } from '../../../platform/core/values/ids.ts'
import { record } from '../../../platform/events/record.ts'
import { requireNamed } from '../../../platform/files/actions.ts'
import { recordSecurity } from '../../../platform/security-log/record.ts'
import type { Vault } from '../../../platform/vault/vault.ts'
import {
  type BankDetails,
  type BankDetailsBody,
  isAsShown,
  maskedDetails,
  normalDetails,
  requireEnough,
} from '../../bank-details/model.ts'
import { type Content, contentOf, differences, fieldsOf, type NewPayee, type PayeeEdit, wholeChange } from './model.ts'
import { tellOfNewAddress, tellOfRequest } from './notices.ts'
import {
  changeWaits,
  deletePayee,
  findPayee,
  findWaitingChange,
  insertChange,
  insertPayee,
  type LockedPayee,
  lockPayee,
  savePayee,
} from './store.ts'

/** It waits for a second person before it is paid for the first time. */
export function createPayee(ctx: Context, vault: Vault, input: NewPayee): Promise<WireRecord & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const id = newId()
    const owner = { org: ctx.org, id }
    const details = input.bank_details ? normalDetails(input.bank_details as BankDetailsBody) : null
    const content = contentOf(null, input, details && maskedDetails(details))
    requireEnough(content.method, details)
    await requireNotice(ctx, null, content)
    const created_by = await actorId(ctx)
    const sealed = details && vault.seal(owner, details)
    const { external_id = null, partner_carrier_id = null } = input
    await insertPayee(ctx, {
      ...content,
      id,
      external_id,
      partner_carrier_id: partner_carrier_id?.toLowerCase() ?? null,
      created_by,
      sealed,
    })
    await insertChange(ctx, {
      id: newId(),
      payee_id: id,
      fields: fieldsOf(content, wholeChange(content)),
      previous: {},
      sealed,
      requested_by: created_by,
    })
    await recordPayee(ctx, 'created', id)
    await tellOfRequest(ctx, { ...content, id, status: 'waiting' }, created_by)
    return { id, ...(await recordPayee(ctx, 'change_requested', id)) }
  })
}

/** What says where money goes waits for a second person; the rest applies at once. */
export function updatePayee(
  ctx: Context,
  vault: Vault,
  reference: PlainReference,
  input: PayeeEdit,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lockExpected(ctx, reference, expected)
    const { content: next, sealed } = nextOf(ctx, vault, current, input)
    const { held, free } = differences(current, next)
    if (held.length === 0 && free.length === 0) return readBack(ctx, current.id)
    if (held.length > 0) {
      if (current.waiting_change) throw changeWaits()
      await requireNotice(ctx, current, next)
      const isNew = current.status === 'waiting'
      const fields = fieldsOf(next, isNew ? wholeChange(next, held) : held)
      const previous = isNew ? {} : fieldsOf(current, held)
      const change = { id: newId(), payee_id: current.id, fields, previous, requested_by: await actorId(ctx) }
      await insertChange(ctx, { ...change, sealed: 'bank_details' in fields ? sealed : null })
    }
    await savePayee(ctx, current.id, { ...current, ...fieldsOf(next, free) })
    if (held.length > 0) await tellOfRequest(ctx, current, await actorId(ctx))
    if (free.includes('remittance_email')) await tellOfNewAddress(ctx, current)
    const updated =
      free.length > 0 ? await recordPayee(ctx, 'updated', current.id, { previous: fieldsOf(current, free) }) : null
    return held.length > 0 ? recordPayee(ctx, 'change_requested', current.id) : (updated as WireRecord)
  })
}

/** Payments wait for the decision about a change, and would not without the payee. */
export function removePayee(ctx: Context, reference: PlainReference, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { id, waiting_change } = await lockExpected(ctx, reference, expected)
    if (waiting_change) throw changeWaits()
    await recordPayee(ctx, 'deleted', id)
    await deletePayee(ctx, id)
  })
}

export type RevealedBankDetails = { bank_details: BankDetails | null; waiting_bank_details: BankDetails | null }

/** Who has seen bank details is in the security log and in the history of the payee. */
export function revealPayee(ctx: Context, vault: Vault, reference: PlainReference): Promise<RevealedBankDetails> {
  return transaction(ctx, async (ctx) => {
    const { id, sealed, name } = await lockExpected(ctx, reference, null)
    const waiting = await findWaitingChange(ctx, id)
    const open = (text: string | null | undefined) =>
      text ? vault.open<BankDetails>({ org: ctx.org, id }, text) : null
    const revealed = { bank_details: open(sealed), waiting_bank_details: open(waiting?.sealed) }
    await recordSecurity(ctx, {
      type: 'payee.revealed',
      summary: `Looked at the bank details of the payee ${id} (${name}).`,
    })
    await recordPayee(ctx, 'revealed', id)
    return revealed
  })
}

export async function idOf(ctx: Context, reference: PlainReference): Promise<string> {
  const found = await findPayee(ctx, reference)
  if (!found) throw notFound('payee', sentAs(reference))
  return found.id
}

export async function lockExpected(
  ctx: Context,
  reference: PlainReference,
  expected: ExpectedRevision,
): Promise<LockedPayee> {
  const id = await idOf(ctx, reference)
  const locked = await lockPayee(ctx, id)
  if (!locked) throw notFound('payee', id)
  requireExpected(expected, locked.revision)
  return locked
}

type Noted = { previous?: Record<string, unknown>; change?: string }

/** Answers the payee as it is now. */
export async function recordPayee(
  ctx: Context,
  verb: string,
  id: string,
  { previous, change }: Noted = {},
): Promise<WireRecord> {
  const { revision, json } = await readBack(ctx, id)
  const data = change === undefined ? json : `${json.slice(0, -1)},"change":${change}}`
  await record(ctx, {
    type: `payee.${verb}`,
    subject: { type: 'payee', id },
    revision,
    data,
    ...(previous && { previous }),
  })
  return { revision, json }
}

export async function readBack(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findPayee(ctx, { by: 'id', id })
  if (!found) throw new Error(`payee ${id} is missing within its own transaction`)
  return { revision: found.revision, json: found.json }
}

/** A notice that is named anew is a document that is there. */
async function requireNotice(
  ctx: Context,
  current: Content | null,
  { notice_document_id: id }: Content,
): Promise<void> {
  if (id !== null && id !== current?.notice_document_id) await requireNamed(ctx, 'notice_document_id', id)
}

/** What a body comes to, with the bank details that go with it. Details that are sent again as they are, or as they are shown, change nothing. */
function nextOf(
  ctx: Context,
  vault: Vault,
  current: LockedPayee,
  input: PayeeEdit,
): { content: Content; sealed: string | null } {
  const owner = { org: ctx.org, id: current.id }
  const sent = input.bank_details as BankDetailsBody | null | undefined
  const own = current.sealed ? vault.open<BankDetails>(owner, current.sealed) : null
  const details =
    sent === undefined || (sent && isAsShown(sent, current.bank_details)) ? own : sent && normalDetails(sent)
  const same = JSON.stringify(details) === JSON.stringify(own)
  const content = contentOf(current, input, same ? current.bank_details : details && maskedDetails(details))
  requireEnough(content.method, details)
  return { content, sealed: same ? current.sealed : details && vault.seal(owner, details) }
}
