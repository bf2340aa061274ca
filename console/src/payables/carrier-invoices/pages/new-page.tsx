import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { viewOf } from '../../../app/files/types.ts'
import { Failed } from '../../../app/parts/failed.tsx'
import { Page } from '../../../app/parts/page.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { TableSkeleton } from '../../../app/table/data-table.tsx'
import { inboxPath, invoicePath } from '../paths.ts'
import { sourceDocumentQuery } from '../queries.ts'
import { Halves } from '../record/invoice-record.tsx'
import { InvoiceForm } from './invoice-form.tsx'

const DocumentView = lazy(() =>
  import('../../../app/files/preview.tsx').then(({ DocumentView }) => ({ default: DocumentView })),
)

/** A new invoice of a carrier; where it is read from a file, next to that file. */
export function NewPage() {
  const { document: documentId = '' } = useSearch({ strict: false }) as { document?: string }
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(sourceDocumentQuery(documentId))
  const document = documentId ? (data ?? null) : null
  const saved = (id: string) => {
    notifications.show({ message: 'The carrier invoice is saved.' })
    void navigate({ to: invoicePath(id), ignoreBlocker: true })
  }
  const isWaiting = documentId !== '' && !data && !error
  const form = (
    <Panel title="Invoice">
      {isWaiting ? (
        <TableSkeleton />
      ) : (
        <InvoiceForm invoice={null} document={document} saved={saved} cancel={() => void navigate({ to: inboxPath })} />
      )}
    </Panel>
  )
  return (
    <Page
      title="New carrier invoice"
      above={{ label: 'Inbox', to: inboxPath }}
      lead="What a carrier asks for, as it stands on its invoice. It is audited when it is saved."
    >
      {error && <Failed error={error} what="the document" retry={() => void refetch()} />}
      {document && viewOf(document) ? (
        <Halves
          documents={
            <Panel title={document.file_name}>
              <Suspense>
                <DocumentView document={document} />
              </Suspense>
            </Panel>
          }
        >
          {form}
        </Halves>
      ) : (
        form
      )}
    </Page>
  )
}
