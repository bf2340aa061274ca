import { useQuery } from '@tanstack/react-query'
import { LoadingText } from '../../app/parts/loading-text.tsx'
import { payTermQuery } from './queries.ts'

/** A history may name a pay term that was deleted since. */
export function PayTermName({ id }: { id: string | null }) {
  const { data, error } = useQuery({ ...payTermQuery(id ?? ''), enabled: id !== null })
  if (id === null) return '–'
  return data?.name ?? (error ? 'a deleted pay term' : <LoadingText />)
}
