import { runInThread } from '../../../platform/core/turns/apart.ts'
import { outlineX12 } from '../../../platform/x12/outline.ts'
import { readFreightInvoices } from './edi.ts'

/** The readers of EDI, in a thread where a file is not small. */
export const freightInvoicesApart = runInThread(new URL('./edi.ts', import.meta.url).href, readFreightInvoices)
export const outlineApart = runInThread(new URL('../../../platform/x12/outline.ts', import.meta.url).href, outlineX12)
