import { Button, Checkbox, Group, Modal, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useMoney } from '../api/currencies.ts'
import { Payee } from '../billing/documents/shown.tsx'
import { PaidOn } from '../billing/paid-on.tsx'
import { type Status, statusWords } from '../billing/states.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { momentOn, today } from '../parts/dates.ts'
import { Failed } from '../parts/failed.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { type Bill, nameOf } from './bill.ts'
import { type Outcome, useMoveBills } from './queries.ts'
import { type Refusal, Refusals } from './refusals.tsx'
import { sumsOf } from './sums.ts'

export type ManyMove = 'save' | 'send' | 'pay'

const moves = {
  save: { label: 'Save', to: 'saved', done: 'Saved', lead: 'Each bill gets its number and, if it has none yet, a due date from its pay term.' },
  send: { label: 'Send', to: 'sent', done: 'Sent', lead: 'Each bill is marked as sent.' },
  pay: { label: 'Pay', to: 'paid', done: 'Paid', lead: 'Each bill is marked as paid and cannot be changed until it is reopened with a reason.' },
} satisfies Record<ManyMove, { label: string; to: Status; done: string; lead: string }>

type MoveSelectedProps = { move: ManyMove; bills: readonly Bill[]; close: (left: readonly Bill[]) => void }

/** Saves, sends or pays the selected bills. Those that cannot be are named with the reason; the others are done. */
export function MoveSelected({ move, bills, close }: MoveSelectedProps) {
  // Reading the list again after the change must not change what this dialog is about.
  const [asked] = useState(bills)
  const run = useMoveBills()
  const possible = asked.filter(({ available_actions }) => available_actions.includes(move))
  const refused = asked.filter((bill) => !possible.includes(bill)).map((bill) => ({ bill, problem: whyNot(bill, move) }))
  const results = run.data && [...possible.map((bill, index) => ({ bill, problem: problemIn(run.data[index]) })), ...refused]
  const left = results ? results.filter(({ problem }) => problem).map(({ bill }) => bill) : asked
  const { label, to } = moves[move]
  const title = results
    ? `${label}: ${results.length - left.length} of ${asked.length} done`
    : `${label} ${asked.length} ${asked.length === 1 ? 'bill' : 'bills'}`
  const start = (paid_at: string | null) => run.mutate(possible.map(({ id }) => ({ id, status_id: to, ...(paid_at && { paid_at }) })))
  return (
    <Modal opened onClose={() => close(left)} title={title} size="xl">
      {results ? (
        <>
          <Results move={move} results={results} />
          <Group justify="flex-end" mt="md">
            <Button onClick={() => close(left)} data-autofocus>
              Close
            </Button>
          </Group>
        </>
      ) : (
        <Question move={move} possible={possible} refused={refused} start={start} cancel={() => close(asked)} busy={run.isPending} error={run.error} />
      )}
    </Modal>
  )
}

type QuestionProps = {
  move: ManyMove
  possible: readonly Bill[]
  refused: readonly Refusal[]
  start: (paidAt: string | null) => void
  cancel: () => void
  busy: boolean
  error: unknown
}

function Question({ move, possible, refused, start, cancel, busy, error }: QuestionProps) {
  const money = useMoney()
  const [paidOn, setPaidOn] = useState(today())
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
    if (Object.keys(wrong).length === 0) start(move === 'pay' && paidOn !== today() ? momentOn(paidOn) : null)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Text size="sm" mb="sm">
        {moves[move].lead} {possible.length > 0 && `Together: ${sumsOf(possible, money)}.`}
      </Text>
      {move === 'pay' && <PaidOn maw="14rem" mb="sm" value={paidOn} change={setPaidOn} error={problem.date} />}
      {zero > 0 && (
        <Checkbox
          mb="sm"
          label={zero === 1 ? 'One of the bills has a total of 0. Pay it too.' : `${zero} of the bills have a total of 0. Pay them too.`}
          checked={withZero}
          error={problem.zero}
          onChange={(event) => setWithZero(event.currentTarget.checked)}
        />
      )}
      <Refusals title={`${refused.length} cannot be ${moves[move].done.toLowerCase()}`} refused={refused} />
      {error ? <Failed error={error} /> : null}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={possible.length === 0} {...(move !== 'pay' && { 'data-autofocus': true })}>
          {moves[move].label} {possible.length}
        </Button>
      </Group>
    </form>
  )
}

type Result = { bill: Bill; problem: string | null }

function Results({ move, results }: { move: ManyMove; results: readonly Result[] }) {
  const money = useMoney()
  const columns: Column<Result>[] = [
    { label: 'Bill', show: ({ bill }) => <b>{nameOf(bill)}</b> },
    { label: 'Payee', show: ({ bill }) => <Payee record={bill} /> },
    { label: 'Total', end: true, show: ({ bill }) => money(bill.total_amount, bill.currency_id) },
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
    <DataTable label="Results" columns={columns} rows={results.toSorted((a, b) => Number(!a.problem) - Number(!b.problem))} keyOf={({ bill }) => bill.id} />
  )
}

function whyNot({ status_id, currency_id }: Bill, move: ManyMove): string {
  if (status_id === 'draft') return move === 'save' && !currency_id ? 'It has no currency yet.' : 'It is a draft. Save it first.'
  return `It is ${statusWords[status_id].toLowerCase()} already.`
}

/** A bill that was deleted since is not found by its id; then the server names no bill. */
function problemIn(outcome: Outcome | undefined): string | null {
  if (outcome?.status !== 'failed') return null
  return outcome.id === null ? 'It does not exist any more.' : (outcome.error?.error_message ?? 'The server refused it.')
}
