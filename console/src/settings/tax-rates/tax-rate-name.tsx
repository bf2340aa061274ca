import { useQuery } from '@tanstack/react-query'
import { LoadingText } from '../../app/parts/loading-text.tsx'
import { taxRateQuery } from './queries.ts'

export function TaxRateName({ id }: { id: string | null }) {
  const { data, error } = useQuery({ ...taxRateQuery(id ?? ''), enabled: id !== null })
  if (id === null) return '–'
  return data?.name ?? (error ? 'a deleted tax rate' : <LoadingText />)
}
