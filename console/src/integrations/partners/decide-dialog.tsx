import { Button, Group, Modal, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useCurrencies, useMoney } from '../../app/api/currencies.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { PartyName } from '../../books/documents/shown/parties.tsx'
import { type Tender, useDecideTender } from './queries.ts'

type DecideDialogProps = { tender: Tender; decision: 'cancel' | 'accept_counter'; close: () => void }

/** Asks before a tender is taken back or a counter accepted. What is agreed with a carrier is undone, or costs more, only with a reason. */
export function DecideDialog({ tender, decision, close }: DecideDialogProps) {
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const change = useDecideTender(tender, decision)
  const isCancel = decision === 'cancel'
  const mustSay = !isCancel || tender.state === 'accepted'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (mustSay && !reason.trim()) return setProblem('Enter a reason.')
    change.mutate(reason.trim(), { onSuccess: close })
  }
  return (
    <Modal opened onClose={close} title={isCancel ? 'Cancel the tender' : 'Accept what the carrier asks for'}>
      <form onSubmit={submit} noValidate>
        <Text size="sm" mb="sm">
          <Consequence tender={tender} isCancel={isCancel} />
        </Text>
        <Textarea
          label="Reason"
          required={mustSay}
          autosize
          minRows={2}
          maxLength={2000}
          data-autofocus
          value={reason}
          error={problem}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            setProblem(null)
          }}
        />
        {change.error ? <Failed error={change.error} /> : null}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Back
          </Button>
          <Button type="submit" loading={change.isPending} {...(isCancel && { color: 'red.9' })}>
            {isCancel ? 'Cancel the tender' : 'Accept'}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function Consequence({
  tender: { state, rate, counter_rate, currency_id, partner_carrier_id },
  isCancel,
}: {
  tender: Tender
  isCancel: boolean
}) {
  const money = useMoney()
  const isKnown = useCurrencies()(currency_id) !== undefined
  const shown = (amount: number | null) => (amount === null || !isKnown ? '' : money(amount, currency_id))
  const carrier = <PartyName party="carrier" id={partner_carrier_id} />
  if (!isCancel)
    return (
      <>
        {carrier} gets the load at <b>{shown(counter_rate)}</b>
        {rate !== null && ` instead of ${shown(rate)}`}. All other tenders of it end. The carrier is told by mail.
      </>
    )
  if (state === 'accepted')
    return (
      <>
        {carrier} has accepted this load. Cancelling takes it away again, with the agreed rate. The carrier is told by
        mail.
      </>
    )
  return <>The offer to {carrier} ends. The carrier is told by mail.</>
}
