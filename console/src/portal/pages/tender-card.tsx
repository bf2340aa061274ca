import { type FormEvent, useId, useState } from 'react'
import { answered } from '../../app/api/problem.ts'
import { timeOf } from '../../app/values/dates.ts'
import { readAmount } from '../../app/values/money.ts'
import { Card, Facts, State, Trouble } from '../parts/parts.tsx'
import { Go } from '../parts/places.tsx'
import { currencyOf, freightFacts, laneOf, money, type Tender, tenderWords } from '../parts/words.ts'
import { useDoing } from '../session/asking.ts'
import { lading } from '../session/session.ts'

type TenderCardProps = { tender: Tender; again: () => Promise<void>; onLoad?: boolean }

/** What is offered, and the three answers to it. */
export function TenderCard({ tender, again, onLoad = false }: TenderCardProps) {
  const {
    id,
    state,
    rate,
    counter_rate,
    agreed_rate,
    currency_id,
    message,
    answer,
    expires_at,
    manifest,
    manifest_id,
  } = tender
  const [isCountering, setCountering] = useState(false)
  const { run, isBusy, problem } = useDoing()
  const at = { params: { path: { tenderID: id } } }
  const done = async (work: () => Promise<unknown>) => {
    await run(work)
    await again()
  }
  const isOpen = state === 'open'
  return (
    <Card title={onLoad ? 'This load is offered to you' : manifest ? laneOf(manifest) || manifest.full_id : 'An offer'}>
      <p>
        <State tone={isOpen ? 'open' : state === 'accepted' ? 'good' : 'quiet'}>{tenderWords[state]}</State>
      </p>
      <Facts
        facts={[
          ['Load', manifest && [manifest.full_id, manifest.reference_number].filter(Boolean).join(' · ')],
          ...(manifest ? freightFacts(manifest) : []),
          ['Offered', rate === null ? isOpen && 'They ask you for a rate' : money(rate, currency_id)],
          ['You asked for', counter_rate !== null && money(counter_rate, currency_id)],
          ['Agreed', agreed_rate !== null && money(agreed_rate, currency_id)],
          ['Message', message],
          ['Your note', answer],
          ['Answer until', isOpen && timeOf(expires_at)],
        ]}
      />
      <Trouble words={problem} />
      {isOpen && !isCountering && (
        <div className="buttons">
          {rate !== null && (
            <button
              type="button"
              className="main"
              disabled={isBusy}
              onClick={() =>
                void done(() => answered(lading.POST('/api/v1/portal/tenders/{tenderID}/accept', { ...at, body: {} })))
              }
            >
              Accept {money(rate, currency_id)}
            </button>
          )}
          <button type="button" disabled={isBusy} onClick={() => setCountering(true)}>
            {rate === null ? 'Name a rate' : 'Ask for another rate'}
          </button>
          <button
            type="button"
            disabled={isBusy}
            onClick={() =>
              void done(() => answered(lading.POST('/api/v1/portal/tenders/{tenderID}/decline', { ...at, body: {} })))
            }
          >
            Decline
          </button>
        </div>
      )}
      {isOpen && isCountering && (
        <CounterForm
          currency={currency_id}
          isBusy={isBusy}
          cancel={() => setCountering(false)}
          send={(body) =>
            void done(() => answered(lading.POST('/api/v1/portal/tenders/{tenderID}/counter', { ...at, body })))
          }
        />
      )}
      {!onLoad && manifest && (
        <p>
          <Go to={`/portal/loads/${manifest_id}`}>See the load {manifest.full_id}</Go>
        </p>
      )}
    </Card>
  )
}

type Counter = { rate: number; currency_id?: string; answer?: string }
type CounterFormProps = {
  currency: string | null
  isBusy: boolean
  send: (counter: Counter) => void
  cancel: () => void
}

function CounterForm({ currency, isBusy, send, cancel }: CounterFormProps) {
  const [typed, setTyped] = useState('')
  const [note, setNote] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const ids = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = readAmount(typed, currencyOf(currency ?? 'usd'))
    if ('problem' in read) return setWrong(read.problem)
    send({
      rate: read.amount,
      ...(currency === null && { currency_id: 'usd' }),
      ...(note.trim() && { answer: note.trim() }),
    })
  }
  return (
    <form onSubmit={submit} noValidate aria-label="Ask for another rate">
      <label htmlFor={`${ids}rate`}>Your rate in {(currency ?? 'usd').toUpperCase()}</label>
      <input
        id={`${ids}rate`}
        inputMode="decimal"
        value={typed}
        aria-invalid={wrong !== null}
        aria-describedby={wrong ? `${ids}wrong` : undefined}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {wrong && (
        <p id={`${ids}wrong`} className="wrong">
          {wrong}
        </p>
      )}
      <label htmlFor={`${ids}note`}>Note</label>
      <input
        id={`${ids}note`}
        maxLength={2000}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <div className="buttons">
        <button type="submit" className="main" disabled={isBusy}>
          Send
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
