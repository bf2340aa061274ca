import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { nameQuery } from '../../../records/kinds/names.ts'

/** A link to an object that a document is about, by its number. It may be kept elsewhere; then there is nothing to open. */
export function NumberedLink({ label, objectKey, id }: { label: string; objectKey: string; id: string }) {
  const { data } = useQuery(nameQuery(objectKey, id))
  if (!data) return null
  return (
    <span>
      {label}{' '}
      <Anchor
        size="sm"
        underline="always"
        renderRoot={(props) => <Link to={`/objects/${objectKey}/${id}`} {...props} />}
      >
        {data.fullId}
      </Anchor>
    </span>
  )
}
