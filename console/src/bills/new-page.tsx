import { NewDocument } from '../billing/documents/new-document.tsx'
import { bills } from './kind.ts'

export function NewPage() {
  return <NewDocument kind={bills} />
}
