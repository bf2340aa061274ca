import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../app/api/me.ts'
import { IconSend } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { FreightLines } from './freight-lines.tsx'
import { tendersQuery } from './queries.ts'
import { ShareLink } from './share-link.tsx'
import { TenderDialog } from './tender-dialog.tsx'
import { TendersTable } from './tenders-table.tsx'

/** To whom a manifest is offered, and links to it. */
export function ManifestPartners({
  id,
  carrier,
  currency,
}: {
  id: string
  carrier: string | null
  currency: string | null
}) {
  const { may } = useMe()
  const [isOffering, { open, close }] = useDisclosure(false)
  const { data: tenders, error, refetch } = useQuery(tendersQuery(id))
  const actions = may('enter') && (
    <>
      {carrier === null && (
        <Button variant="default" size="xs" leftSection={<IconSend size={16} aria-hidden />} onClick={open}>
          Offer to a carrier
        </Button>
      )}
      <ShareLink record={{ manifest_id: id, carrier }} />
    </>
  )
  return (
    <Panel title="Tenders" actions={actions}>
      {error ? <Failed error={error} what="the tenders" retry={() => void refetch()} /> : null}
      {tenders?.length === 0 && (
        <Text size="sm" c="dimmed">
          It was not offered to anybody.
        </Text>
      )}
      {tenders?.[0]?.manifest && <FreightLines freight={tenders[0].manifest} />}
      {tenders && tenders.length > 0 && <TendersTable tenders={tenders} />}
      {isOffering && <TenderDialog manifest={id} currency={currency} close={close} />}
    </Panel>
  )
}
