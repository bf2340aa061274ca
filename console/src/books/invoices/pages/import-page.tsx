import { ImportDocuments } from '../../documents/import/import-documents.tsx'
import { invoices } from '../kind.ts'

export function ImportPage() {
  return <ImportDocuments kind={invoices} />
}
