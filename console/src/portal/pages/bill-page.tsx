import { type FormEvent, useId, useState } from 'react'
import { answered } from '../../app/api/problem.ts'
import { calendarDayOf, timeOf } from '../../app/values/dates.ts'
import { Card, Facts, State, Title, Trouble, Waiting } from '../parts/parts.tsx'
import { billWords, money, type Thread } from '../parts/words.ts'
import { useAsked, useDoing } from '../session/asking.ts'
import { lading } from '../session/session.ts'
import { toneOf } from './bills-page.tsx'
import { leftToPay, whenPaid } from './paying.ts'

async function askBill(billID: string) {
  const at = { params: { path: { billID } } }
  const [{ bill }, { question }] = await Promise.all([
    answered(lading.GET('/api/v1/portal/bills/{billID}', at)),
    answered(lading.GET('/api/v1/portal/bills/{billID}/questions', at)),
  ])
  return { bill, question }
}

/** A bill with its lines, and what was asked about it. */
export function BillPage({ id }: { id: string }) {
  const { data, problem, again } = useAsked(`bill ${id}`, () => askBill(id))
  if (!data)
    return (
      <>
        <Title>Bill</Title>
        {problem ? <Trouble words={problem} again={() => void again()} /> : <Waiting />}
      </>
    )
  const { bill, question } = data
  return (
    <>
      <Title>{bill.number ?? 'Bill'}</Title>
      <p>
        <State tone={toneOf(bill.state)}>{billWords[bill.state]}</State>
      </p>
      <Facts
        facts={[
          ['Your number', bill.reference_number],
          ['Total', money(bill.total_amount, bill.currency_id)],
          ['Paid', bill.amount_paid !== 0 && money(bill.amount_paid, bill.currency_id)],
          ['Left to pay', leftToPay(bill)],
          ['Due', bill.due_date && calendarDayOf(bill.due_date)],
          ['Payment', whenPaid(bill)],
        ]}
      />
      <Card title="What it is for">
        <Facts
          facts={bill.lines.map(
            (line, index) =>
              [line.description ?? `Line ${index + 1}`, money(line.total_amount, bill.currency_id)] as const,
          )}
        />
      </Card>
      <Questions billId={id} thread={question} again={again} />
    </>
  )
}

function Questions({
  billId: billID,
  thread,
  again,
}: {
  billId: string
  thread: Thread | null
  again: () => Promise<void>
}) {
  const ids = useId()
  const [text, setText] = useState('')
  const { run, isBusy, problem } = useDoing()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!text.trim()) return
    const done = await run(() =>
      answered(
        lading.POST('/api/v1/portal/bills/{billID}/questions', {
          params: { path: { billID } },
          body: { text: text.trim() },
        }),
      ),
    )
    if (!done) return
    setText('')
    await again()
  }
  return (
    <Card title="Questions about this bill">
      <ol className="thread">
        {thread?.messages.map(({ side, author_name, text, created_at }) => (
          <li key={created_at + text} data-side={side}>
            <p>{text}</p>
            <p className="quiet">
              {author_name}, {timeOf(created_at)}
            </p>
          </li>
        ))}
      </ol>
      <form onSubmit={(event) => void submit(event)}>
        <label htmlFor={ids}>{thread ? 'Write again' : 'Your question'}</label>
        <textarea
          id={ids}
          rows={3}
          maxLength={4000}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Trouble words={problem} />
        <div className="buttons">
          <button type="submit" className="main" disabled={isBusy || !text.trim()}>
            Send
          </button>
        </div>
      </form>
    </Card>
  )
}
