import { Refusal } from '../../../platform/core/refusal.ts'
import { type OutlinedInterchange, outlineX12 } from '../../../platform/x12/outline.ts'
import { type Fault, faultsIn } from '../../../platform/x12/read.ts'
import { ediText, looksLikeX12 } from '../../../platform/x12/text.ts'
import { type EdiInvoice, readFreightInvoices } from './edi.ts'
import { type ReadMessage, readMessage } from './message.ts'

/** A text of EDI: what it holds, and its invoices, or null where it was refused for these faults. */
export type EdiText = {
  outline: readonly OutlinedInterchange[]
  invoices: readonly EdiInvoice[] | null
  faults: readonly Fault[]
}
/** A mail with the EDI in its attachments, and what of that could not be read. */
export type ReadMail = { message: ReadMessage; texts: EdiText[]; problems: string[] }

export async function readMail(bytes: Uint8Array): Promise<ReadMail> {
  const message = await readMessage(bytes)
  const problems: string[] = []
  return { message, texts: ediIn(message, problems), problems }
}

/** EDI that cannot be read is no reason to lose the mail. The same file may be attached twice. */
function ediIn({ attachments }: ReadMessage, problems: string[]): EdiText[] {
  const seen = new Set<string>()
  return attachments
    .filter(({ bytes }) => looksLikeX12(bytes))
    .flatMap(({ name, bytes }): EdiText[] => {
      const text = ediText(bytes)
      const outline = outlineX12(text)
      try {
        const invoices = readFreightInvoices(text).filter(({ source_key }) => !seen.has(source_key))
        for (const { source_key } of invoices) seen.add(source_key)
        return invoices.length > 0 ? [{ outline, invoices, faults: [] }] : []
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        problems.push(`The attachment ${name} could not be read as EDI. ${error.message}`)
        return [{ outline, invoices: null, faults: faultsIn(error) }]
      }
    })
}
