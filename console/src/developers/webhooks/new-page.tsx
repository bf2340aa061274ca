import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Version } from '../../app/editing/use-editing.ts'
import { ForAdmins } from '../../app/parts/admins-only.tsx'
import { Page } from '../../app/parts/page.tsx'
import { webhooksPath } from '../paths.ts'
import { type Content, useCreateWebhook } from './queries.ts'
import { WebhookSecret } from './secret.tsx'
import { WebhookForm } from './webhook-form.tsx'

const blank: Version<Content> = { revision: 0, values: { url: '', description: '', event_types: ['*'] } }

export function NewPage() {
  const create = useCreateWebhook()
  const navigate = useNavigate()
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null)
  const show = (id: string) => void navigate({ to: `${webhooksPath}/${id}`, ignoreBlocker: true })
  const save = async (_: unknown, __: number, content: Content) => {
    const { id, secret } = await create.mutateAsync(content)
    if (secret === null) show(id)
    else setMade({ id, secret })
    return undefined
  }
  return (
    <ForAdmins>
      <Page title="New webhook" above={{ label: 'Webhooks', to: webhooksPath }}>
        <WebhookForm
          start={blank}
          load={async () => blank}
          submitLabel="Create webhook"
          save={save}
          cancel={
            <Button variant="default" renderRoot={(props) => <Link to={webhooksPath} {...props} />}>
              Cancel
            </Button>
          }
        />
        {made && <WebhookSecret secret={made.secret} done={() => show(made.id)} />}
      </Page>
    </ForAdmins>
  )
}
