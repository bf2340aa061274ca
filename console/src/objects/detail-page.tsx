import { Badge, Button, Group, Tabs, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Problem } from '../api/problem.ts'
import { Command } from '../parts/command.tsx'
import { TableSkeleton } from '../parts/data-table.tsx'
import { timeOf } from '../parts/dates.ts'
import { Failed } from '../parts/failed.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { DeleteObjectDialog } from './delete-dialog.tsx'
import { Deleted } from './deleted.tsx'
import { History } from './history.tsx'
import { type Fields, type Kind, type PlatformObject, wordsOf } from './kind.ts'
import { KindPage } from './kind-page.tsx'
import { ManifestBill } from './manifest-bill.tsx'
import { ObjectForm } from './object-form.tsx'
import { knownFieldsQuery, objectQuery, useUpdateObject } from './queries.ts'
import { Related } from './related.tsx'

export function DetailPage() {
  const { objectId = '' } = useParams({ strict: false })
  return <KindPage>{(kind) => <Detail key={objectId} kind={kind} id={objectId} />}</KindPage>
}

function Detail({ kind, id }: { kind: Kind; id: string }) {
  const { data, error, refetch } = useQuery(objectQuery(id))
  if (error instanceof Problem && error.status === 400) return <NotFound />
  if (error instanceof Problem && error.status === 404) return <Deleted kind={kind} id={id} />
  if (data) return data.objectKey === kind.objectKey ? <Known kind={kind} object={data} /> : <NotFound />
  return (
    <Page title={kind.name} above={aboveOf(kind)}>
      {error ? <Failed error={error} what={`the ${kind.name.toLowerCase()}`} retry={() => void refetch()} /> : <TableSkeleton rows={8} />}
    </Page>
  )
}

function Known({ kind, object }: { kind: Kind; object: PlatformObject }) {
  const { fullId, name, status, version, updatedAt } = object
  const [deleting, remove] = useDisclosure(false)
  return (
    <Page
      title={name}
      above={aboveOf(kind)}
      lead={
        <Group component="span" gap="xs">
          {name !== fullId && <span>{fullId}</span>}
          <Badge component="span" variant="default" tt="none" fw={500}>
            {wordsOf(status)}
          </Badge>
          <Text span size="sm">
            Version {version}, changed {timeOf(updatedAt)}
          </Text>
        </Group>
      }
      actions={
        <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={remove.open}>
          Delete
        </Button>
      }
    >
      <Tabs defaultValue="details">
        <Tabs.List mb="lg">
          <Tabs.Tab value="details">Details</Tabs.Tab>
          <Tabs.Tab value="related">Related</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="details">
          <Details kind={kind} object={object} />
        </Tabs.Panel>
        <Tabs.Panel value="related" keepMounted={false}>
          <Related kind={kind} object={object} />
        </Tabs.Panel>
        <Tabs.Panel value="history" keepMounted={false}>
          <History kind={kind} id={object.id} />
        </Tabs.Panel>
      </Tabs>
      {deleting && <DeleteObjectDialog kind={kind} object={object} close={remove.close} />}
    </Page>
  )
}

function Details({ kind, object }: { kind: Kind; object: PlatformObject }) {
  const [touched, setTouched] = useState(false)
  const update = useUpdateObject()
  const { refetch } = useQuery(objectQuery(object.id))
  const save = async (json: Fields, base: PlatformObject | null) => {
    const saved = await update.mutateAsync({ object: base ?? object, json })
    notifications.show({ message: 'Changes saved.' })
    return saved
  }
  const reload = async () => (await refetch({ throwOnError: true })).data as PlatformObject
  return (
    <>
      {kind.objectKey === 'manifest' && <ManifestBill manifest={object} unsaved={touched} />}
      <ObjectForm kind={kind} object={object} submitLabel="Save changes" save={save} reload={reload} onTouched={setTouched} />
      <OtherFields kind={kind} object={object} />
    </>
  )
}

/** Fields that the definition of the kind does not contain; programs can add them through the API. */
function OtherFields({ kind, object }: { kind: Kind; object: PlatformObject }) {
  const { data: known, error, refetch } = useQuery(knownFieldsQuery(kind.objectKey))
  if (error) return <Failed error={error} what="the other fields" retry={() => void refetch()} />
  const hidden = kind.removedFields.map(({ key }) => key)
  const undefinedFields = Object.entries(object).filter(([key]) => known && !known.includes(key) && !hidden.includes(key))
  if (undefinedFields.length === 0) return null
  return (
    <div style={{ marginTop: '1.5rem' }}>
      <Panel title="Other fields" lead="These fields are not in the definition. They are kept and can be changed with the API.">
        <Command label="As JSON" text={JSON.stringify(Object.fromEntries(undefinedFields), null, 2)} />
      </Panel>
    </div>
  )
}

function aboveOf({ plural, objectKey }: Kind) {
  return { label: plural, to: `/objects/${objectKey}` }
}
