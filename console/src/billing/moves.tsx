import { Button, Group, Modal, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowBackUp, IconCash, IconDeviceFloppy, IconLockOpen, IconSend, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useMoney } from '../api/currencies.ts'
import { Refused } from '../editing/conflict.tsx'
import { momentOn, today } from '../parts/dates.ts'

export const moves = ['save', 'send', 'pay', 'reopen', 'draft', 'delete'] as const
export type Move = (typeof moves)[number]
export type MoveBody = { reason?: string; paid_at?: string }

type MovesProps = {
  what: 'bill' | 'statement'
  name: string
  record: { total_amount: number; currency_id: string | null; send_to_email: string | null; available_actions: readonly string[] }
  /** Reads the record anew, where somebody else was faster. */
  load: () => Promise<unknown>
  run: { mutate: (asked: { move: Move } & MoveBody, options?: { onSuccess: () => void }) => void; isPending: boolean; error: unknown; reset: () => void }
}

const looks = {
  save: { label: 'Save', done: 'saved.', icon: IconDeviceFloppy },
  send: { label: 'Send', done: 'sent.', icon: IconSend },
  pay: { label: 'Pay', done: 'paid.', icon: IconCash },
  reopen: { label: 'Reopen', done: 'reopened.', icon: IconLockOpen },
  draft: { label: 'Back to draft', done: 'a draft again.', icon: IconArrowBackUp },
  delete: { label: 'Delete', done: 'deleted.', icon: IconTrash },
} satisfies Record<Move, { label: string; done: string; icon: typeof IconSend }>

/** What the server says can be done next; each is asked about first, and shown as done when the server has done it. */
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
        const { label, icon: Icon } = looks[move]
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = move === 'reopen' && !reason.trim() ? 'Say why, for whoever reads its history.' : move === 'pay' && !paidOn ? 'Say when.' : null
    setMissing(wrong)
    if (wrong) return
    const body = { ...(move === 'reopen' && { reason: reason.trim() }), ...(move === 'pay' && paidOn !== today() && { paid_at: momentOn(paidOn) }) }
    run.mutate(
      { move, ...body },
      {
        onSuccess: () => {
          close()
          notifications.show({ message: `${name}: ${looks[move].done}` })
        },
      },
    )
  }
  const { label } = looks[move]
  return (
    <Modal opened onClose={close} title={`${label}: ${name}`}>
      <form onSubmit={submit} noValidate>
        <Text size="sm" mb="md">
          {wordsOf(move, what, money(record.total_amount, record.currency_id), record.send_to_email)}
        </Text>
        {move === 'pay' && (
          <TextInput
            type="date"
            label="Paid on"
            required
            value={paidOn}
            max={today()}
            onChange={(event) => setPaidOn(event.currentTarget.value)}
            error={missing}
            data-autofocus
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

function wordsOf(move: Move, what: 'bill' | 'statement', total: string, sendTo: string | null): string {
  const bills = what === 'statement' ? ' Its bills go with it.' : ''
  return {
    save: 'It gets its number, and a due date by its pay term where it has none. It is not sent yet.',
    send: `It is noted as sent${sendTo ? ` to ${sendTo}` : ''}. When its content changes later, it counts as edited until it is sent again.${bills}`,
    pay: `${total} is noted as paid. What is paid can no longer be changed, unless it is reopened with a reason.${bills}`,
    reopen: `It is no longer paid, and can be changed again. The reason stays in its history.${bills}`,
    draft: 'It was never sent, so it can be a draft again. It keeps its number.',
    delete: what === 'bill' ? 'The draft is gone for good, with its lines.' : 'The draft is gone for good. Its bills stay, free for another statement.',
  }[move]
}
