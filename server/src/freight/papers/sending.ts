import type { Kind } from '../../books/documents/model/kind/kind.ts'
import { readOrganization } from '../../books/organization/actions.ts'
import type { StatementQuery } from '../../books/party-statements/model.ts'
import { ofCustomers } from '../../books/party-statements/sides.ts'
import { statementOf } from '../../books/party-statements/statement.ts'
import type { Payment } from '../../books/payments/ledger/model.ts'
import { scopeOf } from '../../books/payments/payables.ts'
import type { Scope } from '../../platform/access/scopes.ts'
import type { Context } from '../../platform/context.ts'
import { conflict, quote } from '../../platform/core/refusal.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { fileNameOf, type Paper } from '../../platform/drawing/paper.ts'
import { renderPaper } from '../../platform/drawing/render.ts'
import { addressesIn, requireAddresses } from '../../platform/mail/addresses.ts'
import { type MailInput, type MailKind, type MailResult, mailedTo, notMailed } from '../../platform/mail/model.ts'
import { sendMail } from '../../platform/mail/send.ts'
import { documentPaper, parseAnswer } from './documents.ts'
import { remittancePaper } from './remittance.ts'
import { consolidatedBillPaper, partyStatementPaper } from './statements.ts'
import { findRemittanceAddress, findReplyTo, findSurroundings } from './store.ts'

type Json = Record<string, unknown>

/** Mails a document that was sent, in the transaction in which it was. */
export async function mailDocument(
  ctx: Context,
  kind: Kind,
  { json }: WireRecord,
  input: MailInput,
): Promise<MailResult> {
  const document = parseAnswer(kind, json)
  const scope = kind.access
    ? kind.access.scopes[document.document[kind.access.field] as string]
    : [kind.scope].flat()[0]
  return mailSent(ctx, document.document, input, { noun: kind.noun, scope: scope as Scope }, () =>
    documentPaper(ctx, kind, document),
  )
}

export async function mailConsolidatedBill(ctx: Context, { json }: WireRecord, input: MailInput): Promise<MailResult> {
  const { consolidated_bill } = JSON.parse(json)
  return mailSent(ctx, consolidated_bill, input, { noun: 'consolidated_bill', scope: 'consolidated_bills' }, () =>
    consolidatedBillPaper(ctx, json),
  )
}

/** Answers the id of the mail with the remittance advice, or the receipt. */
export async function mailPayment(ctx: Context, { json }: WireRecord, input: MailInput): Promise<string> {
  const payment = JSON.parse(json) as Payment
  if (payment.status === 'draft')
    throw conflict('not_issued', 'This payment is a draft, so there is nothing to advise of yet. Issue it first.')
  const to = await addressesOfPayment(ctx, payment, input)
  const record = { type: 'payment', id: payment.id }
  return mailPaper(ctx, await remittancePaper(ctx, json), { to, cc: requireAddresses(input.cc, 'cc') }, input, {
    kind: 'remittance',
    scope: scopeOf[payment.direction],
    record,
  })
}

/** Answers the id of the mail with what a customer owes. */
export async function mailStatement(
  ctx: Context,
  customer: { id: string; name: string },
  query: StatementQuery,
  input: MailInput,
): Promise<string> {
  const to = await addressesOf(ctx, input, customer.id)
  const paper = await partyStatementPaper(ctx, ofCustomers, await statementOf(ctx, ofCustomers, customer, query))
  const about = { kind: 'statement', scope: 'invoices', record: { type: 'customer', id: customer.id } } as const
  return mailPaper(ctx, paper, { to, cc: requireAddresses(input.cc, 'cc') }, input, about)
}

async function mailSent(
  ctx: Context,
  document: Json,
  input: MailInput,
  { noun, scope }: { noun: string; scope: Scope },
  paper: () => Promise<Paper>,
): Promise<MailResult> {
  const asked = requireAddresses(input.to, 'to')
  const to = asked.length > 0 ? asked : addressesIn(document.send_to_email as string | null)
  const cc =
    input.cc === undefined ? addressesIn(document.cc_to_email as string | null) : requireAddresses(input.cc, 'cc')
  if (to.length === 0) {
    if (await mustHaveAddress(ctx, input)) throw addressMissing(noun)
    return notMailed(whyNot(noun, document.send_to_email as string | null))
  }
  return mailedTo(
    to,
    await mailPaper(ctx, await paper(), { to, cc }, input, {
      kind: 'document',
      scope,
      record: { type: noun, id: document.id as string },
    }),
  )
}

function whyNot(noun: string, sendTo: string | null): string {
  const what = noun.replaceAll('_', ' ')
  const missing = sendTo?.trim()
    ? `its "send_to_email" is ${quote(sendTo)}, which is no e-mail address`
    : 'it has no "send_to_email"'
  return `No "to" was sent and ${missing}, so the ${what} was marked as sent and nobody was mailed. Send it again with "to" to mail it.`
}

/** Who writes a subject or a text wants a mail to go out, whatever the organization requires. */
async function mustHaveAddress(ctx: Context, { cc, subject, message }: MailInput): Promise<boolean> {
  if ([cc, subject, message].some((sent) => sent !== undefined)) return true
  return JSON.parse((await readOrganization(ctx)).json).require_send_address
}

type About = { kind: MailKind; scope: Scope; record: { type: string; id: string } }

async function mailPaper(
  ctx: Context,
  paper: Paper,
  { to, cc }: { to: string[]; cc: string[] },
  input: MailInput,
  about: About,
): Promise<string> {
  const name = [paper.title, paper.number].filter(Boolean).join(' ')
  return sendMail(ctx, {
    ...about,
    to,
    cc,
    reply_to: await findReplyTo(ctx),
    subject: input.subject ?? `${name} from ${paper.from.name}`,
    text: input.message ?? textOf(paper, name),
    attachments: [
      {
        file_name: fileNameOf(paper),
        media_type: 'application/pdf',
        content: await renderPaper(ctx.org, paper, { use: 'write' }),
      },
    ],
  })
}

function textOf({ from, totals, facts }: Paper, name: string): string {
  const total = totals.find(({ strong }) => strong)
  const due = facts.find(({ label }) => label === 'Due')
  const said = [
    `Please find attached: ${name}.`,
    total && `${total.label}: ${total.value}`,
    due && `Due: ${due.value}`,
  ].filter(Boolean)
  return `${said.join('\n')}\n\n${from.name}\n`
}

/** The payee's own address for it comes before that of the carrier: a factoring company that is paid in its place must know what for. */
async function addressesOfPayment(
  ctx: Context,
  { id, partner_carrier_id, customer_id }: Payment,
  input: MailInput,
): Promise<string[]> {
  const isAsked = requireAddresses(input.to, 'to').length > 0
  const address = partner_carrier_id && !isAsked ? await findRemittanceAddress(ctx, id, partner_carrier_id) : null
  return address ? [address] : addressesOf(ctx, input, partner_carrier_id ?? customer_id)
}

/** Where something is mailed that has no address of its own: as asked, or else to the address of the party. */
async function addressesOf(ctx: Context, { to }: MailInput, party: string | null): Promise<string[]> {
  const asked = requireAddresses(to, 'to')
  if (asked.length > 0) return asked
  const { objects } = await findSurroundings(ctx, [party])
  const found = addressesIn((party && (objects[party]?.json.email as string | null)) || null)
  if (found.length === 0) throw addressMissing('record')
  return found
}

function addressMissing(noun: string) {
  return conflict(
    'address_missing',
    `There is no address to mail this ${noun.replaceAll('_', ' ')} to. Send "to", or set one in the record.`,
  )
}
