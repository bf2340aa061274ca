import { NewDocument } from '../../documents/page/new-document.tsx'
import { invoices } from '../kind.ts'

export function NewPage() {
  return <NewDocument kind={invoices} />
}
