import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LoadingText } from '../../app/parts/loading-text.tsx'
import { nameQuery } from './names.ts'

type ObjectNameProps = { objectKey: string; id: string }

/** What an object is called; its id where none with that id is kept here. */
export function ObjectName({ objectKey, id }: ObjectNameProps) {
  const { data, isPending } = useQuery(nameQuery(objectKey, id))
  return data?.name ?? (isPending ? <LoadingText /> : id)
}

/** The name, which leads to the page of the object. An id of nothing leads nowhere. Among other words the link is underlined, because its colour alone does not tell it apart. */
export function NamedObjectLink({ objectKey, id, inText = false }: ObjectNameProps & { inText?: boolean }) {
  const { data } = useQuery(nameQuery(objectKey, id))
  if (!data) return <ObjectName objectKey={objectKey} id={id} />
  return (
    <Anchor
      size="sm"
      underline={inText ? 'always' : 'hover'}
      renderRoot={(props) => <Link to={`/objects/${objectKey}/${id}`} {...props} />}
    >
      {data.name}
    </Anchor>
  )
}
