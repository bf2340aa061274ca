import type { IncomingMessage } from 'node:http'
import { preferredOf } from '../../platform/http/answers/media.ts'

/** Records that have a paper, by their paths; what a customer owes is asked for with parameters. */
const withPaper =
  /^(\/api\/v1\/(?:(?:bills|invoices|credits|consolidated_bills|payments|manifests|orders)\/[^/?]+|customers\/[^/?]+\/statement))(\?.*)?$/

/** The path that answers a request: whoever asks for a record and likes a PDF best gets its paper. */
export function paperPath({
  url = '/',
  method,
  headers: { accept },
}: Pick<IncomingMessage, 'url' | 'method' | 'headers'>): string {
  if (!accept?.includes('application/pdf') || (method !== 'GET' && method !== 'HEAD')) return url
  const [, record, query = ''] = withPaper.exec(url) ?? []
  if (!record || preferredOf(accept, ['application/json', 'text/csv', 'application/pdf']) !== 'application/pdf')
    return url
  return `${record}/pdf${query}`
}
