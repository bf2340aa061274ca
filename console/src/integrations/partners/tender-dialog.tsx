import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useCurrency } from '../../app/api/currencies.ts'
import { Select } from '../../app/inputs/select.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { readAmount } from '../../app/values/money.ts'
import { PartySelect } from '../../books/documents/shown/parties.tsx'
import { useCreateTender } from './queries.ts'
import { durations } from './words.ts'

/** Offers a manifest to a carrier. */
export function TenderDialog({
  manifest,
  currency,
  close,
}: {
  manifest: string
  currency: string | null
  close: () => void
}) {
  const create = useCreateTender()
  const [carrier, setCarrier] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const [message, setMessage] = useState('')
  const [seconds, setSeconds] = useState('86400')
  const [wrong, setWrong] = useState<string | null>(null)
  const currencyId = currency ?? 'usd'
  const known = useCurrency(currencyId)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!carrier) return
    const read = typed.trim() ? readAmount(typed, known ?? { minor_units: 2 }) : null
    if (read && 'problem' in read) return setWrong(read.problem)
    const offer = {
      ...{ manifest_id: manifest, partner_carrier_id: carrier, expires_in: Number(seconds) },
      ...(read && { rate: read.amount, currency_id: currencyId }),
      ...(message.trim() && { message: message.trim() }),
    }
    create.mutate(offer, { onSuccess: close })
  }
  return (
    <Modal opened onClose={close} title="Offer to a carrier">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <PartySelect party="carrier" value={carrier} onChange={setCarrier} required />
          <TextInput
            label={`Rate in ${currencyId.toUpperCase()}`}
            description="Leave it empty to ask the carrier for a rate."
            inputMode="decimal"
            value={typed}
            error={wrong}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
          <Textarea
            label="Message"
            maxLength={2000}
            autosize
            minRows={2}
            value={message}
            onChange={({ currentTarget: { value } }) => setMessage(value)}
          />
          <Select
            label="Answer within"
            choices={durations}
            value={seconds}
            onChange={(value) => setSeconds(value ?? seconds)}
          />
          {create.error ? <Failed error={create.error} /> : null}
        </Stack>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending} disabled={!carrier}>
            Offer
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
