import { ImportDocuments } from '../../documents/import/import-documents.tsx'
import { bills } from '../kind.ts'

export function ImportPage() {
  return <ImportDocuments kind={bills} />
}
