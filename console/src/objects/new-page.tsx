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
    const made = await create.mutateAsync(json)
    // An external id that is in use makes no second object.
    notifications.show({ message: made.version === 1 ? `${made.fullId} is made.` : `${made.fullId} had this external id already, and was changed.` })
    void navigate({ to: `/objects/${objectKey}/${made.id}` })
    return made
  }
  return (
    <Page title={`New ${name.toLowerCase()}`} above={{ label: plural, to: `/objects/${objectKey}` }}>
      <ObjectForm
        kind={kind}
        object={null}
        submitLabel={`Create ${name.toLowerCase()}`}
        save={save}
        others={
          <Button variant="default" renderRoot={(props) => <Link to={`/objects/${objectKey}`} {...props} />}>
            Cancel
          </Button>
        }
      />
    </Page>
  )
}
