import { Button, SimpleGrid, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Fact } from '../parts/fact.tsx'
import { Panel } from '../parts/panel.tsx'
import { type Address, AddressText } from './address.tsx'

type Payable = {
  status_id: string
  remit_to: Address | null
  bill_to: Address | null
  send_to_email: string | null
  cc_to_email: string | null
  notes: string | null
}

/** What a bill and a statement both say, between what is their own, and the way to change it. */
export function DetailsPanel({ record, children, more, edit }: { record: Payable; children: ReactNode; more?: ReactNode; edit: () => void }) {
  return (
    <Panel title="Details">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} mb="lg">
        {children}
        <Fact label="Remit to">
          <AddressText address={record.remit_to} />
        </Fact>
        <Fact label="Bill to">
          <AddressText address={record.bill_to} />
        </Fact>
        <Fact label="Send to">
          {record.send_to_email ?? '–'}
          {record.cc_to_email && <Text size="sm">Copy to {record.cc_to_email}</Text>}
        </Fact>
        <Fact label="Notes">
          <span style={{ whiteSpace: 'pre-wrap' }}>{record.notes ?? '–'}</span>
        </Fact>
        {more}
      </SimpleGrid>
      {record.status_id === 'paid' ? (
        <Text size="sm" c="dimmed">
          It is paid, so its content is fixed. Reopen it to change it.
        </Text>
      ) : (
        <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={edit}>
          Edit details
        </Button>
      )}
    </Panel>
  )
}
