import { useQuery } from '@tanstack/react-query'
import { LoadingText } from '../../../app/parts/loading-text.tsx'
import { type DocumentKind, nameIn, pathOf } from '../kind.ts'
import { documentQuery } from '../queries.ts'
import { NumberLink } from './shown.tsx'

/** A link to a document of which only the id is known, by its number. */
export function DocumentLink({ kind, id }: { kind: DocumentKind; id: string }) {
  const { data, error } = useQuery(documentQuery(kind, id))
  const name = data ? nameIn(kind, data.document) : error ? `a deleted ${kind.one}` : <LoadingText />
  return <NumberLink to={`${pathOf(kind)}/${id}`}>{name}</NumberLink>
}
