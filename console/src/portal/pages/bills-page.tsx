import { everyRow } from '../../app/api/every-row.ts'
import { answered } from '../../app/api/problem.ts'
import { dayOf } from '../../app/values/dates.ts'
import { State, Title, Trouble, Waiting } from '../parts/parts.tsx'
import { Go } from '../parts/places.tsx'
import { type Bill, billWords, invoiceWords, money } from '../parts/words.ts'
import { useAsked } from '../session/asking.ts'
import { lading } from '../session/session.ts'
import { amountsOf, leftToPay, whenPaid } from './paying.ts'

async function askMoney() {
  const [bills, carrier_invoices] = await Promise.all([
    everyRow('bills', (query) => answered(lading.GET('/api/v1/portal/bills', { params: { query } }))),
    everyRow('carrier_invoices', (query) =>
      answered(lading.GET('/api/v1/portal/carrier_invoices', { params: { query } })),
    ),
  ])
  // What has become a bill is shown as that.
  return { bills, invoices: carrier_invoices.filter(({ bill_id }) => bill_id === null) }
}

/** What is paid and when, and the invoices that are not a bill yet. */
export function BillsPage() {
  const { data, problem, again } = useAsked('bills', askMoney)
  return (
    <>
      <Title>Bills</Title>
      <Trouble words={problem} again={() => void again()} />
      {!data && !problem && <Waiting />}
      {data && (
        <>
          {data.bills.length === 0 && <p className="quiet">There are no bills yet.</p>}
          <ul className="list">
            {data.bills.map((bill) => (
              <li key={bill.id}>
                <Go to={`/portal/bills/${bill.id}`}>
                  <strong>{money(bill.total_amount, bill.currency_id)}</strong>
                  <span>{[bill.number, bill.reference_number].filter(Boolean).join(' · ')}</span>
                  {leftToPay(bill) && <span>{leftToPay(bill)} left to pay</span>}
                  <span>{whenPaid(bill)}</span>
                  <State tone={toneOf(bill.state)}>{billWords[bill.state]}</State>
                </Go>
              </li>
            ))}
          </ul>
          <section aria-label="Invoices">
            <h2>Your invoices</h2>
            {data.invoices.length === 0 && <p className="quiet">None is waiting.</p>}
            <ul className="list">
              {data.invoices.map((invoice) => (
                <li key={invoice.id}>
                  <div className="row">
                    <strong>{amountsOf(invoice)}</strong>
                    <span>
                      {invoice.invoice_number} · sent {dayOf(invoice.created_at)}
                    </span>
                    <State>{invoiceWords[invoice.state]}</State>
                  </div>
                </li>
              ))}
            </ul>
            <p>
              <Go to="/portal/invoice" className="button">
                Send an invoice
              </Go>
            </p>
          </section>
        </>
      )}
    </>
  )
}

export function toneOf(state: Bill['state']): 'good' | 'open' | 'bad' | 'quiet' {
  return state === 'paid' ? 'good' : state === 'approved' ? 'open' : state === 'rejected' ? 'bad' : 'quiet'
}
