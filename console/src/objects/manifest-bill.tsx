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
import { type PlatformObject, wordsOf } from './kind.ts'

type Billed = { bill_id: string | null; bill_status_id: string | null; bill_number: string | null }

/** v1 says what became of a manifest's payment items; v2 knows the manifest alone. */
const billOfQuery = (manifestID: string) =>
  queryOptions({
    queryKey: ['objects', 'bill', manifestID],
    queryFn: async () => (await answered(lading.GET('/api/v1/manifests/{manifestID}', { params: { path: { manifestID } } }))).manifest as Billed,
  })

/** The carrier's bill: made from the payment items, once. */
export function ManifestBill({ manifest, unsaved }: { manifest: PlatformObject; unsaved: boolean }) {
  const { data, error, refetch } = useQuery(billOfQuery(manifest.id))
  const make = useMakeBill(manifest)
  if (error) return <Failed error={error} retry={() => void refetch()} />
  return (
    <Panel title="Bill">
      {data?.bill_id ? (
        <Text size="sm">
          <Anchor size="sm" fw={600} underline="always" renderRoot={(props) => <Link to={`/bills/${data.bill_id}`} {...props} />}>
            {data.bill_number ?? 'The bill'}
          </Anchor>{' '}
          ({wordsOf(data.bill_status_id ?? '').toLowerCase()}) pays for this manifest, so its payment items, carrier and currency are fixed.
        </Text>
      ) : (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {unsaved ? 'Save your changes first: the bill is made from what is saved.' : 'Makes a draft for the carrier, with a line for each payment item.'}
          </Text>
          <Button
            leftSection={<IconFileInvoice size={16} aria-hidden />}
            disabled={unsaved || !data}
            loading={make.isPending}
            onClick={() => make.mutate(undefined, { onSuccess: () => notifications.show({ message: 'The bill is made, a draft.' }) })}
          >
            Make the bill
          </Button>
        </Group>
      )}
      {make.error ? <Failed error={make.error} /> : null}
    </Panel>
  )
}

function useMakeBill({ id: manifestID, version }: PlatformObject) {
  return useChange(
    () => answered(lading.POST('/api/v1/manifests/{manifestID}/bill', { params: { path: { manifestID } }, ...ifUnchanged(version), body: {} })),
    { touches: ['objects', 'bills'] },
  )
}
