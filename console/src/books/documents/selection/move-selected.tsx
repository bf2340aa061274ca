import { Button, Checkbox, Group, Modal, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useMoney } from '../../../app/api/currencies.ts'
import { useOrganizationZone } from '../../../app/api/organization.ts'
import { Failed } from '../../../app/parts/failed.tsx'
import { StateBadge } from '../../../app/parts/state-badge.tsx'
import { type Column, DataTable } from '../../../app/table/data-table.tsx'
import { momentOn, todayIn } from '../../../app/values/dates.ts'
import type { Document } from '../document.ts'
import { type DocumentKind, nameIn, wordOf } from '../kind.ts'
import { PaidOn } from '../moves/paid-on.tsx'
import { type Outcome, useMoveDocuments } from '../queries.ts'
import { PartyOf } from '../shown/shown.tsx'
import { type Status, statusWords } from '../states.ts'
import { type Refusal, Refusals } from './refusals.tsx'
import { sumsOf } from './sums.ts'

export type ManyMove = 'save' | 'send' | 'pay'

const moves = {
  save: {
    label: 'Save',
    to: 'saved',
    done: 'Saved',
    lead: 'gets its number and, if it has none yet, a due date from its pay term.',
  },
  send: { label: 'Send', to: 'sent', done: 'Sent', lead: 'is marked as sent.' },
  pay: {
    label: 'Pay',
    to: 'paid',
    done: 'Paid',
    lead: 'is marked as paid and cannot be changed until it is reopened with a reason.',
  },
} satisfies Record<ManyMove, { label: string; to: Status; done: string; lead: string }>

type MoveSelectedProps = {
  kind: DocumentKind
  move: ManyMove
  documents: readonly Document[]
  close: (left: readonly Document[]) => void
}

/** Saves, sends or pays the selected documents. Those that cannot be are named with the reason; the others are done. */
export function MoveSelected({ kind, move, documents, close }: MoveSelectedProps) {
  // Reading the list again after the change must not change what this dialog is about.
  const [asked] = useState(documents)
  const run = useMoveDocuments(kind)
  const possible = asked.filter(({ available_actions }) => available_actions.includes(move))
  const refused = asked
    .filter((one) => !possible.includes(one))
    .map((document) => ({ document, problem: whyNot(document, move) }))
  const results = run.data && [
    ...possible.map((document, index) => ({ document, problem: problemIn(run.data[index]) })),
    ...refused,
  ]
  const left = results ? results.filter(({ problem }) => problem).map(({ document }) => document) : asked
  const { label, to } = moves[move]
  const title = results
    ? `${label}: ${results.length - left.length} of ${asked.length} done`
    : `${label} ${asked.length} ${asked.length === 1 ? kind.one : kind.many}`
  const start = (paid_at: string | null) =>
    run.mutate(possible.map(({ id }) => ({ id, status_id: to, ...(paid_at && { paid_at }) })))
  return (
    <Modal opened onClose={() => close(left)} title={title} size="xl">
      {results ? (
        <>
          <Results kind={kind} move={move} results={results} />
          <Group justify="flex-end" mt="md">
            <Button onClick={() => close(left)} data-autofocus>
              Close
            </Button>
          </Group>
        </>
      ) : (
        <Question
          kind={kind}
          move={move}
          possible={possible}
          refused={refused}
          start={start}
          cancel={() => close(asked)}
          busy={run.isPending}
          error={run.error}
        />
      )}
    </Modal>
  )
}

type QuestionProps = {
  kind: DocumentKind
  move: ManyMove
  possible: readonly Document[]
  refused: readonly Refusal[]
  start: (paidAt: string | null) => void
  cancel: () => void
  busy: boolean
  error: unknown
}

function Question({ kind, move, possible, refused, start, cancel, busy, error }: QuestionProps) {
  const money = useMoney()
  const zone = useOrganizationZone()
  const today = todayIn(zone)
  const [chosenDay, setPaidOn] = useState<string | null>(null)
  const paidOn = chosenDay ?? today
  const [withZero, setWithZero] = useState(false)
  const [problem, setProblem] = useState<{ date?: string; zero?: string }>({})
  const zero = move === 'pay' ? possible.filter(({ total_amount }) => total_amount === 0).length : 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = {
      ...(move === 'pay' && !paidOn && { date: 'Enter the date of the payment.' }),
      ...(zero > 0 && !withZero && { zero: 'Confirm this, or cancel and take them out of the selection.' }),
    }
    setProblem(wrong)
    if (Object.keys(wrong).length === 0) start(move === 'pay' && paidOn !== today ? momentOn(paidOn, zone) : null)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Text size="sm" mb="sm">
        Each {kind.one} {moves[move].lead} {possible.length > 0 && `Together: ${sumsOf(possible, money)}.`}
      </Text>
      {move === 'pay' && <PaidOn maw="14rem" mb="sm" value={paidOn} change={setPaidOn} error={problem.date} />}
      {zero > 0 && (
        <Checkbox
          mb="sm"
          label={
            zero === 1
              ? `One of the ${kind.many} has a total of 0. Pay it too.`
              : `${zero} of the ${kind.many} have a total of 0. Pay them too.`
          }
          checked={withZero}
          error={problem.zero}
          onChange={(event) => setWithZero(event.currentTarget.checked)}
        />
      )}
      <Refusals kind={kind} title={`${refused.length} cannot be ${moves[move].done.toLowerCase()}`} refused={refused} />
      {error ? <Failed error={error} /> : null}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={busy}
          disabled={possible.length === 0}
          {...(move !== 'pay' && { 'data-autofocus': true })}
        >
          {moves[move].label} {possible.length}
        </Button>
      </Group>
    </form>
  )
}

type Result = { document: Document; problem: string | null }

function Results({ kind, move, results }: { kind: DocumentKind; move: ManyMove; results: readonly Result[] }) {
  const money = useMoney()
  const columns: Column<Result>[] = [
    { label: wordOf(kind), show: ({ document }) => <b>{nameIn(kind, document)}</b> },
    {
      label: kind.party === 'carrier' ? 'Payee' : 'Customer',
      show: ({ document }) => <PartyOf kind={kind} document={document} />,
    },
    { label: 'Total', end: true, show: ({ document }) => money(document.total_amount, document.currency_id) },
    {
      label: 'Result',
      show: ({ problem }) => (
        <>
          <StateBadge words={problem ? 'Not done' : moves[move].done} tone={problem ? 'stopped' : 'done'} />
          {problem && <Text size="sm">{problem}</Text>}
        </>
      ),
    },
  ]
  return (
    <DataTable
      label="Results"
      columns={columns}
      rows={results.toSorted((a, b) => Number(!a.problem) - Number(!b.problem))}
      keyOf={({ document }) => document.id}
    />
  )
}

function whyNot({ status_id, currency_id }: Document, move: ManyMove): string {
  if (status_id === 'draft')
    return move === 'save' && !currency_id ? 'It has no currency yet.' : 'It is a draft. Save it first.'
  return `It is ${statusWords[status_id].toLowerCase()} already.`
}

/** One that was deleted since is not found by its id; then the server names none. */
function problemIn(outcome: Outcome | undefined): string | null {
  if (outcome?.status !== 'failed') return null
  return outcome.id === null
    ? 'It does not exist any more.'
    : (outcome.error?.error_message ?? 'The server refused it.')
}
