import { ActionIcon, Anchor, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '../api/me.ts'
import { wordsFor } from '../api/problem.ts'
import { ConfirmDialog } from '../editing/confirm-dialog.tsx'
import { IconDownload, IconRefresh, IconTrash, IconUpload, IconX } from '../icons/icons.ts'
import { Select } from '../inputs/select.tsx'
import { Failed } from '../parts/failed.tsx'
import { Panel } from '../parts/panel.tsx'
import { When } from '../parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../table/data-table.tsx'
import { RowAction } from '../table/row-action.tsx'
import { saveFile } from '../values/save-file.ts'
import { DropZone } from './drop-zone.tsx'
import { contentQuery, documentsQuery, most, type RecordName, useRemoveDocument, useRetype } from './queries.ts'
import {
  type DocumentFile,
  type DocumentType,
  documentTypeChoices,
  documentTypeWords,
  sizeOf,
  viewOf,
} from './types.ts'
import { type FileUpload, useUploads } from './use-uploads.ts'

const Preview = lazy(() => import('./preview.tsx').then(({ Preview }) => ({ default: Preview })))

/** The files of a record: dropped or chosen here, shown next to it, downloaded and removed. `narrow`: there is no room for all columns. */
export function DocumentsPanel({ record, narrow = false }: { record: RecordName; narrow?: boolean }) {
  const { may } = useMe()
  const { data, error, refetch } = useQuery(documentsQuery(record))
  const { sending, add, retry, dismiss } = useUploads(record)
  const [shownId, setShown] = useState<string | null>(null)
  const [removing, setRemoving] = useState<DocumentFile | null>(null)
  const canChange = may('enter')
  const all = useColumns({ canChange, show: setShown, remove: setRemoving })
  const columns = narrow ? all.filter(({ label }) => label !== 'Size' && label !== 'Added') : all
  const documents = data?.documents ?? []
  const shown = documents.find(({ id }) => id === shownId)
  return (
    <DropZone enabled={canChange} onFiles={(files) => void add(files)}>
      <Panel title="Documents" actions={canChange && <AddButton onFiles={(files) => void add(files)} />}>
        {error && <Failed error={error} what="the documents" retry={() => void refetch()} />}
        {!data && !error && <TableSkeleton rows={1} />}
        {documents.length > 0 && (
          <DataTable label="Documents" columns={columns} rows={documents} keyOf={({ id }) => id} />
        )}
        {data?.total === 0 && sending.length === 0 && (
          <Text size="sm" c="dimmed">
            {canChange
              ? 'None yet. Drop files here, or choose them with Add files: PDF, pictures, Word, Excel, CSV, mail, up to 25 MB each.'
              : 'None yet.'}
          </Text>
        )}
        {data && data.total > most && (
          <Text size="sm" c="dimmed" mt="xs">
            These are the latest {most} of {data.total.toLocaleString()}.
          </Text>
        )}
        <SendingList sending={sending} retry={(one) => void retry(one)} dismiss={dismiss} />
        {shown && (
          <Suspense>
            <Preview document={shown} close={() => setShown(null)} />
          </Suspense>
        )}
        {removing && <Remove document={removing} record={record} close={() => setRemoving(null)} />}
      </Panel>
    </DropZone>
  )
}

function AddButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <FileButton multiple onChange={onFiles}>
      {(props) => (
        <Button variant="default" size="compact-sm" leftSection={<IconUpload size={16} aria-hidden />} {...props}>
          Add files
        </Button>
      )}
    </FileButton>
  )
}

type Doing = { canChange: boolean; show: (id: string) => void; remove: (document: DocumentFile) => void }

function useColumns({ canChange, show, remove }: Doing): Column<DocumentFile>[] {
  const download = useDownload()
  return [
    {
      label: 'File',
      show: (document) => (
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="left"
          onClick={() => (viewOf(document) ? show(document.id) : void download(document))}
        >
          {document.file_name}
        </Anchor>
      ),
    },
    {
      label: 'Type',
      show: (document) => (canChange ? <TypeSelect document={document} /> : documentTypeWords[document.document_type]),
    },
    { label: 'Size', end: true, show: ({ size }) => sizeOf(size) },
    { label: 'Added', show: ({ created_at }) => <When at={created_at} /> },
    {
      label: 'Actions',
      end: true,
      show: (document) => (
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <RowAction
            icon={IconDownload}
            label="Download"
            of={document.file_name}
            onClick={() => void download(document)}
          />
          {canChange && (
            <RowAction icon={IconTrash} label="Remove" of={document.file_name} onClick={() => remove(document)} />
          )}
        </Group>
      ),
    },
  ]
}

function useDownload(): (document: DocumentFile) => Promise<void> {
  const queryClient = useQueryClient()
  return async (document) => {
    try {
      saveFile(await queryClient.fetchQuery(contentQuery(document)), document.file_name)
    } catch (error) {
      notifications.show({
        title: `Could not download ${document.file_name}`,
        message: wordsFor(error),
        color: 'red.9',
      })
    }
  }
}

function TypeSelect({ document }: { document: DocumentFile }) {
  const { mutate, isPending } = useRetype()
  const change = (type: string | null) => {
    if (type === null || type === document.document_type) return
    const onError = (error: unknown) =>
      notifications.show({ title: 'Could not change the type', message: wordsFor(error), color: 'red.9' })
    mutate({ document, type: type as DocumentType }, { onError })
  }
  return (
    <Select
      aria-label={`Type of ${document.file_name}`}
      size="xs"
      choices={documentTypeChoices}
      value={document.document_type}
      onChange={change}
      disabled={isPending}
    />
  )
}

type SendingProps = { sending: readonly FileUpload[]; retry: (one: FileUpload) => void; dismiss: (key: string) => void }

function SendingList({ sending, retry, dismiss }: SendingProps) {
  return (
    <Stack gap="xs" mt={sending.length > 0 ? 'sm' : 0} aria-live="polite">
      {sending.map((one) => (
        <div key={one.key}>
          <Group gap="xs" wrap="nowrap">
            <Text size="sm" truncate flex={1}>
              {one.file.name}
            </Text>
            {one.error && (
              <>
                <RowAction icon={IconRefresh} label="Try again" of={one.file.name} onClick={() => retry(one)} />
                <ActionIcon
                  variant="subtle"
                  size="sm"
                  aria-label={`Dismiss: ${one.file.name}`}
                  onClick={() => dismiss(one.key)}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              </>
            )}
          </Group>
          {one.error ? (
            <Text size="sm" c="var(--mantine-color-error)" role="alert" style={{ overflowWrap: 'anywhere' }}>
              {one.error}
            </Text>
          ) : (
            <Progress value={one.percent} size="sm" aria-label={`Sending ${one.file.name}`} />
          )}
        </div>
      ))}
    </Stack>
  )
}

function Remove({ document, record, close }: { document: DocumentFile; record: RecordName; close: () => void }) {
  const others = document.attached_to.length - 1
  return (
    <ConfirmDialog action="Remove" name={document.file_name} close={close} change={useRemoveDocument(document, record)}>
      {others > 0
        ? 'It is taken off this record, and stays with the others that it is attached to.'
        : 'It is attached to nothing else, so the file is deleted.'}
    </ConfirmDialog>
  )
}
