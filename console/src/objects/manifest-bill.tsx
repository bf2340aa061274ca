import { Anchor, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFileInvoice } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ifUnchanged, useChange } from '../api/changes.ts'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'
import { Failed } from '../parts/failed.tsx'
import { Panel } from '../parts/panel.tsx'
import type { PlatformObject } from './kind.ts'
import { ObjectStatus } from './status-badge.tsx'

type Billed = { bill_id: string | null; bill_status_id: string | null; bill_number: string | null }

/** Only v1 names the bill of a manifest. */
const billOfQuery = (manifestID: string) =>
  queryOptions({
    queryKey: ['objects', 'bill', manifestID],
    queryFn: async () => (await answered(lading.GET('/api/v1/manifests/{manifestID}', { params: { path: { manifestID } } }))).manifest as Billed,
  })

/** The carrier's bill, which is created once from the payment items. */
export function ManifestBill({ manifest }: { manifest: PlatformObject }) {
  const { data, error, refetch } = useQuery(billOfQuery(manifest.id))
  const create = useCreateBillOf(manifest)
  if (error) return <Failed error={error} what="the bill" retry={() => void refetch()} />
  return (
    <Panel title="Bill">
      {data?.bill_id ? (
        <Group gap="xs">
          <Anchor size="sm" fw={600} underline="always" renderRoot={(props) => <Link to={`/bills/${data.bill_id}`} {...props} />}>
            {data.bill_number ?? 'Draft bill'}
          </Anchor>
          <ObjectStatus status={data.bill_status_id ?? ''} />
          <Text size="sm">It was created from this manifest. Its payment items, carrier and currency cannot be changed any more.</Text>
        </Group>
      ) : (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            Creates a draft bill for the carrier with one line for each payment item.
          </Text>
          <Button
            leftSection={<IconFileInvoice size={16} aria-hidden />}
            disabled={!data}
            loading={create.isPending}
            onClick={() => create.mutate(undefined, { onSuccess: () => notifications.show({ message: 'A draft bill was created.' }) })}
          >
            Create bill
          </Button>
        </Group>
      )}
      {create.error ? <Failed error={create.error} /> : null}
    </Panel>
  )
}

function useCreateBillOf({ id: manifestID, version }: PlatformObject) {
  return useChange(
    () => answered(lading.POST('/api/v1/manifests/{manifestID}/bill', { params: { path: { manifestID } }, ...ifUnchanged(version), body: {} })),
    { touches: ['objects', 'bills'] },
  )
}
