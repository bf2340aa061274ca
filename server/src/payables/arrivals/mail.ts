import { createHash } from 'node:crypto'
import { minorUnits } from '../../books/currencies/known.ts'
import type { Context } from '../../platform/context.ts'
import { Refusal } from '../../platform/core/refusal.ts'
import { runInThread } from '../../platform/core/turns/apart.ts'
import { requireStorable } from '../../platform/core/values/storable.ts'
import { faultsIn } from '../../platform/x12/read.ts'
import { ediText, looksLikeX12 } from '../../platform/x12/text.ts'
import { createInvoices, findArrived } from '../carrier-invoices/received/creating.ts'
import type { ArrivedInvoice } from '../carrier-invoices/received/model.ts'
import {
  type ArrivedFile,
  attachFiles,
  checkFile,
  type FileStore,
  keepFiles,
  removeFiles,
  type TakenFile,
} from './files.ts'
import { acknowledgeAgain, keepInterchanges, type Source } from './interchanges.ts'
import { carriersByEmail } from './reading/carriers.ts'
import { findHomeCurrency } from './reading/carriers-store.ts'
import { arrivedByEdi } from './reading/edi.ts'
import { freightInvoicesApart, outlineApart } from './reading/edi-apart.ts'
import { readMailContent } from './reading/mail-content.ts'
import type { ReadMessage } from './reading/message.ts'
import { type EdiText, readMail } from './reading/read-mail.ts'

/** What came of a message: the ids of its invoices, and whether they were there before. */
export type ReceivedMail = { ids: string[]; isNew: boolean }

/** Always: how long the library takes that reads mails is not for us to say. */
const readApart = runInThread(new URL('./reading/read-mail.ts', import.meta.url).href, readMail, { small: 0 })
const contentApart = runInThread(new URL('./reading/mail-content.ts', import.meta.url).href, readMailContent)

/** The same message makes its invoices once, however often and by whichever way it comes. */
export async function receiveMail(ctx: Context, keeping: FileStore, bytes: Buffer): Promise<ReceivedMail> {
  const { message, texts, problems } = await readApart(ctx.org, bytes)
  const source_key = `mail:${createHash('sha256').update(bytes).digest('hex')}`
  const edi = texts.flatMap(({ invoices }) => invoices ?? [])
  // Also where some of its EDI could not be read: somebody has to see that.
  const isInvoice = edi.length === 0 || problems.length > 0
  return receive(ctx, keeping, {
    ...{ source: 'email', texts },
    keys: [...edi.map((one) => one.source_key), ...(isInvoice ? [source_key] : [])],
    files: (taken) => takeAll(keeping, filesOf(message, bytes), taken, problems),
    invoices: async () => [
      ...(await arrivedByEdi(ctx, edi)),
      ...(isInvoice ? [await arrivedByMail(ctx, message, source_key, problems)] : []),
    ],
  })
}

/** A file of EDI, which is kept with its invoices. */
export async function receiveEdi(ctx: Context, keeping: FileStore, name: string, bytes: Buffer): Promise<ReceivedMail> {
  const text = ediText(bytes)
  const outline = await outlineApart(ctx.org, text)
  try {
    const edi = await freightInvoicesApart(ctx.org, text)
    return await receive(ctx, keeping, {
      ...{ source: 'directory', texts: [{ outline, invoices: edi, faults: [] }] },
      keys: edi.map(({ source_key }) => source_key),
      files: async (taken) => void taken.push(await checkFile(keeping, { name, bytes, documentType: 'invoice' })),
      invoices: () => arrivedByEdi(ctx, edi),
    })
  } catch (error) {
    const faults = faultsIn(error)
    if (faults.length > 0) await keepInterchanges(ctx, outline, { source: 'directory', faults, made: null })
    throw error
  }
}

type Arrival = {
  source: Source
  texts: readonly EdiText[]
  keys: readonly string[]
  files(taken: TakenFile[]): Promise<void>
  invoices(): Promise<ArrivedInvoice[]>
}

