import { NewDocument } from '../billing/documents/new-document.tsx'
import { invoices } from './kind.ts'

export function NewPage() {
  return <NewDocument kind={invoices} />
}
