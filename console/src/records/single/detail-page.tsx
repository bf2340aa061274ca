import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Problem } from '../../app/api/problem.ts'
import { Command } from '../../app/copying/command.tsx'
import { DocumentsPanel } from '../../app/files/documents-panel.tsx'
import { IconPencil, IconTrash } from '../../app/icons/icons.ts'
import { MailsPanel } from '../../app/mail/mails-panel.tsx'
import { PdfButton } from '../../app/mail/pdf-button.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { NotFound } from '../../app/parts/not-found.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { TableSkeleton } from '../../app/table/data-table.tsx'
import { timeOf } from '../../app/values/dates.ts'
import { ObjectForm } from '../form/object-form.tsx'
import type { Fields, Kind, PlatformObject } from '../kinds/kind.ts'
import { KindPage } from '../kinds/kind-page.tsx'
import { knownFieldsQuery, objectQuery, useUpdateObject } from '../kinds/queries.ts'
import { ObjectStatus } from '../kinds/status-badge.tsx'
import { DeleteObjectDialog } from './delete-dialog.tsx'
import { Deleted } from './deleted.tsx'
import { DetailsView } from './details-view.tsx'
import { History } from './history.tsx'
import { Related } from './related.tsx'

type DetailPageProps = {
  /** What other floors know of the object: what comes before its details, and what comes after them. */
  before: (object: PlatformObject) => ReactNode
  after: (object: PlatformObject) => ReactNode
}

export function DetailPage(props: DetailPageProps) {
  const { objectId = '' } = useParams({ strict: false })
  return <KindPage>{(kind) => <Detail key={objectId} kind={kind} id={objectId} {...props} />}</KindPage>
}

function Detail({ kind, id, ...props }: DetailPageProps & { kind: Kind; id: string }) {
  const { data, error, refetch } = useQuery(objectQuery(id))
  if (error instanceof Problem && error.status === 400) return <NotFound />
  if (error instanceof Problem && error.status === 404) return <Deleted kind={kind} id={id} />
  if (data) return data.objectKey === kind.objectKey ? <Known kind={kind} object={data} {...props} /> : <NotFound />
  return (
    <Page title={kind.name} above={aboveOf(kind)}>
      {error ? (
        <Failed error={error} what={`the ${kind.name.toLowerCase()}`} retry={() => void refetch()} />
      ) : (
        <TableSkeleton rows={8} />
      )}
    </Page>
  )
}

type KnownProps = DetailPageProps & { kind: Kind; object: PlatformObject }

/** First to be read; the form opens with Edit. */
function Known({ kind, object, ...props }: KnownProps) {
  const { fullId, name, status, version, updatedAt } = object
  const [deleting, remove] = useDisclosure(false)
  const [editing, edit] = useDisclosure(false)
  return (
    <Page
      sticky
      title={name}
      above={aboveOf(kind)}
      lead={
        <Group gap="xs">
          {name !== fullId && <span>{fullId}</span>}
          <ObjectStatus status={status} />
          <Text span size="sm">
            Version {version}, changed {timeOf(updatedAt)}
          </Text>
        </Group>
      }
      actions={
        !editing && (
          <>
            <PaperButton object={object} />
            <Button leftSection={<IconPencil size={16} aria-hidden />} onClick={edit.open}>
              Edit
            </Button>
            <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={remove.open}>
              Delete
            </Button>
          </>
        )
      }
    >
      {editing ? (
        <EditForm kind={kind} object={object} close={edit.close} />
      ) : (
        <Reading kind={kind} object={object} {...props} />
      )}
      {deleting && <DeleteObjectDialog kind={kind} object={object} close={remove.close} />}
    </Page>
  )
}

/** The kinds of objects of which the server makes a paper. */
const papers: Readonly<Record<string, { label: string; resource: string }>> = {
  manifest: { label: 'Rate confirmation', resource: 'manifests' },
  order: { label: 'Bill of lading', resource: 'orders' },
}

function PaperButton({ object: { objectKey, id, fullId } }: { object: PlatformObject }) {
  const paper = papers[objectKey]
  if (!paper) return null
  return <PdfButton pdf={{ path: `${paper.resource}/${id}` }} name={`${paper.label} ${fullId}`} label={paper.label} />
}

function Reading({ kind, object, before, after }: KnownProps) {
  return (
    <>
      {before(object)}
      <DetailsView kind={kind} object={object} />
      {after(object)}
      <OtherFields kind={kind} object={object} />
      <DocumentsPanel record={{ type: 'object', id: object.id }} />
      {kind.objectKey === 'customer' && <MailsPanel type="customer" id={object.id} />}
      <Related kind={kind} object={object} />
      <History kind={kind} id={object.id} />
    </>
  )
}

function EditForm({ kind, object, close }: { kind: Kind; object: PlatformObject; close: () => void }) {
  const update = useUpdateObject()
  const { refetch } = useQuery(objectQuery(object.id))
  const queryClient = useQueryClient()
  const save = async (json: Fields, base: PlatformObject | null) => {
    const saved = await update.mutateAsync({ object: base ?? object, json })
    queryClient.setQueryData(objectQuery(object.id).queryKey, saved)
    notifications.show({ message: 'Changes saved.' })
    close()
    return saved
  }
  const reload = async () => (await refetch({ throwOnError: true })).data as PlatformObject
  const cancel = (
    <Button variant="default" onClick={close}>
      Cancel
    </Button>
  )
  return (
    <ObjectForm kind={kind} object={object} submitLabel="Save changes" save={save} reload={reload} cancel={cancel} />
  )
}

/** Fields that the definition of the kind does not contain; programs can add them through the API. */
function OtherFields({ kind, object }: { kind: Kind; object: PlatformObject }) {
  const { data: known, error, refetch } = useQuery(knownFieldsQuery(kind.objectKey))
  if (error) return <Failed error={error} what="the other fields" retry={() => void refetch()} />
  const hidden = kind.removedFields.map(({ key }) => key)
  const undefinedFields = Object.entries(object).filter(
    ([key]) => known && !known.includes(key) && !hidden.includes(key),
  )
  if (undefinedFields.length === 0) return null
  return (
    <Panel
      title="Other fields"
      lead="These fields are not in the definition. They are kept and can be changed with the API."
    >
      <Command label="As JSON" text={JSON.stringify(Object.fromEntries(undefinedFields), null, 2)} />
    </Panel>
  )
}

function aboveOf({ plural, objectKey }: Kind) {
  return { label: plural, to: `/objects/${objectKey}` }
}
