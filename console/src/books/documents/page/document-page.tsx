import { Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { DocumentsPanel } from '../../../app/files/documents-panel.tsx'
import { MailsPanel } from '../../../app/mail/mails-panel.tsx'
import { PdfButton } from '../../../app/mail/pdf-button.tsx'
import { Page } from '../../../app/parts/page.tsx'
import { RecordPage } from '../../../app/parts/record-page.tsx'
import type { Document, Item } from '../document.ts'
import { type DocumentKind, nameIn, pathOf, wordOf } from '../kind.ts'
import { LinesPanel } from '../lines/lines-panel.tsx'
import { Moves } from '../moves/moves.tsx'
import { documentQuery, historyQuery, useMoveDocument, useUpdateDocument, type WholeDocument } from '../queries.ts'
import { DetailsPanel, Summary } from '../shown/details.tsx'
import { History } from '../shown/history.tsx'
import { StateOf } from '../shown/shown.tsx'
import { EditForm } from './edit-form.tsx'
import { PaymentsPanel } from './payments-panel.tsx'

type DocumentPageProps<D extends Document> = {
  kind: DocumentKind<D>
  /** Below the title, after the state: the party, and links to what the document belongs to. */
  lead: (document: D, items: readonly Item[]) => ReactNode
  /** Further buttons, before those that change the state. */
  actions?: (document: D) => ReactNode
  /** What is to be known before anything is done, above all else. */
  notice?: (document: D) => ReactNode
}

/** The page of one document: its state and what can be done, its lines, details and history. */
export function DocumentPage<D extends Document>({ kind, ...parts }: DocumentPageProps<D>) {
  const { documentId = '' } = useParams({ strict: false }) as { documentId?: string }
  return (
    <RecordPage title={wordOf(kind)} above={aboveOf(kind)} query={documentQuery(kind, documentId)}>
      {(whole) => <Known key={documentId} kind={kind} {...parts} {...whole} />}
    </RecordPage>
  )
}

function Known<D extends Document>({
  kind,
  lead,
  actions,
  notice,
  document,
  items,
  currency,
}: DocumentPageProps<D> & WholeDocument<D>) {
  const [editing, setEditing] = useState(false)
  const load = useLoad(kind, document.id)
  const { mutateAsync: update } = useUpdateDocument(kind, document.id)
  const { fields } = kind.list
  const done = () => setEditing(false)
  return (
    <Page
      sticky
      title={nameIn(kind, document)}
      above={aboveOf(kind)}
      actions={
        <>
          {actions?.(document)}
          <PdfButton pdf={pdfOf(kind, document)} name={nameIn(kind, document)} />
          <Actions kind={kind} document={document} />
        </>
      }
      lead={
        <Group gap="sm">
          <StateOf kind={kind} document={document} />
          {lead(document, items)}
        </Group>
      }
    >
      {notice?.(document)}
      <Summary fields={fields} record={document} />
      <LinesPanel kind={kind} document={document} items={items} currency={currency} />
      <DocumentsPanel record={{ type: kind.key, id: document.id }} />
      {document.status_id !== 'draft' && <PaymentsPanel kind={kind} document={document} />}
      {editing ? (
        <EditForm
          what={kind.one}
          fields={fields}
          record={document}
          hasLines={items.length > 0}
          load={load}
          update={update}
          done={done}
        />
      ) : (
        <DetailsPanel fields={fields} record={document} edit={() => setEditing(true)} />
      )}
      <MailsPanel type={kind.key} id={document.id} />
      <History fields={fields} query={(limit) => historyQuery(kind, document.id, limit)} />
    </Page>
  )
}

function useLoad<D extends Document>(kind: DocumentKind<D>, id: string): () => Promise<D> {
  const queryClient = useQueryClient()
  return async () => (await queryClient.fetchQuery({ ...documentQuery(kind, id), staleTime: 0 })).document
}

function Actions<D extends Document>({ kind, document }: { kind: DocumentKind<D>; document: D }) {
  const navigate = useNavigate()
  const run = useMoveDocument(kind, document, (id) => navigate({ to: id ? `${pathOf(kind)}/${id}` : pathOf(kind) }))
  return (
    <Moves
      what={kind.one}
      name={nameIn(kind, document)}
      record={document}
      pdf={pdfOf(kind, document)}
      run={run}
      load={useLoad(kind, document.id)}
    />
  )
}

function pdfOf({ resource }: DocumentKind, { id, revision }: Document) {
  return { path: `${resource}/${id}`, revision }
}

function aboveOf(kind: DocumentKind) {
  return { label: kind.title, to: pathOf(kind) }
}
