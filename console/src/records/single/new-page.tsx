import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Page } from '../../app/parts/page.tsx'
import { TableSkeleton } from '../../app/table/data-table.tsx'
import { fieldsFor, filledForIn } from '../form/fill.ts'
import { ObjectForm } from '../form/object-form.tsx'
import type { Fields, Kind } from '../kinds/kind.ts'
import { KindPage } from '../kinds/kind-page.tsx'
import { objectQuery, useCreateObject } from '../kinds/queries.ts'

export function NewPage() {
  return <KindPage>{(kind) => <New key={kind.objectKey} kind={kind} />}</KindPage>
}

/** The form starts with what is known from the object that the new one is for. */
function New({ kind }: { kind: Kind }) {
  const { for: what } = useSearch({ strict: false }) as { for?: string }
  const filledFor = filledForIn(kind, what)
  const { data, isPending } = useQuery({ ...objectQuery(filledFor?.id ?? ''), enabled: filledFor !== null })
  if (filledFor && isPending) {
    return (
      <Page title={`New ${kind.name.toLowerCase()}`} above={aboveOf(kind)}>
        <TableSkeleton rows={8} />
      </Page>
    )
  }
  return <NewForm kind={kind} {...(filledFor && { start: fieldsFor(kind, filledFor, data ?? null) })} />
}

function NewForm({ kind, start }: { kind: Kind; start?: Fields }) {
  const { objectKey, name } = kind
  const create = useCreateObject(objectKey)
  const navigate = useNavigate()
  const save = async (json: Fields) => {
    const created = await create.mutateAsync(json)
    // With an external id that exists already, the API changes that object and creates none.
    notifications.show({
      message:
        created.version === 1
          ? `${created.fullId} was created.`
          : `${created.fullId} already had this external id and was changed.`,
    })
    void navigate({ to: `/objects/${objectKey}/${created.id}`, ignoreBlocker: true })
    return created
  }
  return (
    <Page title={`New ${name.toLowerCase()}`} above={aboveOf(kind)}>
      <ObjectForm
        kind={kind}
        object={null}
        {...(start && { start })}
        submitLabel={`Create ${name.toLowerCase()}`}
        save={save}
        cancel={
          <Button variant="default" renderRoot={(props) => <Link to={`/objects/${objectKey}`} {...props} />}>
            Cancel
          </Button>
        }
      />
    </Page>
  )
}

function aboveOf({ plural, objectKey }: Kind) {
  return { label: plural, to: `/objects/${objectKey}` }
}
