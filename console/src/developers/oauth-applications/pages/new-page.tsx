import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Version } from '../../../app/editing/use-editing.ts'
import { ForAdmins } from '../../../app/parts/admins-only.tsx'
import { Page } from '../../../app/parts/page.tsx'
import type { Content } from '../application.ts'
import { ApplicationForm } from '../form/application-form.tsx'
import { useCreateApplication } from '../queries.ts'
import { SecretOnce } from './secret-once.tsx'

const base = '/settings/api/oauth-applications'
const blank: Version<Content> = {
  revision: 0,
  values: {
    ...{ name: '', type: 'confidential', redirect_uris: [''], scopes: [] },
    ...{ grant_types: ['authorization_code', 'refresh_token'], require_pkce: false, access: 'read_write' },
  },
}

export function NewPage() {
  const create = useCreateApplication()
  const navigate = useNavigate()
  const [made, setMade] = useState<{ id: string; client_id: string; client_secret: string } | null>(null)
  const show = (id: string) => void navigate({ to: `${base}/${id}`, ignoreBlocker: true })
  const save = async (_: unknown, __: number, content: Content) => {
    const { id, client_id, client_secret } = await create.mutateAsync(content)
    if (client_secret === null) show(id)
    else setMade({ id, client_id, client_secret })
    return undefined
  }
  return (
    <ForAdmins>
      <Page title="New application" above={{ label: 'OAuth applications', to: base }}>
        <ApplicationForm
          start={blank}
          load={async () => blank}
          submitLabel="Create application"
          save={save}
          cancel={
            <Button variant="default" renderRoot={(props) => <Link to={base} {...props} />}>
              Cancel
            </Button>
          }
        />
        {made && <SecretOnce secret={made} done={() => show(made.id)} />}
      </Page>
    </ForAdmins>
  )
}
