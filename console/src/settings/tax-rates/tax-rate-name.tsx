import { PlainName } from '../../app/resource/plain-name.tsx'
import { taxRateQueries } from './queries.ts'

export function TaxRateName({ id }: { id: string | null }) {
  return <PlainName id={id} query={taxRateQueries.one} what="tax rate" />
}
