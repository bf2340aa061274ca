import { Button, Group, Menu, Modal, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useMe } from '../../../app/api/me.ts'
import { useIsReading } from '../../../app/api/use-is-reading.ts'
import { Refused } from '../../../app/editing/conflict.tsx'
import {
  IconArrowBackUp,
  IconBan,
  IconCash,
  IconChevronDown,
  IconDeviceFloppy,
  IconFilePencil,
  IconLockOpen,
  IconRefresh,
  IconSend,
  IconTrash,
} from '../../../app/icons/icons.ts'
import { SendDialog } from '../../../app/mail/send-dialog.tsx'
import { type Move, type MovesProps, moves } from '../move.ts'
import { PayDialog } from './pay-dialog.tsx'
import { rightFor } from './rights.ts'

export const moveWords = {
  save: { label: 'Save', done: 'was saved.', icon: IconDeviceFloppy },
  send: { label: 'Send', done: 'was sent.', icon: IconSend },
  pay: { label: 'Pay', done: 'was paid.', icon: IconCash },
  reopen: { label: 'Reopen', done: 'was reopened.', icon: IconLockOpen },
  draft: { label: 'Change back to draft', done: 'is a draft again.', icon: IconArrowBackUp },
  reprice: { label: 'Update exchange rate', done: 'has the exchange rate of its date.', icon: IconRefresh },
  correct: { label: 'Correct', done: 'was voided, and this draft is its copy.', icon: IconFilePencil },
  void: { label: 'Void', done: 'was voided.', icon: IconBan },
  delete: { label: 'Delete', done: 'was deleted.', icon: IconTrash },
} satisfies Record<Move, { label: string; done: string; icon: typeof IconSend }>

const needsReason: readonly Move[] = ['reopen', 'void', 'correct']
/** Seldom needed, so they are in a menu. */
const inMenu: readonly Move[] = ['reprice', 'correct', 'void']
const isDanger: readonly Move[] = ['delete', 'void', 'correct']

/** The actions that the server allows now. Each opens a dialog first and is shown as done when the server has done it. */
export function Moves(props: MovesProps) {
  const [asking, setAsking] = useState<Move | null>(null)
  const { may } = useMe()
  const isReading = useIsReading()
  const possible = moves.filter((move) => props.record.available_actions.includes(move) && may(rightFor(move)))
  const leading = possible.find((move) => move === 'save' || move === 'send' || move === 'pay')
  const [buttons, others] = [
    possible.filter((move) => !inMenu.includes(move)),
    possible.filter((move) => inMenu.includes(move)),
  ]
  const ask = (move: Move) => {
    props.run.reset()
    setAsking(move)
  }
  const close = () => setAsking(null)
  return (
    <>
      {buttons.map((move) => {
        const { label, icon: Icon } = moveWords[move]
        return (
          <Button
            key={move}
            variant={move === leading ? 'filled' : 'default'}
            leftSection={<Icon size={16} aria-hidden />}
            disabled={isReading}
            onClick={() => ask(move)}
          >
            {label}
          </Button>
        )
      })}
      {others.length > 0 && <More moves={others} ask={ask} isReading={isReading} />}
      {asking === 'pay' && <PayDialog close={close} {...props} />}
      {asking === 'send' && <SendMove close={close} {...props} />}
      {asking && asking !== 'pay' && asking !== 'send' && (
        <MoveDialog key={asking} move={asking} close={close} {...props} />
      )}
    </>
  )
}

function More({
  moves: others,
  ask,
  isReading,
}: {
  moves: readonly Move[]
  ask: (move: Move) => void
  isReading: boolean
}) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" disabled={isReading} rightSection={<IconChevronDown size={14} aria-hidden />}>
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {others.map((move) => {
          const { label, icon: Icon } = moveWords[move]
          return (
            <Menu.Item key={move} leftSection={<Icon size={16} aria-hidden />} onClick={() => ask(move)}>
              {label}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

function SendMove({ close, what, name, record, pdf, load, run }: MovesProps & { close: () => void }) {
  const { send_to_email } = record
  const send: Parameters<typeof SendDialog>[0]['run'] = {
    ...run,
    mutate: (mailing, options) => run.mutate({ move: 'send', ...mailing }, options),
  }
  return (
    <SendDialog
      name={name}
      pdf={pdf}
      sendTo={send_to_email}
      withoutAddress="Nobody: it is not mailed"
      run={send}
      refused={<Refused error={run.error} what={what} load={() => void load().then(run.reset)} />}
      done={`${name} ${moveWords.send.done}`}
      close={close}
    >
      The {what} is marked as sent
      {send_to_email
        ? ` and mailed to ${send_to_email} with this PDF, unless you enter another address`
        : ', and mailed with this PDF if you enter an address'}
      . If it is changed later, it is marked as edited until it is sent again.{alsoBills(what)}
    </SendDialog>
  )
}

type Confirmed = Exclude<Move, 'pay' | 'send'>

function MoveDialog({ move, close, what, name, load, run }: MovesProps & { move: Confirmed; close: () => void }) {
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState<string | null>(null)
  const asksWhy = needsReason.includes(move)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = asksWhy && !reason.trim() ? 'Enter a reason. The history will show it.' : null
    setMissing(wrong)
    if (wrong) return
    run.mutate(
      { move, ...(asksWhy && { reason: reason.trim() }) },
      {
        onSuccess: () => {
          close()
          notifications.show({ message: `${name} ${moveWords[move].done}` })
        },
      },
    )
  }
  const { label } = moveWords[move]
  return (
    <Modal opened onClose={close} title={`${label} ${name}`}>
      <form onSubmit={submit} noValidate>
        <Text size="sm" mb="md">
          {wordsOf(move, what)}
        </Text>
        {asksWhy && (
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
          <Button
            type="submit"
            loading={run.isPending}
            {...(isDanger.includes(move) ? { color: 'red.9' } : { 'data-autofocus': true })}
          >
            {label}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function alsoBills(what: string): string {
  return what === 'statement' ? ' The same happens to all its bills.' : ''
}

function wordsOf(move: Confirmed, what: string): string {
  const bills = alsoBills(what)
  return {
    save: `The ${what} gets its number and, if it has none yet, a due date from its pay term. It is not sent yet.`,
    reopen: `The ${what} is no longer paid and can be changed again. The history shows the reason.${bills}`,
    draft: `The ${what} becomes a draft again. It keeps its number.`,
    reprice: `The ${what} takes the exchange rate that is known now for its date. Its amount in the home currency changes with it.`,
    correct: `The ${what} is voided, and a draft with the same content is created, in which you make the correction.`,
    void:
      what === 'statement'
        ? 'The statement keeps its number and its content. Its bills can be put on another statement. This cannot be undone.'
        : `The ${what} keeps its number and its content, and nothing is owed any more. This cannot be undone.`,
    delete:
      what === 'statement'
        ? 'The draft is deleted. This cannot be undone. Its bills are kept and can be put on another statement.'
        : 'The draft and its lines are deleted. This cannot be undone.',
  }[move]
}
