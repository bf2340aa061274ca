import { Button, Group, Modal, SimpleGrid, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useCurrency, useMoney } from '../../../app/api/currencies.ts'
import { useMe } from '../../../app/api/me.ts'
import { useOrganizationZone } from '../../../app/api/organization.ts'
import { Refused } from '../../../app/editing/conflict.tsx'
import { IconArrowBackUp } from '../../../app/icons/icons.ts'
import { NumberInput } from '../../../app/inputs/number-input.tsx'
import { Select } from '../../../app/inputs/select.tsx'
import { momentOn, todayIn } from '../../../app/values/dates.ts'
import { readAmount, typedAmountOf } from '../../../app/values/money.ts'
import { textAfterLeaving } from '../../../app/values/numbers.ts'
import { type Method, methodChoices } from '../../documents/methods.ts'
import { PaidOn } from '../../documents/moves/paid-on.tsx'
import { type Payment, paymentQuery, useRefund } from '../queries.ts'

/** Pays back what of a payment settles nothing. */
export function RefundButton({ payment }: { payment: Payment }) {
  const [open, setOpen] = useState(false)
  const { may } = useMe()
  if (!may('pay') || !payment.available_actions.includes('refund')) return null
  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Refund
      </Button>
      {open && <RefundDialog payment={payment} close={() => setOpen(false)} />}
    </>
  )
}

function RefundDialog({ payment, close }: { payment: Payment; close: () => void }) {
  const money = useMoney()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const currency = useCurrency(payment.currency_id)
  const refund = useRefund(payment)
  const { unallocated_amount: left, currency_id, direction, number } = payment
  const [typed, setTyped] = useState<string | null>(null)
  const zone = useOrganizationZone()
  const today = todayIn(zone)
  const [chosenDay, setPaidOn] = useState<string | null>(null)
  const paidOn = chosenDay ?? today
  const [method, setMethod] = useState<string | null>(payment.method === 'recorded' ? 'other' : payment.method)
  const [reference, setReference] = useState('')
  const [problems, setProblems] = useState<{ amount?: string; date?: string }>({})
  if (!currency) return null
  const text = typed ?? typedAmountOf(left, currency.minor_units)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = readAmount(text, currency)
    const wrong = {
      ...('problem' in read && { amount: read.problem }),
      ...('amount' in read && read.amount <= 0 && { amount: 'Enter an amount above zero.' }),
      ...('amount' in read && read.amount > left && { amount: `Only ${money(left, currency_id)} is left.` }),
      ...(!paidOn && { date: 'Enter the date of the refund.' }),
    }
    setProblems(wrong)
    if (Object.keys(wrong).length > 0 || 'problem' in read) return
    refund.mutate(
      {
        amount: read.amount,
        method: (method ?? 'other') as Method,
        ...(reference.trim() && { reference_number: reference.trim() }),
        ...(paidOn !== today && { paid_at: momentOn(paidOn, zone) }),
      },
      {
        onSuccess: ({ payment: made }) => {
          close()
          notifications.show({ message: `${money(made.amount, currency_id)} of ${number} was paid back.` })
          void navigate({ to: `/payments/${made.id}` })
        },
      },
    )
  }
  const load = async () => {
    await queryClient.fetchQuery({ ...paymentQuery(payment.id), staleTime: 0 })
    refund.reset()
  }
  return (
    <Modal opened onClose={close} title={`Refund ${number}`}>
      <form onSubmit={submit} noValidate>
        <Text size="sm" mb="md">
          {money(left, currency_id)} of the payment settles nothing. What is{' '}
          {direction === 'in' ? 'paid back' : 'received back'} becomes a payment of its own.
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <NumberInput
            label={`Amount, ${currency.iso_4217}`}
            required
            data-autofocus
            value={text}
            onChange={setTyped}
            error={problems.amount}
            shownBack={(now) =>
              textAfterLeaving(now, readAmount(now, currency), (amount) => typedAmountOf(amount, currency.minor_units))
            }
          />
          <PaidOn value={paidOn} change={setPaidOn} error={problems.date} />
          <Select label="Method" choices={methodChoices} value={method} onChange={setMethod} />
          <TextInput
            label="Reference number"
            description="Of the check or the transfer."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={255}
            autoComplete="off"
            value={reference}
            onChange={(event) => setReference(event.currentTarget.value)}
          />
        </SimpleGrid>
        <Refused error={refund.error} what="payment" load={() => void load()} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={refund.isPending}>
            Refund
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
