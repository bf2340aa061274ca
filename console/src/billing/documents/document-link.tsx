import { useQuery } from '@tanstack/react-query'
import { type DocumentKind, nameIn, pathOf } from './kind.ts'
import { documentQuery } from './queries.ts'
import { NumberLink } from './shown.tsx'

/** A link to a document of which only the id is known, by its number. */
export function DocumentLink({ kind, id }: { kind: DocumentKind; id: string }) {
  const { data } = useQuery(documentQuery(kind, id))
  return <NumberLink to={`${pathOf(kind)}/${id}`}>{data ? nameIn(kind, data.document) : '…'}</NumberLink>
}
