import { Button, Group, Modal, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ifUnchanged, useChange } from '../../../app/api/changes.ts'
import { useCurrency, useMoney } from '../../../app/api/currencies.ts'
import { useMe } from '../../../app/api/me.ts'
import { answered } from '../../../app/api/problem.ts'
import { lading } from '../../../app/api/session.ts'
import { Refused } from '../../../app/editing/conflict.tsx'
import { IconEraser } from '../../../app/icons/icons.ts'
import { NumberInput } from '../../../app/inputs/number-input.tsx'
import { readAmount, typedAmountOf } from '../../../app/values/money.ts'
import { textAfterLeaving } from '../../../app/values/numbers.ts'
import { documentQuery } from '../../documents/queries.ts'
import type { Invoice } from '../fields.ts'
import { invoices } from '../kind.ts'

/** Gives up what a customer will not pay. */
export function WriteOffButton({ invoice }: { invoice: Invoice }) {
  const [open, setOpen] = useState(false)
  const { may } = useMe()
  if (!may('pay') || !may('enter') || !isOwed(invoice)) return null
  return (
    <>
      <Button variant="default" leftSection={<IconEraser size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Write off
      </Button>
      {open && <WriteOffDialog invoice={invoice} close={() => setOpen(false)} />}
    </>
  )
}

function isOwed({ status_id, voided_at, amount_due }: Invoice): boolean {
  return voided_at === null && status_id !== 'draft' && amount_due > 0
}

type Asked = { amount: number; reason: string }

function useWriteOff({ id, revision }: Invoice) {
  return useChange(
    (body: Asked) =>
      answered(
        lading.POST('/api/v1/invoices/{invoiceID}/write_off', {
          params: { path: { invoiceID: id } },
          ...ifUnchanged(revision),
          body,
        }),
      ),
    { touches: ['invoices', 'credits', 'payments', 'bill-item-types'] },
  )
}

function WriteOffDialog({ invoice, close }: { invoice: Invoice; close: () => void }) {
  const money = useMoney()
  const queryClient = useQueryClient()
  const currency = useCurrency(invoice.currency_id)
  const writeOff = useWriteOff(invoice)
  const [typed, setTyped] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const [problems, setProblems] = useState<{ amount?: string; reason?: string }>({})
  const { amount_due, currency_id, number } = invoice
  if (!currency) return null
  const text = typed ?? typedAmountOf(amount_due, currency.minor_units)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = readAmount(text, currency)
    const wrong = {
      ...('problem' in read && { amount: read.problem }),
      ...('amount' in read && read.amount <= 0 && { amount: 'Enter an amount above zero.' }),
      ...('amount' in read && read.amount > amount_due && { amount: `Only ${money(amount_due, currency_id)} is due.` }),
      ...(!reason.trim() && { reason: 'Enter a reason. The history will show it.' }),
    }
    setProblems(wrong)
    if (Object.keys(wrong).length > 0 || 'problem' in read) return
    writeOff.mutate(
      { amount: read.amount, reason: reason.trim() },
      {
        onSuccess: () => {
          close()
          notifications.show({ message: `${money(read.amount, currency_id)} of ${number} was written off.` })
        },
      },
    )
  }
  const load = async () => {
    await queryClient.fetchQuery({ ...documentQuery(invoices, invoice.id), staleTime: 0 })
    writeOff.reset()
  }
  return (
    <Modal opened onClose={close} title={`Write off ${number}`}>
      <form onSubmit={submit} noValidate>
        <Text size="sm" mb="md">
          {money(amount_due, currency_id)} is due. What is written off is credited to the customer and applied to this
          invoice, and lowers the margin.
        </Text>
        <NumberInput
          label={`Amount, ${currency.iso_4217}`}
          required
          mb="sm"
          value={text}
          onChange={setTyped}
          error={problems.amount}
          shownBack={(now) =>
            textAfterLeaving(now, readAmount(now, currency), (amount) => typedAmountOf(amount, currency.minor_units))
          }
        />
        <Textarea
          label="Reason"
          required
          maxLength={1000}
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={problems.reason}
          data-autofocus
        />
        <Refused error={writeOff.error} what="invoice" load={() => void load()} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color="red.9" loading={writeOff.isPending}>
            Write off
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
