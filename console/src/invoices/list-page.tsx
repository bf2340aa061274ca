import { DocumentsPage } from '../billing/documents/documents-page.tsx'
import { invoices } from './kind.ts'

export function ListPage() {
  return <DocumentsPage kind={invoices} />
}
