import { NewDocument } from '../../documents/page/new-document.tsx'
import { bills } from '../kind.ts'

export function NewPage() {
  return <NewDocument kind={bills} />
}
