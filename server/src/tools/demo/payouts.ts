import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setAccount } from '../../payables/accounts/actions.ts'
import { approveChange } from '../../payables/payees/changes.ts'
import { createPayee, updatePayee } from '../../payables/payees/recorded/actions.ts'
import type { NewPayee, Payee } from '../../payables/payees/recorded/model.ts'
import { approveRun, createRun } from '../../payables/payment-runs/actions.ts'
import { issueRun } from '../../payables/payment-runs/issuing.ts'
import { actingAs, type Context } from '../../platform/context.ts'
import { createDocument } from '../../platform/files/actions.ts'
import { uploadFolder } from '../../platform/files/contents/folders.ts'
import { receiveUpload } from '../../platform/files/contents/receive.ts'
import { openStorage } from '../../platform/files/storage/open.ts'
import { openVault, type Vault } from '../../platform/vault/vault.ts'
import type { Settings } from '../../settings.ts'
import type { Payee as Carrier } from './moving/freight.ts'
import { pdfOf } from './papers.ts'

const day = 86_400_000

/**
 * Where the carriers are paid, one of them through a factoring company and one with a change that waits; a run that is issued, and one that waits for
 * approval. An application asks for all of it and the admin approves, so that who tries the demo can decide what waits. The numbers are made
 * up: no bank has a routing number that begins with 99.
 */
export async function fillPayouts(
  ctx: Context,
  settings: Settings,
  client: string,
  carriers: readonly Carrier[],
): Promise<void> {
  // A server whose database is elsewhere may have no key to encrypt bank details with.
  if (settings.databaseUrl !== null && settings.bankDetailsKeys.length === 0) return
  const vault = openVault(settings)
  const asking = actingAs(ctx, { type: 'application', id: client })
  const { id: factor } = await makePayee(ctx, asking, vault, {
    name: 'Summit Freight Factoring',
    method: 'wire',
    bank_details: { bank_name: 'Example Bank of Denver', routing_number: '990071851', account_number: '8800412207' },
    remittance_email: 'remittances@summitfactoring.example',
  })
  const made: Payee[] = []
  for (const [index, carrier] of carriers.entries())
    made.push(await makePayee(ctx, asking, vault, payeeOf(carrier, index)))
  const [changing, , , assigned] = made as [Payee, Payee, Payee, Payee]
  const notice_document_id = await keepNotice(ctx, settings, carriers[3] as Carrier)
  await updateAndApprove(ctx, asking, vault, assigned.id, {
    factor_payee_id: factor,
    notice_of_assignment_on: dayIn(-40),
    notice_document_id,
  })
  await setAccount(ctx, vault, 'usd', paying, null)
  await payWhatIsDue(ctx, asking, carriers)
  await updatePayee(
    asking,
    vault,
    byId(changing.id),
    { bank_details: { ...detailsOf(0), account_number: '4471902856' } },
    null,
  )
  await createRun(asking, { due_until: dayIn(7), currency_id: 'usd', external_id: 'RUN-WEEK-2' })
}

const paying = {
  name: 'Blue Ridge Freight Brokers',
  company_id: '1234567890',
  bank_details: { bank_name: 'Example Bank of Asheville', routing_number: '990081980', account_number: '0004417782' },
}

const banks = ['990011073', '990021209', '990031338', '990041467', '990051596', '990061722'] as const

function detailsOf(index: number) {
  return {
    bank_name: `Example Bank ${index + 1}`,
    routing_number: banks[index % banks.length] as string,
    account_number: `000${610_204_118 + index * 7_341}`,
  }
}

/** One of them gets checks by post, and one gives something for being paid soon. */
function payeeOf({ id, company, contact, street, city, state, postal, domain }: Carrier, index: number): NewPayee {
  const address = {
    company_name: company,
    contact_name: contact,
    address_1: street,
    city,
    state,
    postal,
    country: 'US',
  }
  const said = {
    external_id: `PAYEE-${100 + index}`,
    partner_carrier_id: id,
    name: company,
    remittance_email: `remittance@${domain}`,
  }
  if (index === 4) return { ...said, method: 'check', address, remittance_email: null }
  return {
    ...said,
    method: 'ach',
    bank_details: detailsOf(index),
    ...(index === 5 && { quick_pay_days: 20, quick_pay_percent: '2' }),
  }
}

async function makePayee(ctx: Context, asking: Context, vault: Vault, payee: NewPayee): Promise<Payee> {
  const { json } = await createPayee(asking, vault, payee)
  return approveWaiting(ctx, json)
}

async function updateAndApprove(
  ctx: Context,
  asking: Context,
  vault: Vault,
  id: string,
  change: Partial<NewPayee>,
): Promise<void> {
  const { json } = await updatePayee(asking, vault, byId(id), change, null)
  await approveWaiting(ctx, json)
}

async function approveWaiting(ctx: Context, json: string): Promise<Payee> {
  const { id, waiting_change } = JSON.parse(json) as Payee
  const approved = await approveChange(
    ctx,
    byId(id),
    waiting_change?.id as string,
    { note: 'Called the number in our records.' },
    null,
  )
  return JSON.parse(approved.json)
}

/** What two carriers were owed until some days ago is paid. */
async function payWhatIsDue(ctx: Context, asking: Context, carriers: readonly Carrier[]): Promise<void> {
  const partner_carrier_ids = [carriers[1], carriers[4]].map((carrier) => carrier?.id as string)
  const { id } = await createRun(asking, {
    due_until: dayIn(-4),
    pay_on: dayIn(-3),
    currency_id: 'usd',
    partner_carrier_ids,
    external_id: 'RUN-WEEK-1',
  })
  await approveRun(ctx, byId(id), null)
  await issueRun(ctx, byId(id), null)
}

async function keepNotice(ctx: Context, settings: Settings, { id, company }: Carrier): Promise<string> {
  const bytes = pdfOf('Notice of assignment', [
    `${company} has assigned its accounts to`,
    'Summit Freight Factoring.',
    'Pay all invoices to the assignee alone.',
  ])
  const headers = { 'content-disposition': 'attachment; filename="notice-of-assignment.pdf"' }
  const upload = await receiveUpload(Readable.from([bytes]), headers, uploadFolder(settings))
  try {
    const attached_to = [{ type: 'partner_carrier', id }]
    return (await createDocument(ctx, openStorage(settings), upload, { document_type: 'other', attached_to })).id
  } finally {
    await rm(upload.path, { force: true })
  }
}

function byId(id: string) {
  return { by: 'id', id } as const
}

/** The day so many days from now. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * day).toISOString().slice(0, 10)
}
