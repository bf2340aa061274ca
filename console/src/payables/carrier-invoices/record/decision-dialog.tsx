import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useCurrency, useMoney } from '../../../app/api/currencies.ts'
import { Refused } from '../../../app/editing/conflict.tsx'
import { useUnsaved } from '../../../app/editing/unsaved.tsx'
import { NumberInput } from '../../../app/inputs/number-input.tsx'
import { readAmount, typedAmountOf } from '../../../app/values/money.ts'
import { textAfterLeaving } from '../../../app/values/numbers.ts'
import { Duplicates } from '../duplicates.tsx'
import type { CarrierInvoice, Decision } from '../invoice.ts'
import { useDecide } from '../queries.ts'
import { sentenceOfMove } from '../rows.ts'
import { amountsOf, decisionWords, overchargeIn } from '../states.ts'

const paysIt: readonly Decision[] = ['approve', 'accept', 'short_pay']

type DecisionDialogProps = { invoice: CarrierInvoice; decision: Decision; close: () => void }

/** Decides about an invoice, with a note that is kept. */
export function DecisionDialog({ invoice, decision, close }: DecisionDialogProps) {
  const queryClient = useQueryClient()
  const money = useMoney()
  const run = useDecide(invoice)
  const { invoice_number, currency_id, total_amount } = invoice
  const currency = useCurrency(currency_id) ?? { iso_4217: currency_id.toUpperCase(), minor_units: 2 }
  const [note, setNote] = useState('')
  const [proposed] = useState(() =>
    typedAmountOf(Math.max(0, total_amount - overchargeIn(invoice)), currency.minor_units),
  )
  const [amount, setAmount] = useState(proposed)
  const [problems, setProblems] = useState<{ note?: string; amount?: string }>({})
  const { label, done, lead } = decisionWords[decision]
  const { close: leave, question } = useUnsaved(() => note.trim() !== '' || amount !== proposed)
  const cancel = () => leave(close)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = decision === 'short_pay' ? readAmount(amount, currency) : null
    const wrong = {
      ...(decision !== 'approve' && !note.trim() && { note: 'Enter a note. It is kept with the decision.' }),
      ...(read && 'problem' in read && { amount: read.problem }),
      ...(read &&
        'amount' in read &&
        read.amount >= total_amount && { amount: `Enter less than the total of ${money(total_amount, currency_id)}.` }),
    }
    setProblems(wrong)
    if (Object.keys(wrong).length > 0) return
    run.mutate(
      { decision, note: note.trim(), ...(read && 'amount' in read && { amount: read.amount }) },
      {
        onSuccess: ({ state }) => {
          notifications.show({
            message: `${invoice_number}: ${done.toLowerCase()}.${sentenceOfMove(invoice.state, state)}`,
          })
          close()
        },
      },
    )
  }
  return (
    <Modal opened onClose={cancel} title={`${label} ${invoice_number}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">{lead}</Text>
          {decision === 'approve' && (
            <Text size="sm">
              Amount: <b>{amountsOf(invoice, money)}</b>
            </Text>
          )}
          {paysIt.includes(decision) && <Duplicates of={invoice} />}
          {decision === 'short_pay' && (
            <NumberInput
              label={`Amount to pay, ${currency.iso_4217}`}
              description={`Of ${money(total_amount, currency_id)}. What was found too much is taken off.`}
              required
              value={amount}
              onChange={setAmount}
              error={problems.amount}
              shownBack={(typed) =>
                textAfterLeaving(typed, readAmount(typed, currency), (read) =>
                  typedAmountOf(read, currency.minor_units),
                )
              }
            />
          )}
          <Textarea
            label="Note"
            required={decision !== 'approve'}
            autosize
            minRows={2}
            maxLength={2000}
            data-autofocus
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            error={problems.note}
          />
        </Stack>
        {run.error ? (
          <Refused
            error={run.error}
            what="carrier invoice"
            load={() => void queryClient.invalidateQueries({ queryKey: ['carrier-invoices'] })}
          />
        ) : null}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={run.isPending} {...(decision === 'reject' && { color: 'red.9' })}>
            {label}
          </Button>
        </Group>
      </form>
      {question}
    </Modal>
  )
}
