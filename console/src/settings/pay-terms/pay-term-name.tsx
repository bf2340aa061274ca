import { PlainName } from '../../app/resource/plain-name.tsx'
import { payTermQuery } from './queries.ts'

export function PayTermName({ id }: { id: string | null }) {
  return <PlainName id={id} query={payTermQuery} what="pay term" />
}
