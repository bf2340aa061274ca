import { Button, Checkbox, Group, Modal, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowBackUp, IconCash, IconDeviceFloppy, IconLockOpen, IconSend, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useMoney } from '../api/currencies.ts'
import { Refused } from '../editing/conflict.tsx'
import { momentOn, today } from '../parts/dates.ts'
import { PaidOn } from './paid-on.tsx'

export const moves = ['save', 'send', 'pay', 'reopen', 'draft', 'delete'] as const
export type Move = (typeof moves)[number]
export type MoveBody = { reason?: string; paid_at?: string }

type MovesProps = {
  /** As in a sentence. */
  what: string
  name: string
  record: { total_amount: number; currency_id: string | null; send_to_email: string | null; available_actions: readonly string[] }
  /** Reads the record again after somebody else changed it. */
  load: () => Promise<unknown>
  run: { mutate: (asked: { move: Move } & MoveBody, options?: { onSuccess: () => void }) => void; isPending: boolean; error: unknown; reset: () => void }
}

const actionWords = {
  save: { label: 'Save', done: 'was saved.', icon: IconDeviceFloppy },
  send: { label: 'Send', done: 'was sent.', icon: IconSend },
  pay: { label: 'Pay', done: 'was paid.', icon: IconCash },
  reopen: { label: 'Reopen', done: 'was reopened.', icon: IconLockOpen },
  draft: { label: 'Change back to draft', done: 'is a draft again.', icon: IconArrowBackUp },
  delete: { label: 'Delete', done: 'was deleted.', icon: IconTrash },
} satisfies Record<Move, { label: string; done: string; icon: typeof IconSend }>

/** The actions that the server allows now. Each opens a dialog first and is shown as done when the server has done it. */
export function Moves(props: MovesProps) {
  const [asking, setAsking] = useState<Move | null>(null)
  const possible = moves.filter((move) => props.record.available_actions.includes(move))
  const leading = possible.find((move) => move === 'save' || move === 'send' || move === 'pay')
  const ask = (move: Move) => {
    props.run.reset()
    setAsking(move)
  }
  return (
    <>
      {possible.map((move) => {
        const { label, icon: Icon } = actionWords[move]
        return (
          <Button key={move} variant={move === leading ? 'filled' : 'default'} leftSection={<Icon size={16} aria-hidden />} onClick={() => ask(move)}>
            {label}
          </Button>
        )
      })}
      {asking && <MoveDialog key={asking} move={asking} close={() => setAsking(null)} {...props} />}
    </>
  )
}

function MoveDialog({ move, close, what, name, record, load, run }: MovesProps & { move: Move; close: () => void }) {
  const money = useMoney()
  const [reason, setReason] = useState('')
  const [paidOn, setPaidOn] = useState(today())
  const [missing, setMissing] = useState<string | null>(null)
  const isZero = move === 'pay' && record.total_amount === 0
  const [zeroConfirmed, setZeroConfirmed] = useState(false)
  const [zeroMissing, setZeroMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong =
      move === 'reopen' && !reason.trim() ? 'Enter a reason. The history will show it.' : move === 'pay' && !paidOn ? 'Enter the date of the payment.' : null
    setMissing(wrong)
    setZeroMissing(isZero && !zeroConfirmed)
    if (wrong || (isZero && !zeroConfirmed)) return
    const body = { ...(move === 'reopen' && { reason: reason.trim() }), ...(move === 'pay' && paidOn !== today() && { paid_at: momentOn(paidOn) }) }
    run.mutate(
      { move, ...body },
      {
        onSuccess: () => {
          close()
          notifications.show({ message: `${name} ${actionWords[move].done}` })
        },
      },
    )
  }
  const { label } = actionWords[move]
  return (
    <Modal opened onClose={close} title={`${label} ${name}`}>
      <form onSubmit={submit} noValidate>
        <Text size="sm" mb="md">
          {wordsOf(move, what, money(record.total_amount, record.currency_id), record.send_to_email)}
        </Text>
        {move === 'pay' && <PaidOn value={paidOn} change={setPaidOn} error={missing} />}
        {isZero && (
          <Checkbox
            mt="md"
            label={`The total is ${money(0, record.currency_id)}. Pay it all the same.`}
            checked={zeroConfirmed}
            error={zeroMissing && `Confirm that a ${what} without an amount is to be paid.`}
            onChange={(event) => setZeroConfirmed(event.currentTarget.checked)}
          />
        )}
        {move === 'reopen' && (
          <Textarea
            label="Reason"
            required
            maxLength={1000}
            autosize
            minRows={2}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={missing}
            data-autofocus
          />
        )}
        <Refused error={run.error} what={what} load={() => void load().then(run.reset)} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={run.isPending} {...(move === 'delete' ? { color: 'red.9' } : { 'data-autofocus': true })}>
            {label}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function wordsOf(move: Move, what: string, total: string, sendTo: string | null): string {
  const bills = what === 'statement' ? ' The same happens to all its bills.' : ''
  return {
    save: `The ${what} gets its number and, if it has none yet, a due date from its pay term. It is not sent yet.`,
    send: `The ${what} is marked as sent${sendTo ? ` to ${sendTo}` : ''}. If it is changed later, it is marked as edited until it is sent again.${bills}`,
    pay: `${total} is marked as paid. A paid ${what} cannot be changed until it is reopened with a reason.${bills}`,
    reopen: `The ${what} is no longer paid and can be changed again. The history shows the reason.${bills}`,
    draft: `The ${what} becomes a draft again. It keeps its number.`,
    delete:
      what === 'statement'
        ? 'The draft is deleted. This cannot be undone. Its bills are kept and can be put on another statement.'
        : 'The draft and its lines are deleted. This cannot be undone.',
  }[move]
}
