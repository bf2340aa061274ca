import { type FormEvent, useId, useState } from 'react'
import { answered } from '../../app/api/problem.ts'
import { today } from '../../app/values/dates.ts'
import { readAmount } from '../../app/values/money.ts'
import { Title, Trouble } from '../parts/parts.tsx'
import { currencyOf, laneOf } from '../parts/words.ts'
import { useAsked, useDoing } from '../session/asking.ts'
import { everyLoad } from '../session/reading.ts'
import { lading, sendFile } from '../session/session.ts'
import { FileButton } from './documents-card.tsx'
import { currenciesFor } from './paying.ts'

async function askCurrencies() {
  const newest = { params: { query: { limit: 50 } } }
  const [{ bills }, { tenders }] = await Promise.all([
    answered(lading.GET('/api/v1/portal/bills', newest)),
    answered(lading.GET('/api/v1/portal/tenders', newest)),
  ])
  return currenciesFor(bills, tenders)
}

/** Sends an invoice to the inbox: its number, what it comes to, and its paper. */
export function InvoicePage() {
  const ids = useId()
  const [number, setNumber] = useState('')
  const [day, setDay] = useState(today())
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const [load, setLoad] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  // Where the paper could not be sent, the invoice itself is there: it is not sent a second time.
  const [made, setMade] = useState<{ number: string; id: string } | null>(null)
  const [sent, setSent] = useState<string | null>(null)
  const { run, isBusy, problem } = useDoing()
  const loads = useAsked('loads', async () => (await everyLoad()).filter(({ relation }) => relation === 'assigned'))
  const currencies = useAsked('currencies', askCurrencies).data ?? currenciesFor([], [])
  const currency = chosen ?? (currencies[0] as string)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setWrong(null)
    setSent(null)
    const read = readAmount(typed, currencyOf(currency))
    if (!number.trim()) return setWrong('Enter the number of the invoice.')
    if ('problem' in read) return setWrong(read.problem)
    const body = {
      ...{ invoice_number: number.trim(), currency_id: currency, total_amount: read.amount },
      ...(day && { invoice_date: day }),
      ...(load && { manifest_id: load }),
    }
    const done = await run(async () => {
      const invoice =
        made?.number === body.invoice_number
          ? made.id
          : (await answered(lading.POST('/api/v1/portal/carrier_invoices', { body }))).carrier_invoice.id
      setMade({ number: body.invoice_number, id: invoice })
      if (file) await sendFile(`carrier_invoices/${invoice}/documents`, file, 'invoice')
    })
    if (!done) return
    setMade(null)
    setSent(number.trim())
    setNumber('')
    setTyped('')
    setFile(null)
  }
  return (
    <>
      <Title>Send an invoice</Title>
      {sent && (
        <p className="good" role="status">
          The invoice {sent} was sent.
        </p>
      )}
      <form onSubmit={(event) => void submit(event)} noValidate>
        <label htmlFor={`${ids}number`}>Invoice number</label>
        <input
          id={`${ids}number`}
          maxLength={255}
          autoComplete="off"
          value={number}
          onChange={({ currentTarget }) => setNumber(currentTarget.value)}
        />
        <label htmlFor={`${ids}day`}>Date</label>
        <input id={`${ids}day`} type="date" value={day} onChange={({ currentTarget }) => setDay(currentTarget.value)} />
        <label htmlFor={`${ids}amount`}>Amount</label>
        <input
          id={`${ids}amount`}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <label htmlFor={`${ids}currency`}>Currency</label>
        <select id={`${ids}currency`} value={currency} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
          {currencies.map((id) => (
            <option key={id} value={id}>
              {id.toUpperCase()}
            </option>
          ))}
        </select>
        <label htmlFor={`${ids}load`}>Load</label>
        <select id={`${ids}load`} value={load} onChange={({ currentTarget }) => setLoad(currentTarget.value)}>
          <option value="">Not named</option>
          {loads.data?.map(({ id, full_id, ...lane }) => (
            <option key={id} value={id}>
              {[full_id, laneOf(lane)].filter(Boolean).join(' · ')}
            </option>
          ))}
        </select>
        <div className="buttons">
          <FileButton
            label={file ? `File: ${file.name}` : 'Take a photo or choose a file'}
            disabled={isBusy}
            choose={async ({ files }) => setFile(files?.[0] ?? null)}
          />
        </div>
        <Trouble words={wrong ?? problem} />
        <div className="buttons">
          <button type="submit" className="main" disabled={isBusy}>
            Send the invoice
          </button>
        </div>
      </form>
    </>
  )
}
