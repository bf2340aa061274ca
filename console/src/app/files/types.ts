import type { Schemas } from '@lading/sdk'

export type DocumentFile = Schemas['Document']
export type DocumentType = DocumentFile['document_type']

export const documentTypeWords: Record<DocumentType, string> = {
  invoice: 'Invoice',
  pod: 'Proof of delivery',
  bol: 'Bill of lading',
  rate_confirmation: 'Rate confirmation',
  lumper_receipt: 'Lumper receipt',
  customs: 'Customs document',
  other: 'Other',
}

export const documentTypeChoices = Object.entries(documentTypeWords).map(([value, label]) => ({ value, label }))

export const largestFile = 25 * 2 ** 20

/** What people call such files. Whoever drops one can correct it. */
const names: readonly [DocumentType, RegExp][] = [
  ['pod', /\bpod\b|deliver/],
  ['bol', /\bbol\b|lading/],
  ['rate_confirmation', /rate.?con/],
  ['lumper_receipt', /lumper/],
  ['customs', /customs|\b(?:paps|pars|aci|ace)\b/],
  ['invoice', /\binv/],
]

export function typeFor(fileName: string): DocumentType {
  const plain = fileName.toLowerCase().replace(/[_-]+/g, ' ')
  return names.find(([, pattern]) => pattern.test(plain))?.[0] ?? 'other'
}

/** How a file can be looked at here; null for one that can only be downloaded. */
export function viewOf({ media_type }: Pick<DocumentFile, 'media_type'>): 'pdf' | 'picture' | null {
  if (media_type === 'application/pdf') return 'pdf'
  return /^image\/(?:png|jpeg|gif|webp)$/.test(media_type) ? 'picture' : null
}

export function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 2 ** 20) return `${Math.ceil(bytes / 1024)} KB`
  return bytes < 2 ** 30 ? `${(bytes / 2 ** 20).toFixed(1)} MB` : `${(bytes / 2 ** 30).toFixed(1)} GB`
}
