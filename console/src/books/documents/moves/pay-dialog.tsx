import { Button, Checkbox, Group, Modal, SimpleGrid, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useCurrency, useMoney } from '../../../app/api/currencies.ts'
import { useOrganizationZone } from '../../../app/api/organization.ts'
import { Refused } from '../../../app/editing/conflict.tsx'
import { NumberInput } from '../../../app/inputs/number-input.tsx'
import { Select } from '../../../app/inputs/select.tsx'
import { momentOn, todayIn } from '../../../app/values/dates.ts'
import { readAmount, typedAmountOf } from '../../../app/values/money.ts'
import { textAfterLeaving } from '../../../app/values/numbers.ts'
import { type Method, methodChoices } from '../methods.ts'
import type { MoveBody, MovesProps } from '../move.ts'
import { PaidOn } from './paid-on.tsx'

type Problems = { amount?: string; date?: string; zero?: string }

/** Pays what is due, or a part of it. A statement is always paid whole. */
export function PayDialog({ close, what, name, record, load, run }: MovesProps & { close: () => void }) {
  const money = useMoney()
  const currency = useCurrency(record.currency_id)
  const { amount_due, total_amount, currency_id } = record
  const due = amount_due ?? total_amount
  const isZero = total_amount === 0
  const canPayPart = amount_due !== undefined && !isZero && currency !== undefined
  const [typed, setTyped] = useState<string | null>(null)
  const zone = useOrganizationZone()
  const today = todayIn(zone)
  const [chosenDay, setPaidOn] = useState<string | null>(null)
  const paidOn = chosenDay ?? today
  const [method, setMethod] = useState<string | null>('recorded')
  const [reference, setReference] = useState('')
  const [zeroConfirmed, setZeroConfirmed] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const text = typed ?? (currency ? typedAmountOf(due, currency.minor_units) : '')
  const read = canPayPart ? readAmount(text, currency) : { amount: due }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong: Problems = {
      ...('problem' in read && { amount: read.problem }),
      ...('amount' in read &&
        Math.abs(read.amount) > Math.abs(due) && { amount: `Only ${money(due, currency_id)} is due.` }),
      ...(!paidOn && { date: 'Enter the date of the payment.' }),
      ...(isZero && !zeroConfirmed && { zero: `Confirm that a ${what} without an amount is to be paid.` }),
    }
    setProblems(wrong)
    if (Object.keys(wrong).length > 0 || 'problem' in read) return
    const isWhole = read.amount === due
    const body: MoveBody = {
      ...(!isWhole && { amount: read.amount }),
      ...(paidOn !== today && { paid_at: momentOn(paidOn, zone) }),
      ...(method && method !== 'recorded' && { method: method as Method }),
      ...(reference.trim() && { reference_number: reference.trim() }),
    }
    const done = isWhole ? `${name} was paid.` : `${money(read.amount, currency_id)} of ${name} was paid.`
    run.mutate(
      { move: 'pay', ...body },
      {
        onSuccess: () => {
          close()
          notifications.show({ message: done })
        },
      },
    )
  }
  const many = what === 'statement' ? ' The same happens to all its bills.' : ''
  return (
    <Modal opened onClose={close} title={`Pay ${name}`}>
      <form onSubmit={submit} noValidate>
        <Text size="sm" mb="md">
          {canPayPart
            ? `${money(due, currency_id)} is left to pay. When nothing is left, the ${what} cannot be changed until it is reopened with a reason.`
            : `${money(due, currency_id)} is marked as paid. A paid ${what} cannot be changed until it is reopened with a reason.${many}`}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {canPayPart && (
            <NumberInput
              label={`Amount, ${currency.iso_4217}`}
              required
              data-autofocus
              value={text}
              onChange={setTyped}
              error={problems.amount}
              shownBack={(now) =>
                textAfterLeaving(now, readAmount(now, currency), (amount) =>
                  typedAmountOf(amount, currency.minor_units),
                )
              }
            />
          )}
          <PaidOn value={paidOn} change={setPaidOn} error={problems.date} />
          {canPayPart && (
            <>
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
            </>
          )}
        </SimpleGrid>
        {isZero && (
          <Checkbox
            mt="md"
            label={`The total is ${money(0, currency_id)}. Pay it all the same.`}
            checked={zeroConfirmed}
            error={problems.zero}
            onChange={(event) => setZeroConfirmed(event.currentTarget.checked)}
          />
        )}
        <Refused error={run.error} what={what} load={() => void load().then(run.reset)} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={run.isPending}>
            Pay
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
