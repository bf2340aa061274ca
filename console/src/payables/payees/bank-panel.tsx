import { Button, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { Copyable } from '../../app/copying/copyable.tsx'
import { IconEye } from '../../app/icons/icons.ts'
import { AddressText } from '../../app/inputs/address.tsx'
import { Fact } from '../../app/parts/fact.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import type { Address } from '../../app/values/address:ts.ts'
import { methodWords } from '../../books/documents/methods.ts'
import { type Payee, type RevealedBankDetails, useReveal } from './queries.ts'
import { partsOf } from './words.tsx'

/** How it is paid, its bank details masked, and a button that shows them whole to those who may see them. */
export function BankPanel({ payee }: { payee: Payee }) {
  const [revealing, setRevealing] = useState(false)
  const { may } = useMe()
  const { name, method, bank_details, address } = payee
  const hasDetails = bank_details !== null || payee.waiting_change?.fields.bank_details !== undefined
  const reveal = may('see_bank_details') && hasDetails && (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconEye size={15} aria-hidden />}
      onClick={() => setRevealing(true)}
    >
      Show bank details
    </Button>
  )
  return (
    <Panel title="How it is paid" actions={reveal}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        <Fact label="Name of the account">{name}</Fact>
        <Fact label="Paid by">{methodWords[method]}</Fact>
        {partsOf(bank_details).map(({ label, text }) => (
          <Fact key={label} label={label}>
            {text}
          </Fact>
        ))}
        {address && (
          <Fact label="Address for checks">
            <AddressText address={address as Address} />
          </Fact>
        )}
      </SimpleGrid>
      {revealing && <RevealDialog payee={payee} close={() => setRevealing(false)} />}
    </Panel>
  )
}

/** Asks first, because who looks at them is noted; what is shown is gone when the dialog is closed. */
function RevealDialog({ payee, close }: { payee: Payee; close: () => void }) {
  const reveal = useReveal(payee.id)
  return (
    <Modal opened onClose={close} title={`Bank details of ${payee.name}`}>
      {reveal.data ? (
        <Shown revealed={reveal.data} />
      ) : (
        <Text size="sm">That you looked at them is noted in the security log and in the history of the payee.</Text>
      )}
      {reveal.error ? <Failed error={reveal.error} /> : null}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          {reveal.data ? 'Close' : 'Cancel'}
        </Button>
        {!reveal.data && (
          <Button loading={reveal.isPending} onClick={() => reveal.mutate()} data-autofocus>
            Show
          </Button>
        )}
      </Group>
    </Modal>
  )
}

function Shown({ revealed: { bank_details, waiting_bank_details } }: { revealed: RevealedBankDetails }) {
  const sets = [
    ['In use', bank_details],
    ['Of the change that waits', waiting_bank_details],
  ] as const
  return sets
    .filter(([, details]) => details)
    .map(([title, details]) => (
      <Stack key={title} gap="xs" mb="md">
        <Text fw={600} size="sm">
          {title}
        </Text>
        {partsOf(details).map(({ label, text }) => (
          <Fact key={label} label={label}>
            <Copyable text={text} label={`the ${label.toLowerCase()}`} />
          </Fact>
        ))}
      </Stack>
    ))
}