async function receive(
  ctx: Context,
  keeping: FileStore,
  { source, texts, keys, files, invoices }: Arrival,
): Promise<ReceivedMail> {
  const before = await findArrived(ctx, keys)
  if (before.length > 0) {
    for (const { outline } of texts) await acknowledgeAgain(ctx, outline)
    return { ids: before, isNew: false }
  }
  const taken: TakenFile[] = []
  try {
    await files(taken)
    const arrived = await invoices()
    requireStorable(arrived)
    await keepFiles(ctx, keeping, taken)
    const ids = await createInvoices(ctx, arrived, async (ctx, ids) => {
      await attachFiles(ctx, keeping.storage, taken, ids)
      const made = ids.map((id, index) => ({ id, source_key: arrived[index]?.source_key ?? null }))
      for (const { outline, invoices, faults } of texts)
        await keepInterchanges(ctx, outline, {
          source,
          faults: invoices ? invoices.flatMap(({ noted }) => noted) : faults,
          made: invoices && made,
        })
    })
    return { ids, isNew: true }
  } catch (error) {
    // Another process was quicker with the same message.
    const ids = error instanceof Refusal && error.code === 'arrived_before' ? await findArrived(ctx, keys) : []
    if (ids.length === 0) throw error
    return { ids, isNew: false }
  } finally {
    await removeFiles(taken)
  }
}

function filesOf({ attachments }: ReadMessage, message: Buffer): ArrivedFile[] {
  const isInvoice = (name: string, type: string, bytes: Uint8Array) =>
    type === 'application/pdf' ||
    type.startsWith('image/') ||
    /\.(?:pdf|png|jpe?g|tiff?|heic|webp|gif)$/i.test(name) ||
    looksLikeX12(bytes)
  return [
    ...attachments.map(
      ({ name, type, bytes }): ArrivedFile => ({
        name,
        bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        documentType: isInvoice(name, type, bytes) ? 'invoice' : 'other',
      }),
    ),
    { name: 'mail.eml', bytes: message, documentType: 'other' },
  ]
}

/** What is of a type that is not kept is in the mail, which is. */
async function takeAll(
  keeping: FileStore,
  files: readonly ArrivedFile[],
  taken: TakenFile[],
  problems: string[],
): Promise<void> {
  for (const file of files) {
    try {
      taken.push(await checkFile(keeping, file))
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
      problems.push(`${file.name} was not kept as a document. ${error.message}`)
    }
  }
}

/** An amount is never guessed: what the mail does not say beyond doubt is entered by a person, who sees the documents. */
async function arrivedByMail(
  ctx: Context,
  message: ReadMessage,
  source_key: string,
  problems: readonly string[],
): Promise<ArrivedInvoice> {
  const units = await minorUnits(ctx)
  const found = (await carriersByEmail(ctx, message.from === null ? [] : [message.from]))(message.from)
  const [carrier] = found.length === 1 ? found : []
  const content = await contentApart(ctx.org, message.subject, message.text, {
    units,
    currency: carrier?.currency ?? null,
  })
  const { number, reference, date, total } = content
  const known = [total?.currency, carrier?.currency, await findHomeCurrency(ctx)].find((one) => one && units.has(one))
  return {
    partner_carrier_id: carrier?.id ?? null,
    invoice_number: number ?? placeholderOf(message, source_key),
    invoice_date: date,
    currency_id: known ?? 'usd',
    reference_number: reference,
    total_amount: total?.amount ?? 0,
    missing_fields: [
      ...(number === null ? (['invoice_number'] as const) : []),
      ...(total === null ? (['total_amount'] as const) : []),
    ],
    notes: notesOf(message, problems),
    source: 'email',
    source_key,
  }
}

/** Something by which a person finds the mail again. */
function placeholderOf({ subject, messageId }: ReadMessage, source_key: string): string {
  return [...(subject || messageId || source_key)].slice(0, 120).join('').slice(0, 255)
}

function notesOf({ sender, subject }: ReadMessage, problems: readonly string[]): string {
  const lines = [`From: ${sender ?? 'nobody'}`, `Subject: ${subject || 'none'}`, ...problems]
  return lines.join('\n').slice(0, 10_000).toWellFormed()
}
