import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link, useNavigate } from '@tanstack/react-router'
import { Page } from '../parts/page.tsx'
import type { Fields, Kind } from './kind.ts'
import { KindPage } from './kind-page.tsx'
import { ObjectForm } from './object-form.tsx'
import { useCreateObject } from './queries.ts'

export function NewPage() {
  return <KindPage>{(kind) => <New key={kind.objectKey} kind={kind} />}</KindPage>
}

function New({ kind }: { kind: Kind }) {
  const { objectKey, name, plural } = kind
  const create = useCreateObject(objectKey)
  const navigate = useNavigate()
  const save = async (json: Fields) => {
    const created = await create.mutateAsync(json)
    // With an external id that exists already, the API changes that object and creates none.
    notifications.show({
      message: created.version === 1 ? `${created.fullId} was created.` : `${created.fullId} already had this external id and was changed.`,
    })
    void navigate({ to: `/objects/${objectKey}/${created.id}`, ignoreBlocker: true })
    return created
  }
  return (
    <Page title={`New ${name.toLowerCase()}`} above={{ label: plural, to: `/objects/${objectKey}` }}>
      <ObjectForm
        kind={kind}
        object={null}
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
