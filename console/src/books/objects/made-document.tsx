import { Anchor, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import type { PlatformObject } from '../../records/kinds/kind.ts'
import { ObjectStatus } from '../../records/kinds/status-badge.tsx'
import { bills } from '../bills/kind.ts'
import { pathOf } from '../documents/kind.ts'
import { invoices } from '../invoices/kind.ts'

type Made = { id: string | null; status: string | null; number: string | null }

/** The kinds of objects from which a document is created once, and how. */
const makers = {
  manifest: {
    kind: bills,
    title: 'Bill',
    before: 'Creates a draft bill for the carrier with one line for each payment item.',
    after: 'It was created from this manifest. Its payment items, carrier and currency cannot be changed any more.',
    read: async (manifestID: string): Promise<Made> => {
      const { manifest } = await answered(
        lading.GET('/api/v1/manifests/{manifestID}', { params: { path: { manifestID } } }),
      )
      const { bill_id, bill_status_id, bill_number } = manifest as {
        bill_id: string | null
        bill_status_id: string | null
        bill_number: string | null
      }
      return { id: bill_id, status: bill_status_id, number: bill_number }
    },
    create: ({ id: manifestID, version }: PlatformObject): Promise<unknown> =>
      answered(
        lading.POST('/api/v1/manifests/{manifestID}/bill', {
          params: { path: { manifestID } },
          ...ifUnchanged(version),
          body: {},
        }),
      ),
  },
  order: {
    kind: invoices,
    title: 'Invoice',
    before: 'Creates a draft invoice for the customer from the rate and the charges of the order.',
    after: 'It was created from this order.',
    read: async (orderID: string): Promise<Made> => {
      const { order } = await answered(lading.GET('/api/v1/orders/{orderID}', { params: { path: { orderID } } }))
      const { invoice_id, invoice_status_id, invoice_number } = order as {
        invoice_id: string | null
        invoice_status_id: string | null
        invoice_number: string | null
      }
      return { id: invoice_id, status: invoice_status_id, number: invoice_number }
    },
    create: ({ id: orderID, version }: PlatformObject): Promise<unknown> =>
      answered(
        lading.POST('/api/v1/orders/{orderID}/invoice', {
          params: { path: { orderID } },
          ...ifUnchanged(version),
          body: {},
        }),
      ),
  },
} as const

type MakerKey = keyof typeof makers

/** Only v1 names the document of an object. */
const madeQuery = (key: MakerKey, id: string) =>
  queryOptions({ queryKey: ['objects', 'document', key, id], queryFn: () => makers[key].read(id) })

/** The document that was created from a manifest or an order, or a button to create it. */
export function MadeDocument({ object }: { object: PlatformObject }) {
  return object.objectKey in makers ? <Known of={object.objectKey as MakerKey} object={object} /> : null
}

function Known({ of, object }: { of: MakerKey; object: PlatformObject }) {
  const { kind, title, before, after, create: make } = makers[of]
  const { data, error, refetch } = useQuery(madeQuery(of, object.id))
  const create = useChange(() => make(object), { touches: ['objects', kind.resource] })
  if (error) return <Failed error={error} what={`the ${kind.one}`} retry={() => void refetch()} />
  return (
    <Panel title={title}>
      {data?.id ? (
        <Group gap="xs">
          <Anchor
            size="sm"
            fw={600}
            underline="always"
            renderRoot={(props) => <Link to={`${pathOf(kind)}/${data.id}`} {...props} />}
          >
            {data.number ?? `Draft ${kind.one}`}
          </Anchor>
          <ObjectStatus status={data.status ?? ''} />
          <Text size="sm">{after}</Text>
        </Group>
      ) : (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {before}
          </Text>
          <Button
            leftSection={<kind.icon size={16} aria-hidden />}
            disabled={!data}
            loading={create.isPending}
            onClick={() =>
              create.mutate(undefined, {
                onSuccess: () => notifications.show({ message: `A draft ${kind.one} was created.` }),
              })
            }
          >
            Create {kind.one}
          </Button>
        </Group>
      )}
      {create.error ? <Failed error={create.error} /> : null}
    </Panel>
  )
}
