import { Button, Group, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { Copyable } from '../../app/copying/copyable.tsx'
import { IconLink } from '../../app/icons/icons.ts'
import { Select } from '../../app/inputs/select.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { PartySelect } from '../../books/documents/shown/parties.tsx'
import { useCreateLink } from './queries.ts'
import { durations } from './words.ts'

type Shared = { manifest_id: string; carrier: string | null } | { bill_id: string }

/** Makes a signed link of a record, and shows it once. */
export function ShareLink({ record }: { record: Shared }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconLink size={16} aria-hidden />} onClick={open}>
        Share link
      </Button>
      {isOpen && <ShareDialog record={record} close={close} />}
    </>
  )
}

function ShareDialog({ record, close }: { record: Shared; close: () => void }) {
  const create = useCreateLink()
  const [seconds, setSeconds] = useState('604800')
  const [carrier, setCarrier] = useState<string | null>(null)
  const asksForCarrier = 'carrier' in record && record.carrier === null
  const { carrier: _, ...named } = { carrier: null, ...record }
  const make = () =>
    create.mutate({ ...named, expires_in: Number(seconds), ...(carrier && { partner_carrier_id: carrier }) })
  const url = create.data?.url
  return (
    <Modal opened onClose={close} title="Share a link with the carrier" size="lg">
      {url ? (
        <>
          <Text size="sm" mb="md">
            Send this link to the carrier. Whoever has it can open this one record until it expires or you revoke it
            under Settings, Partner portal. It is shown only once.
          </Text>
          <Copyable text={url} label="the link" />
          <Group justify="flex-end" mt="lg">
            <Button onClick={close}>Done</Button>
          </Group>
        </>
      ) : (
        <>
          <Text size="sm" mb="md">
            Whoever opens the link sees this one record as the carrier does, without an account.
          </Text>
          {asksForCarrier && (
            <PartySelect
              party="carrier"
              label="Carrier to which it is offered"
              value={carrier}
              onChange={setCarrier}
              mb="md"
            />
          )}
          <Select
            label="Good for"
            choices={durations}
            value={seconds}
            onChange={(value) => setSeconds(value ?? seconds)}
          />
          {create.error ? <Failed error={create.error} /> : null}
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button loading={create.isPending} disabled={asksForCarrier && !carrier} onClick={make}>
              Make the link
            </Button>
          </Group>
        </>
      )}
    </Modal>
  )
}
