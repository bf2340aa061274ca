import { Button, Checkbox, Group, Modal, Pill, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { organizationQuery, useBooksToday } from '../../app/api/organization.ts'
import { CurrencySelect } from '../../app/inputs/currency-select.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { PartyName, PartySelect } from '../../books/documents/shown/parties.tsx'
import { useCreateRun } from './queries.ts'
import { runsPath } from './routes.ts'

/** Chooses what a run pays: it is made as a draft, which can be looked through. */
export function NewDialog({ close }: { close: () => void }) {
  const { data: organization } = useQuery(organizationQuery)
  const today = useBooksToday()
  const [chosenUntil, setDueUntil] = useState<string | null>(null)
  const [chosenPayOn, setPayOn] = useState<string | null>(null)
  const [dueUntil, payOn] = [chosenUntil ?? today, chosenPayOn ?? today]
  const [chosen, setCurrency] = useState<string | null>(null)
  const [carriers, setCarriers] = useState<readonly string[]>([])
  const [setsOff, setSetsOff] = useState(true)
  const [asked, setAsked] = useState(false)
  const create = useCreateRun()
  const navigate = useNavigate()
  const currency = chosen ?? organization?.home_currency_id ?? null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (!dueUntil || !payOn || !currency) return
    const body = {
      due_until: dueUntil,
      pay_on: payOn,
      currency_id: currency,
      set_off_credits: setsOff,
      ...(carriers.length > 0 && { partner_carrier_ids: [...carriers] }),
    }
    create.mutate(body, { onSuccess: ({ id }) => void navigate({ to: `${runsPath}/${id}` }) })
  }
  return (
    <Modal opened onClose={close} title="New payment run">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <SimpleGrid cols={2} spacing="sm">
            <TextInput
              type="date"
              label="Due until"
              description="Bills due on this day or before are paid."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              required
              data-autofocus
              value={dueUntil}
              onChange={(event) => setDueUntil(event.currentTarget.value)}
              error={asked && !dueUntil && 'Enter a day.'}
            />
            <TextInput
              type="date"
              label="Pay on"
              description="When the money is to move."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              required
              value={payOn}
              onChange={(event) => setPayOn(event.currentTarget.value)}
              error={asked && !payOn && 'Enter a day.'}
            />
          </SimpleGrid>
          <CurrencySelect
            required
            clearable={false}
            value={currency}
            onChange={setCurrency}
            error={asked && !currency && 'Choose the currency.'}
          />
          <div>
            <PartySelect
              party="carrier"
              label="Carriers"
              placeholder={carriers.length === 0 ? 'All carriers' : 'Add another'}
              value={null}
              onChange={(id: string | null) => id && setCarriers([...new Set([...carriers, id])])}
            />
            {carriers.length > 0 && (
              <Group gap={6} mt="xs">
                {carriers.map((id) => (
                  <Pill
                    key={id}
                    withRemoveButton
                    removeButtonProps={{ 'aria-label': 'Remove the carrier', tabIndex: 0 }}
                    onRemove={() => setCarriers(carriers.filter((one) => one !== id))}
                  >
                    <PartyName party="carrier" id={id} />
                  </Pill>
                ))}
              </Group>
            )}
          </div>
          <Checkbox
            label="Set off what carriers owe us"
            description="Open credits and payments that settle nothing yet are taken off what is paid."
            checked={setsOff}
            onChange={(event) => setSetsOff(event.currentTarget.checked)}
          />
        </Stack>
        {create.error ? <Failed error={create.error} /> : null}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Choose bills
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
