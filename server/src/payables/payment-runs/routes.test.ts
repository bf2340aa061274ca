import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { validateXML } from 'xmllint-wasm'
import { type Books, booksOf, faultsOf, type Json } from '../../../test/books/books.ts'
import { readPdf } from '../../../test/pdf.ts'
import { type Person, personIn } from '../../../test/people.ts'
import { newCaller, type Service, sharedService } from '../../../test/service.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { verifyPayouts } from '../upkeep/verify.ts'

const service = await sharedService()
const runs = '/api/v1/payment_runs'
const payees = '/api/v1/payees'
const bills = '/api/v1/bills'
const code = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().error_code]

export type Office = { maker: Person & Books; approver: Person; org: string }

async function office(of: Service = service): Promise<Office> {
  const { org } = await newCaller(of)
  const person = await personIn(of, org)
  return { maker: { ...person, ...booksOf(person) }, approver: await personIn(of, org, 'admin'), org }
}

/** An approved payee. Answers the carrier that it is of. */
async function payee({ maker, approver }: Office, body: object = {}): Promise<{ id: string; carrier: string }> {
  const details = { routing_number: '021000021', account_number: '000123456789' }
  const made = (
    await maker.call('POST', payees, {
      partner_carrier_id: newId(),
      name: 'Cascade Carriers LLC',
      method: 'ach',
      bank_details: details,
      ...body,
    })
  ).json().payee
  assert.equal(
    (await approver.call('POST', `${payees}/${made.id}/changes/${made.waiting_change.id}/approve`)).statusCode,
    200,
  )
  return { id: made.id, carrier: made.partner_carrier_id }
}

const owed = ({ maker }: Office, carrier: string, total = 1000, body: object = {}) =>
  maker.bill('sent', {
    partner_carrier_id: carrier,
    sub_total_amount: total,
    due_date: '2026-11-01',
    bill_date: '2026-10-01',
    reference_number: `INV-${total}`,
    ...body,
  })

const asked = { due_until: '2026-11-20', currency_id: 'usd', pay_on: '2026-11-16' }

async function newRun({ maker }: Office, body: object = {}): Promise<Json & { id: string; status: string }> {
  const answer = await maker.call('POST', runs, { ...asked, ...body })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().payment_run
}

async function issued(of: Office, body: object = {}): Promise<Json & { id: string }> {
  const run = await newRun(of, body)
  assert.equal((await of.approver.call('POST', `${runs}/${run.id}/approve`)).statusCode, 200)
  const answer = await of.maker.call('POST', `${runs}/${run.id}/issue`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().payment_run
}

type Part = Json & {
  payment_id: string
  amount: number
  payee_id: string
  status: string
  bills: { bill_id: string; amount: number; discount_amount: number; set_off_amount: number }[]
  set_offs: { id: string; credit_id: string | null; payment_id: string | null; number: string; amount: number }[]
}
const paymentsOf = async ({ maker }: Office, run: string): Promise<Part[]> =>
  (await maker.get(`${runs}/${run}/payments`)).json().payments
const money = ({ status_id, amount_paid, amount_due }: Json) => [status_id, amount_paid, amount_due]
const faults = async (org: string) => [
  ...(await faultsOf(service, [org])),
  ...(await verifyPayouts(service.pool, [org])),
]

describe('a payment run', { concurrency: true }, () => {
  test('chooses what is due, is approved by another person, and pays each carrier with one payment', async () => {
    const of = await office()
    const [first, second] = [
      await payee(of),
      await payee(of, { name: 'Blue Wire', method: 'check', address: { address_1: '1 Main St', city: 'Reno' } }),
    ]
    const paid = [
      await owed(of, first.carrier, 1000),
      await owed(of, first.carrier, -200),
      await owed(of, second.carrier, 500),
    ]
    await owed(of, first.carrier, 7000, { due_date: '2026-12-01' })
    await owed(of, first.carrier, 8000, { currency_id: 'eur' })
    const without = newId()
    await owed(of, without, 300)
    const run = await newRun(of)
    assert.deepEqual(
      [run.number, run.status, run.payment_count, run.bill_count, run.total_amount, run.left_out],
      ['RUN-000001', 'draft', 2, 3, 1300, [{ partner_carrier_id: without, reason: 'no_payee', bill_count: 1 }]],
    )
    const at = `${runs}/${run.id}`
    assert.deepEqual(code(await of.maker.call('POST', `${at}/issue`)), [409, 'run_not_approved'])
    assert.deepEqual(code(await of.maker.call('POST', `${at}/approve`)), [403, 'second_person_required'])
    assert.deepEqual(code(await of.approver.get(`${at}/files/csv`, { accept: '*/*' })), [409, 'run_not_issued'])
    // Its drafts are payments, which change through the run alone.
    for (const { payment_id } of await paymentsOf(of, run.id)) {
      const draft = `/api/v1/payments/${payment_id}`
      assert.equal((await of.maker.read(draft)).payment_run_id, run.id)
      for (const [method, url, body] of [
        ['POST', `${draft}/issue`, undefined],
        ['DELETE', draft, undefined],
        ['PUT', draft, { amount: 1 }],
      ] as const)
        assert.deepEqual(code(await of.maker.call(method, url, body)), [409, 'in_payment_run'])
    }
    assert.equal((await of.approver.call('POST', `${at}/approve`)).json().payment_run.status, 'approved')
    const done = (await of.maker.call('POST', `${at}/issue`)).json().payment_run
    assert.deepEqual([done.status, done.total_amount], ['issued', 1300])
    for (const { id, total_amount } of paid)
      assert.deepEqual(money(await of.maker.read(`${bills}/${id}`)), ['paid', total_amount, 0])
    assert.deepEqual((await paymentsOf(of, run.id)).map(({ amount, status }) => [amount, status]).sort(), [
      [500, 'issued'],
      [800, 'issued'],
    ])
    // Whoever asks again is answered with what is there.
    const again = await of.maker.call('POST', `${at}/issue`)
    assert.deepEqual([again.statusCode, again.json().payment_run], [200, done])
    for (const { payment_id } of await paymentsOf(of, run.id))
      assert.deepEqual(code(await of.maker.call('POST', `/api/v1/payments/${payment_id}/void`, { reason: 'x' })), [
        409,
        'in_payment_run',
      ])
    for (const [method, url] of [
      ['DELETE', at],
      ['DELETE', `${at}/bills/${paid[0]?.id}`],
    ] as const)
      assert.deepEqual(code(await of.maker.call(method, url)), [409, 'run_is_issued'])
    assert.deepEqual(code(await of.maker.call('POST', runs, { ...asked, partner_carrier_ids: [first.carrier] })), [
      409,
      'nothing_due',
    ])
    const history = (await of.maker.get(`${at}/history`)).json().events.map(({ type }: { type: string }) => type)
    assert.deepEqual(history, ['payment_run.issued', 'payment_run.approved', 'payment_run.created'])
    assert.deepEqual(await faults(of.org), [])
  })

  test('keeps how its payments are made and what it paid: neither a new method nor a document that is reopened changes it', async () => {
    const of = await office()
    const { carrier } = await payee(of)
    const prepaid = (
      await of.maker.call('POST', '/api/v1/payments', {
        partner_carrier_id: carrier,
        currency_id: 'usd',
        amount: 300,
        method: 'wire',
      })
    ).json()
    const bill = await owed(of, carrier, 1000)
    const run = await issued(of, { set_off_credits: true })
    const [part] = (await paymentsOf(of, run.id)) as [Part]
    assert.deepEqual([part.amount, part.set_offs[0]?.payment_id], [700, prepaid.payment.id])
    for (const id of [part.payment_id, prepaid.payment.id])
      for (const method of ['check', 'recorded'])
        assert.deepEqual(code(await of.maker.call('PUT', `/api/v1/payments/${id}`, { method })), [
          409,
          'in_payment_run',
        ])
    const noted = await of.maker.call('PUT', `/api/v1/payments/${part.payment_id}`, {
      notes: 'Called the bank',
      method: 'ach',
    })
    assert.equal(noted.statusCode, 200, noted.body)
    assert.deepEqual(code(await of.maker.call('POST', `${bills}/${bill.id}/reopen`, { reason: 'x' })), [
      409,
      'paid_by_payments',
    ])
    assert.deepEqual(await faults(of.org), [])
  })

  test('that is not issued yet is changed and deleted also when its day is in a period that was closed since', async () => {
    const of = await office()
    const { carrier } = await payee(of)
    const [first] = [await owed(of, carrier, 1000), await owed(of, carrier, 300)]
    const run = await newRun(of)
    const closed = await of.approver.call('POST', '/api/v1/accounting_periods', {
      starts_on: '2026-11-01',
      ends_on: '2026-11-17',
    })
    assert.equal(
      (await of.approver.call('POST', `/api/v1/accounting_periods/${closed.json().accounting_period.id}/close`))
        .statusCode,
      200,
      closed.body,
    )
    const at = `${runs}/${run.id}`
    assert.equal((await of.maker.call('DELETE', `${at}/bills/${first.id}`)).json().payment_run.total_amount, 300)
    await of.approver.call('POST', `${at}/approve`)
    assert.deepEqual(code(await of.maker.call('POST', `${at}/issue`)), [409, 'period_closed'])
    assert.equal((await of.maker.call('DELETE', at)).statusCode, 204)
    assert.equal((await newRun(of, { pay_on: '2026-11-18' })).total_amount, 1300)
  })

  test('of which a bill is taken out pays the others, and is a draft again; one whose bills changed is refused as a whole', async () => {
    const of = await office()
    const { carrier } = await payee(of)
    const [kept, out, changed] = [
      await owed(of, carrier, 1000),
      await owed(of, carrier, 300),
      await owed(of, carrier, 50),
    ]
    const run = await newRun(of)
    const at = `${runs}/${run.id}`
    await of.approver.call('POST', `${at}/approve`)
    const without = (await of.maker.call('DELETE', `${at}/bills/${out.id}`)).json().payment_run
    assert.deepEqual(
      [without.status, without.bill_count, without.total_amount, without.approved_by],
      ['draft', 2, 1050, null],
    )
    assert.equal((await of.maker.call('DELETE', `${at}/bills/${out.id}`)).statusCode, 404)
    await of.approver.call('POST', `${at}/approve`)
    await of.maker.call('POST', `${bills}/${changed.id}/pay`, { amount: 10 })
    const refused = await of.maker.call('POST', `${at}/issue`)
    assert.deepEqual([code(refused), refused.json().details.length], [[409, 'run_out_of_date'], 1])
    assert.deepEqual(money(await of.maker.read(`${bills}/${kept.id}`)), ['sent', 0, 1000])
    await of.maker.call('DELETE', `${at}/bills/${changed.id}`)
    await of.approver.call('POST', `${at}/approve`)
    assert.equal((await of.maker.call('POST', `${at}/issue`)).json().payment_run.total_amount, 1000)
    // What was taken out can be chosen again, and a run that is deleted lets go of its bills.
    const next = await newRun(of)
    assert.deepEqual([next.bill_count, next.total_amount], [2, 340])
    assert.equal((await of.maker.call('DELETE', `${runs}/${next.id}`)).statusCode, 204)
    const empty = await newRun(of)
    for (const { id } of [out, changed])
      assert.equal((await of.maker.call('DELETE', `${runs}/${empty.id}/bills/${id}`)).statusCode, 200)
    assert.deepEqual(code(await of.approver.call('POST', `${runs}/${empty.id}/approve`)), [409, 'run_is_empty'])
    assert.deepEqual(await faults(of.org), [])
  })

  test('chooses a bill without a due date by its own date, and says of what it does not choose why', async () => {
    const of = await office()
    const [first, second] = [await payee(of), await payee(of)]
    const undated = await owed(of, first.carrier, 1000, { due_date: null })
    assert.equal(undated.due_date, null)
    await owed(of, second.carrier, 300, { due_date: null, bill_date: '2026-12-05' })
    const run = await newRun(of)
    assert.deepEqual([run.bill_count, run.total_amount], [1, 1000])
    const without = newId()
    await owed(of, without, 70)
    await owed(of, null as unknown as string, 80)
    const refused = await of.maker.call('POST', runs, asked)
    assert.deepEqual(code(refused), [409, 'nothing_due'])
    const { error_message, details } = refused.json()
    assert.match(
      error_message,
      /1 carrier has no payee; 1 bill is due later, on 2026-12-05; 1 bill is in another run; 1 bill names no carrier\./,
    )
    assert.deepEqual(
      details.map(({ code, allowed }: Json) => [code, allowed]),
      [['no_payee', [without]]],
    )
    assert.match(
      error_message,
      /\. Make a payee for each carrier that has none, or choose a later day, or see to the other run, or give each bill a carrier\.$/,
    )
  })

  test('that has nothing to pay advises what helps against the cause, and takes no empty list of carriers', async () => {
    const of = await office()
    const adviceOf = async (more = {}) => {
      const refused = await of.maker.call('POST', runs, { ...asked, ...more })
      assert.deepEqual(code(refused), [409, 'nothing_due'])
      return refused.json().error_message
    }
    assert.match(await adviceOf(), /paid\. No bill is open in this currency/)
    const without = newId()
    await owed(of, without, 70)
    assert.match(await adviceOf(), /has no payee\. Make a payee for each carrier that has none\.$/)
    const { carrier } = await payee(of)
    await owed(of, carrier, 300, { due_date: '2026-12-05' })
    assert.match(await adviceOf({ partner_carrier_ids: [carrier] }), /on 2026-12-05\. Choose a later day\.$/)
    const empty = await of.maker.call('POST', runs, { ...asked, partner_carrier_ids: [] })
    assert.deepEqual(
      [empty.statusCode, empty.json().details[0].message],
      [400, '"partner_carrier_ids" cannot be an empty list.'],
    )
  })

  test('has no bill that is not approved where approvals are on, names their carriers, and is not issued while one of its bills is not approved any more', async () => {
    const of = await office()
    const { carrier } = await payee(of)
    assert.equal((await of.approver.call('PUT', '/api/v1/organization', { approvals: 'on' })).statusCode, 200)
    const [good, other, pending, rejected] = [
      await owed(of, carrier, 1000),
      await owed(of, carrier, 300),
      await owed(of, carrier, 50),
      await owed(of, carrier, 60),
    ]
    const approve = (id: string) => of.approver.call('POST', `${bills}/${id}/approve`)
    const waiting = await of.maker.call('POST', runs, asked)
    assert.deepEqual(code(waiting), [409, 'nothing_due'])
    assert.match(waiting.json().error_message, /not approved/)
    for (const { id } of [good, other, rejected]) assert.equal((await approve(id)).statusCode, 200)
    assert.equal(
      (await of.approver.call('POST', `${bills}/${rejected.id}/reject`, { reason: 'Not agreed' })).statusCode,
      200,
    )
    const run = await newRun(of)
    const at = `${runs}/${run.id}`
    assert.deepEqual(
      [run.bill_count, run.total_amount, run.left_out],
      [2, 1300, [{ partner_carrier_id: carrier, reason: 'not_approved', bill_count: 2 }]],
    )
    assert.equal((await of.approver.call('POST', `${at}/approve`)).statusCode, 200)
    // Its amount is the same, and it is another bill than the one that was approved.
    await of.maker.call('PUT', `${bills}/${other.id}`, { notes: 'Pay to a new account' })
    assert.equal((await of.maker.read(`${bills}/${other.id}`)).approval_status, 'pending')
    const refused = await of.maker.call('POST', `${at}/issue`)
    assert.deepEqual([code(refused), refused.json().details.length], [[409, 'not_approved'], 1])
    assert.ok(
      refused.json().error_message.includes(other.number) && refused.json().details[0].message.includes(other.id),
      refused.body,
    )
    for (const { id, total_amount } of [good, other])
      assert.deepEqual(money(await of.maker.read(`${bills}/${id}`)).slice(1), [0, total_amount])
    assert.equal((await of.maker.read(at)).status, 'approved')
    assert.equal((await approve(other.id)).statusCode, 200)
    assert.equal((await of.maker.call('POST', `${at}/issue`)).json().payment_run.total_amount, 1300)
    for (const { id } of [pending, rejected]) assert.equal((await of.maker.read(`${bills}/${id}`)).amount_paid, 0)
    assert.deepEqual(await faults(of.org), [])
  })

  test('mails each payee the advice of its payments once it is issued, to the address that it has then and to no other', async () => {
    const of = await office()
    const [first, second] = [await payee(of, { remittance_email: 'ar@cascade.example' }), await payee(of)]
    for (const { carrier } of [first, second]) await owed(of, carrier)
    const draft = await newRun(of)
    const at = `${runs}/${draft.id}`
    assert.deepEqual(code(await of.maker.call('POST', `${at}/send`)), [409, 'run_not_issued'])
    await of.approver.call('POST', `${at}/approve`)
    await of.maker.call('POST', `${at}/issue`)
    type Mail = {
      id: string
      to: string[]
      kind: string
      record_type: string
      record_id: string
      subject: string
      body_text: string
      attachments: { media_type: string }[]
    }
    const mails = async (): Promise<Mail[]> =>
      (await of.maker.get('/api/v1/mails?limit=50')).json().mails.filter(({ kind }: Mail) => kind === 'remittance')
    assert.deepEqual(await mails(), [])
    const sent = await of.maker.call('POST', `${at}/send`)
    assert.equal(sent.statusCode, 200, sent.body)
    const paid = (await paymentsOf(of, draft.id)).find(({ payee_id }) => payee_id === first.id)
    const [mail, ...others] = await mails()
    const { mailed, mailed_to, mail_ids, not_mailed_because } = sent.json()
    assert.deepEqual([mailed, mailed_to, mail_ids], [true, ['ar@cascade.example'], [mail?.id]])
    assert.match(not_mailed_because, /^No "remittance_email" is known for /)
    assert.deepEqual(
      [mail?.to, mail?.record_type, mail?.record_id, others.length],
      [['ar@cascade.example'], 'payment', paid?.payment_id, 0],
    )
    assert.deepEqual(
      mail?.attachments.map(({ media_type }) => media_type),
      ['application/pdf'],
    )
    assert.doesNotMatch(`${mail?.subject} ${mail?.body_text}`, /6789|021000021/)
    const [event] = (await of.maker.get(`${at}/history`)).json().events
    assert.equal(event.type, 'payment_run.advised')
  })

  test('at the same time as others takes each bill once, and issued ten times at once pays once', async () => {
    const of = await office()
    const carriers = [await payee(of), await payee(of), await payee(of)]
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, index) => owed(of, carriers[index % 3]?.carrier as string, 100 + index)),
    )
    const made = await Promise.all(Array.from({ length: 6 }, () => of.maker.call('POST', runs, asked)))
    const there = made.filter(({ statusCode }) => statusCode === 201).map((answer) => answer.json().payment_run)
    assert.ok(
      there.length > 0 &&
        made.every((answer) => answer.statusCode === 201 || answer.json().error_code === 'nothing_due'),
    )
    assert.equal(
      there.reduce((count, run) => count + run.bill_count, 0),
      all.length,
    )
    for (const { id } of there) {
      await of.approver.call('POST', `${runs}/${id}/approve`)
      const answers = await Promise.all(Array.from({ length: 10 }, () => of.maker.call('POST', `${runs}/${id}/issue`)))
      assert.ok(answers.every(({ statusCode }) => statusCode === 200))
    }
    for (const { id } of all) {
      const settled = (await of.maker.get(`${bills}/${id}/payments`)).json().payments
      assert.equal(settled.length, 1)
    }
    assert.deepEqual(await faults(of.org), [])
  })

  test('waits for a change of a payee, and pays the factoring company once an assignment is approved, which its history and that of the payment say', async () => {
    const of = await office()
    const { id, carrier } = await payee(of)
    const factor = await payee(of, {
      partner_carrier_id: null,
      name: 'Swift Factoring',
      method: 'wire',
      bank_details: { iban: 'DE89370400440532013000' },
    })
    await owed(of, carrier, 1000)
    const run = await newRun(of)
    const at = `${runs}/${run.id}`
    await of.approver.call('POST', `${at}/approve`)
    const assigned = (
      await of.maker.call('PUT', `${payees}/${id}`, {
        factor_payee_id: factor.id,
        notice_of_assignment_on: '2026-11-10',
      })
    ).json().payee
    assert.deepEqual(code(await of.maker.call('POST', `${at}/issue`)), [409, 'payee_change_waiting'])
    await owed(of, carrier, 70)
    assert.deepEqual(code(await of.maker.call('POST', runs, asked)), [409, 'nothing_due'])
    await of.approver.call('POST', `${payees}/${id}/changes/${assigned.waiting_change.id}/approve`)
    assert.equal((await of.maker.read(at)).status, 'draft', 'what was approved has changed')
    const [part] = await paymentsOf(of, run.id)
    assert.deepEqual([part?.payee_id, part?.payee_name, part?.method], [factor.id, 'Swift Factoring', 'wire'])
    const [event] = (await of.maker.get(`/api/v1/payments/${part?.payment_id}/history`)).json().events
    assert.deepEqual([event.type, event.previous], ['payment.updated', { method: 'ach' }])
    const [directed] = (await of.maker.get(`${at}/history`)).json().events
    assert.deepEqual([directed.type, directed.previous.payments[0].payee_id], ['payment_run.updated', id])
    await of.approver.call('POST', `${at}/approve`)
    assert.equal((await of.maker.call('POST', `${at}/issue`)).statusCode, 200)
    // Where it went stays as it was, whatever becomes of the payee.
    const renamed = (await of.maker.call('PUT', `${payees}/${factor.id}`, { name: 'Other Name' })).json().payee
    await of.approver.call('POST', `${payees}/${factor.id}/changes/${renamed.waiting_change.id}/approve`)
    assert.equal((await paymentsOf(of, run.id))[0]?.payee_name, 'Swift Factoring')
    assert.deepEqual(code(await of.maker.call('DELETE', `${payees}/${factor.id}`)), [409, 'payee_in_use'])
    assert.deepEqual(await faults(of.org), [])
  })

  test('takes off what a carrier gives for early payment, by a credit that settles the rest of each bill; a return takes all of it back', async () => {
    const of = await office()
    const { carrier } = await payee(of, { quick_pay_days: 20, quick_pay_percent: '2.5' })
    const term = (await of.maker.make('/api/v1/pay_terms', {
      name: '3/50 net 60',
      number_of_days: 60,
      discount_days: 50,
      discount_percent: '3',
    })) as {
      id: string
    }
    const [quick, early, late] = [
      await owed(of, carrier, 999, { bill_date: '2026-11-01' }),
      await owed(of, carrier, 1000, { bill_date: '2026-11-01', pay_term_id: term.id }),
      await owed(of, carrier, 500, { bill_date: '2026-10-01' }),
    ]
    const run = await issued(of)
    assert.deepEqual([run.total_amount, run.discount_amount], [999 + 1000 + 500 - 25 - 30, 55])
    const [part] = await paymentsOf(of, run.id)
    const discounts = Object.fromEntries(
      (part as Part).bills.map(({ bill_id, discount_amount }) => [bill_id, discount_amount]),
    )
    assert.deepEqual([discounts[quick.id], discounts[early.id], discounts[late.id]], [25, 30, 0])
    for (const { id, total_amount } of [quick, early, late])
      assert.deepEqual(money(await of.maker.read(`${bills}/${id}`)), ['paid', total_amount, 0])
    const credit = await of.maker.read(`/api/v1/credits/${part?.credit_id}`)
    assert.deepEqual([credit.status_id, credit.total_amount], ['paid', 55])
    const [advice] = (await of.maker.get(`${runs}/${run.id}/remittance_advices`)).json().remittance_advices
    assert.deepEqual(
      [advice.payee_name, advice.total_amount, advice.payments[0].bills.length],
      ['Cascade Carriers LLC', 2444, 3],
    )
    assert.deepEqual(await faults(of.org), [])
    const back = await of.maker.call('POST', `/api/v1/payments/${part?.payment_id}/return`, {
      reason: 'No account',
      code: 'R03',
    })
    assert.deepEqual(
      [back.statusCode, back.json().payment.status, back.json().payment.void_reason],
      [200, 'voided', 'Returned (R03): No account'],
    )
    for (const { id, total_amount } of [quick, early, late])
      assert.deepEqual(money(await of.maker.read(`${bills}/${id}`)), ['sent', 0, total_amount])
    assert.notEqual((await of.maker.read(`/api/v1/credits/${part?.credit_id}`)).voided_at, null)
    const [returned] = await paymentsOf(of, run.id)
    assert.deepEqual(
      [returned?.return_code, returned?.return_reason, (await of.maker.read(`${runs}/${run.id}`)).returned_count],
      ['R03', 'No account', 1],
    )
    assert.equal((await issued(of)).bill_count, 3, 'they can be paid by another run')
    assert.deepEqual(await faults(of.org), [])
  })

  test('counts the days for early payment in the time zone of the organization, also where the date of a bill is a moment', async () => {
    const of = await office()
    assert.equal((await of.approver.call('PUT', '/api/v1/organization', { time_zone: 'Asia/Tokyo' })).statusCode, 200)
    const { carrier } = await payee(of, { quick_pay_days: 10, quick_pay_percent: '2' })
    // The first two are of the 7th in Tokyo, the last is of the 6th.
    const dates = ['2026-11-07', '2026-11-06T23:00:00.000Z', '2026-11-06T14:00:00.000Z']
    const made = await Promise.all(dates.map((bill_date) => owed(of, carrier, 1000, { bill_date })))
    const run = await newRun(of, { pay_on: '2026-11-17' })
    const [part] = await paymentsOf(of, run.id)
    const discounts = new Map(part?.bills.map(({ bill_id, discount_amount }) => [bill_id, discount_amount]))
    assert.deepEqual(
      made.map(({ id }) => discounts.get(id)),
      [20, 20, 0],
    )
  })

  test('has a payment that came back answered as it is when its return is asked for again, also at the same time, and records it once', async () => {
    const of = await office()
    const [early, plain] = [await payee(of, { quick_pay_days: 50, quick_pay_percent: '2' }), await payee(of)]
    for (const { carrier } of [early, plain]) await owed(of, carrier)
    const run = await issued(of)
    for (const { payment_id } of await paymentsOf(of, run.id)) {
      const at = `/api/v1/payments/${payment_id}`
      const codes = ['R03', 'R01', 'R02']
      const answers = await Promise.all(
        codes.map((sent) => of.maker.call('POST', `${at}/return`, { reason: `Why ${sent}`, code: sent })),
      )
      const returned = await of.maker.read(at)
      for (const answer of answers)
        assert.deepEqual([answer.statusCode, answer.json().payment], [200, returned], answer.body)
      const before = [await paymentsOf(of, run.id), await of.maker.read(`${runs}/${run.id}`)]
      const again = await of.maker.call('POST', `${at}/return`, { reason: 'Closed', code: 'R16' })
      assert.deepEqual([again.statusCode, again.json().payment], [200, returned], again.body)
      assert.deepEqual([await paymentsOf(of, run.id), await of.maker.read(`${runs}/${run.id}`)], before)
      const shown = (await paymentsOf(of, run.id)).find((one) => one.payment_id === payment_id)
      assert.equal(returned.void_reason, `Returned (${shown?.return_code}): ${shown?.return_reason}`)
    }
    const history = (await of.maker.get(`${runs}/${run.id}/history`))
      .json()
      .events.map(({ type }: { type: string }) => type)
    assert.equal(history.filter((type: string) => type === 'payment_run.payment_returned').length, 2)
    assert.deepEqual(await faults(of.org), [])
  })
})

describe('what a carrier owes', { concurrency: true }, () => {
  const credits = '/api/v1/credits'
  const payments = '/api/v1/payments'

  /** A credit that the carrier gave. */
  async function credit({ maker }: Office, carrier: string, amount: number, body: object = {}): Promise<string> {
    const { id } = await maker.make(credits, {
      direction: 'out',
      partner_carrier_id: carrier,
      currency_id: 'usd',
      items: [{ unit_price: amount }],
      ...body,
    })
    assert.equal((await maker.call('POST', `${credits}/${id}/save`)).statusCode, 200)
    return id
  }

  /** A payment to the carrier that settles nothing yet. */
  const prepaid = async ({ maker }: Office, carrier: string, amount: number): Promise<string> =>
    (await maker.make(payments, { partner_carrier_id: carrier, currency_id: 'usd', amount, method: 'wire' })).id
  const left = async ({ maker }: Office, id: string) => (await maker.read(`${credits}/${id}`)).amount_due

  test('is set off against its bills: the payment, the files and the advice have the rest, every sum can be followed, and a return takes all of it back', async () => {
    const of = await office()
    const { carrier } = await payee(of, {
      quick_pay_days: 60,
      quick_pay_percent: '10',
      remittance_email: 'ar@cascade.example',
    })
    const [first, second] = [await owed(of, carrier, 500), await owed(of, carrier, 1000)]
    const [given, prepayment] = [
      await credit(of, carrier, 480, { reference_number: 'CM-5521' }),
      await prepaid(of, carrier, 70),
    ]
    // What is another party's, in another currency, a draft or used up is not.
    await credit(of, newId(), 33)
    await credit(of, carrier, 34, { currency_id: 'eur' })
    await of.maker.make(credits, {
      direction: 'out',
      partner_carrier_id: carrier,
      currency_id: 'usd',
      items: [{ unit_price: 35 }],
    })
    const run = await issued(of)
    // Of 1500 the carrier gives 150, and 550 is set off: the first bill wholly, and of the second the rest.
    assert.deepEqual(
      [run.set_off_credits, run.total_amount, run.discount_amount, run.set_off_amount],
      [true, 800, 150, 550],
    )
    const [part] = await paymentsOf(of, run.id)
    const parts = Object.fromEntries(
      (part as Part).bills.map(({ bill_id, ...bill }) => [
        bill_id,
        [bill.amount, bill.discount_amount, bill.set_off_amount],
      ]),
    )
    assert.deepEqual(
      [parts[first.id], parts[second.id]],
      [
        [0, 50, 450],
        [800, 100, 100],
      ],
    )
    assert.deepEqual(
      part?.set_offs.map(({ credit_id, payment_id, amount }) => [credit_id ?? payment_id, amount]).sort(),
      [
        [given, 480],
        [prepayment, 70],
      ].sort(),
    )
    for (const { id, total_amount } of [first, second])
      assert.deepEqual(money(await of.maker.read(`${bills}/${id}`)), ['paid', total_amount, 0])
    assert.deepEqual(
      [await left(of, given), (await of.maker.read(`${payments}/${prepayment}`)).unallocated_amount],
      [0, 0],
    )
    const [advice] = (await of.maker.get(`${runs}/${run.id}/remittance_advices`)).json().remittance_advices
    assert.deepEqual(
      [advice.total_amount, advice.payments[0].set_offs, advice.payments[0].bills.length],
      [800, part?.set_offs, 2],
    )
    const csv = (await of.approver.get(`${runs}/${run.id}/files/csv`, { accept: '*/*' })).body
    assert.match(csv, /,8\.00,USD,/)
    const { text: paper } = await readPdf(
      (await of.maker.get(`${payments}/${part?.payment_id}/pdf`, { accept: 'application/pdf' })).rawPayload,
    )
    for (const said of ['CM-5521', '-4.80', '8.00', 'Set off', 'Early payment'])
      assert.ok(paper.includes(said), `${said} in ${paper}`)
    assert.deepEqual(await faults(of.org), [])

    // What the run has applied is taken back with its payment, and in no other way.
    const [applied] = (await of.maker.get(`${credits}/${given}/payments`)).json().payments
    const [allocated] = (await of.maker.read(`${payments}/${prepayment}`)).allocations as { id: string }[]
    for (const [method, url, body] of [
      ['DELETE', `${credits}/${given}/allocations/${applied.id}`, undefined],
      ['DELETE', `${payments}/${prepayment}/allocations/${allocated?.id}`, undefined],
      ['POST', `${payments}/${prepayment}/void`, { reason: 'x' }],
      ['POST', `${payments}/${prepayment}/return`, { reason: 'x' }],
    ] as const)
      assert.deepEqual(code(await of.maker.call(method, url, body)), [409, 'in_payment_run'], url)
    assert.equal(
      (await of.maker.call('POST', `${payments}/${part?.payment_id}/return`, { reason: 'No account' })).statusCode,
      200,
    )
    for (const { id, total_amount } of [first, second])
      assert.deepEqual(money(await of.maker.read(`${bills}/${id}`)), ['sent', 0, total_amount])
    assert.deepEqual(
      [await left(of, given), (await of.maker.read(`${payments}/${prepayment}`)).unallocated_amount],
      [480, 70],
    )
    assert.deepEqual(await faults(of.org), [])
    const again = await issued(of)
    assert.deepEqual([again.total_amount, again.set_off_amount], [800, 550], 'another run sets it off')
    assert.deepEqual(await faults(of.org), [])
  })

  test('is in one run at a time, can be taken out, follows a bill that is taken out, and refuses the issue where it was used up', async () => {
    const of = await office()
    const { carrier } = await payee(of)
    const [small, large] = [await owed(of, carrier, 300), await owed(of, carrier, 1000)]
    const [one, two] = [await credit(of, carrier, 200), await credit(of, carrier, 150)]
    const run = await newRun(of)
    const at = `${runs}/${run.id}`
    assert.deepEqual([run.total_amount, run.set_off_amount], [950, 350])
    // The next run has other bills of the carrier, and what is set off already is not there for it.
    await owed(of, carrier, 5000)
    const other = await newRun(of)
    assert.deepEqual([other.total_amount, other.set_off_amount], [5000, 0])
    assert.equal((await of.maker.call('DELETE', `${runs}/${other.id}`)).statusCode, 204)
    const set = async () => (await paymentsOf(of, run.id))[0]?.set_offs ?? []
    await of.approver.call('POST', `${at}/approve`)
    const without = (await of.maker.call('DELETE', `${at}/bills/${small.id}`)).json().payment_run
    assert.deepEqual([without.status, without.total_amount, without.set_off_amount], ['draft', 650, 350])
    assert.deepEqual(
      (await paymentsOf(of, run.id))[0]?.bills.map(({ amount, set_off_amount }) => [amount, set_off_amount]),
      [[650, 350]],
    )
    const out = (await set()).find(({ credit_id }) => credit_id === one)
    await of.approver.call('POST', `${at}/approve`)
    const less = (await of.maker.call('DELETE', `${at}/set_offs/${out?.id}`)).json().payment_run
    assert.deepEqual([less.status, less.total_amount, less.set_off_amount], ['draft', 850, 150])
    assert.equal((await of.maker.call('DELETE', `${at}/set_offs/${out?.id}`)).statusCode, 404)
    assert.deepEqual(await faults(of.org), [])
    // Applied by hand meanwhile: all of the run is refused, and names it.
    await of.maker.call('POST', `${credits}/${two}/apply`, { allocations: [{ bill_id: small.id, amount: 1 }] })
    await of.approver.call('POST', `${at}/approve`)
    const refused = await of.maker.call('POST', `${at}/issue`)
    assert.deepEqual([code(refused), refused.json().details[0].code], [[409, 'run_out_of_date'], 'set_off_has_changed'])
    assert.ok(refused.body.includes(two), refused.body)
    assert.deepEqual(money(await of.maker.read(`${bills}/${large.id}`)), ['sent', 0, 1000])
    assert.equal((await of.maker.call('DELETE', `${at}/set_offs/${(await set())[0]?.id}`)).statusCode, 200)
    await of.approver.call('POST', `${at}/approve`)
    assert.equal((await of.maker.call('POST', `${at}/issue`)).json().payment_run.total_amount, 1000)
    assert.deepEqual(code(await of.maker.call('DELETE', `${at}/set_offs/${newId()}`)), [409, 'run_is_issued'])
    assert.deepEqual(await faults(of.org), [])
  })

  test('that comes to as much as its bills keeps it out of the run, and a run that is told not to set off pays whole', async () => {
    const of = await office()
    const [covered, plain] = [await payee(of), await payee(of)]
    await owed(of, covered.carrier, 300)
    const [bill] = [await owed(of, covered.carrier, 200), await owed(of, plain.carrier, 100)]
    await credit(of, covered.carrier, 400)
    const given = await credit(of, covered.carrier, 100)
    const run = await newRun(of)
    assert.deepEqual(
      [run.total_amount, run.left_out],
      [100, [{ partner_carrier_id: covered.carrier, reason: 'covered_by_credits', bill_count: 2 }]],
    )
    await of.maker.call('DELETE', `${runs}/${run.id}`)
    await of.maker.call('POST', `${credits}/${given}/void`, { reason: 'Not theirs' })
    const most = await newRun(of)
    assert.deepEqual([most.total_amount, most.set_off_amount], [200, 400])
    // Without this bill nothing would be left to pay.
    assert.deepEqual(code(await of.maker.call('DELETE', `${runs}/${most.id}/bills/${bill.id}`)), [
      409,
      'covered_by_credits',
    ])
    await of.maker.call('DELETE', `${runs}/${most.id}`)
    const whole = await issued(of, { set_off_credits: false })
    assert.deepEqual([whole.set_off_credits, whole.total_amount, whole.set_off_amount], [false, 600, 0])
    assert.deepEqual(await faults(of.org), [])
  })

  test('is set off once by runs that are made at the same time', async () => {
    const of = await office()
    const { carrier } = await payee(of)
    await credit(of, carrier, 90)
    await prepaid(of, carrier, 60)
    const days = ['2026-10-01', '2026-10-02', '2026-10-03', '2026-10-04']
    for (const due_date of days) await owed(of, carrier, 1000, { due_date })
    const made = await Promise.all(days.map((due_until) => of.maker.call('POST', runs, { ...asked, due_until })))
    const there = made.filter(({ statusCode }) => statusCode === 201).map((answer) => answer.json().payment_run)
    assert.ok(made.every((answer) => answer.statusCode === 201 || answer.json().error_code === 'nothing_due'))
    assert.equal(
      there.reduce((sum, run) => sum + run.set_off_amount, 0),
      150,
    )
    for (const { id } of there) {
      await of.approver.call('POST', `${runs}/${id}/approve`)
      assert.equal((await of.maker.call('POST', `${runs}/${id}/issue`)).statusCode, 200)
    }
    assert.deepEqual(await faults(of.org), [])
  })
})

describe('the files of a payment run', { concurrency: true }, () => {
  const account = {
    name: 'Blue Ridge Freight Brokers',
    company_id: '1234567890',
    bank_details: { routing_number: '091000019', account_number: '777888999' },
  }
  const wire = (iban: string) => ({ method: 'wire', bank_details: { iban, bic: 'COBADEFFXXX' } })
  const file = (of: Office, run: string, format: string) =>
    of.approver.get(`${runs}/${run}/files/${format}`, { accept: '*/*' })

  async function paidRun(): Promise<{ of: Office; run: string; total: number }> {
    const of = await office()
    assert.equal((await of.approver.call('PUT', '/api/v1/paying_accounts/usd', account)).statusCode, 200)
    const ach = await payee(of, { name: 'Łódź & Søns <Transport>' })
    const savings = await payee(of, {
      bank_details: { routing_number: '121000358', account_number: '42', account_type: 'savings' },
    })
    const [iban, other] = [
      await payee(of, wire('DE89370400440532013000')),
      await payee(of, { method: 'wire', bank_details: { account_number: '123', routing_number: '021000021' } }),
    ]
    const check = await payee(of, { method: 'check', address: { address_1: '1 Main St', city: 'Reno' } })
    for (const [index, { carrier }] of [ach, savings, iban, other, check].entries())
      await owed(of, carrier, 100_00 + index)
    return { of, run: (await issued(of)).id, total: 100_00 + 100_01 }
  }

  test('as NACHA have records of 94 characters, whole blocks, sums and hash totals that are right, and the same bytes each time', async () => {
    const { of, run, total } = await paidRun()
    const answer = await file(of, run, 'nacha')
    assert.equal(answer.statusCode, 200, answer.body)
    assert.match(String(answer.headers['content-disposition']), /^attachment; filename="RUN-000001\.ach"$/)
    const lines = answer.body.split('\r\n').slice(0, -1)
    assert.ok(lines.length % 10 === 0 && lines.every((line) => /^[\x20-\x7e]{94}$/.test(line)))
    const of6 = lines.filter((line) => line[0] === '6')
    assert.deepEqual(lines.map((line) => line[0]).join(''), '1566890000'.replace('0000', '9999'))
    const hash = of6.reduce((sum, line) => sum + Number(line.slice(3, 11)), 0)
    const [batch, control] = [lines.find((line) => line[0] === '8') as string, lines[5] as string]
    assert.deepEqual(
      [batch.slice(4, 10), Number(batch.slice(10, 20)), Number(batch.slice(32, 44))],
      ['000002', hash, total],
    )
    assert.deepEqual(
      [control.slice(1, 7), control.slice(7, 13), control.slice(13, 21), Number(control.slice(21, 31))],
      ['000001', '000001', '00000002', hash],
    )
    assert.equal(Number(control.slice(43, 55)), total)
    assert.deepEqual(
      of6
        .map((line) => [line.slice(1, 3), line.slice(3, 12), line.slice(12, 29).trim(), Number(line.slice(29, 39))])
        .sort(),
      [
        ['22', '021000021', '000123456789', 100_00],
        ['32', '121000358', '42', 100_01],
      ],
    )
    assert.equal(lines[0]?.slice(4, 13), '091000019')
    assert.equal((await file(of, run, 'nacha')).body, answer.body)
    const [entry] = (await of.approver.get('/api/v1/security_events?types=payment_run.downloaded')).json()
      .security_events
    assert.equal(entry.actor.id, of.approver.id)
    assert.deepEqual(code(await of.maker.get(`${runs}/${run}/files/nacha`, { accept: '*/*' })), [403, 'right_required'])
    const payer = await personIn(service, of.org, 'payer')
    assert.equal((await payer.get(`${runs}/${run}/files/nacha`, { accept: '*/*' })).body, answer.body)
  })

  test('as pain.001 are valid by its schema, and hold what no other bank file holds; as CSV all', async () => {
    const { of, run } = await paidRun()
    const { body } = await file(of, run, 'pain001')
    const schema = readFileSync(new URL('../../../test/payouts/pain.001.001.09.xsd', import.meta.url), 'utf8')
    const check = (contents: string) => validateXML({ xml: [{ fileName: 'run.xml', contents }], schema: [schema] })
    const { valid, errors } = await check(body)
    assert.ok(valid, JSON.stringify(errors))
    assert.equal((await check(body.replace('<MsgId>', '<MsgId>x'.repeat(9)))).valid, false)
    assert.equal((await check(body.replace(/<EndToEndId>[^<]*<\/EndToEndId>/, ''))).valid, false)
    assert.deepEqual([...body.matchAll(/<InstdAmt Ccy="USD">([^<]*)</g)].map(([, amount]) => amount).sort(), [
      '100.02',
      '100.03',
    ])
    assert.match(body, /<NbOfTxs>2<\/NbOfTxs><CtrlSum>200\.05<\/CtrlSum>/)
    assert.equal((await file(of, run, 'pain001')).body, body)
    const csv = (await file(of, run, 'csv')).body.trim().split('\r\n')
    assert.equal(csv.length, 6)
    const inFile = csv
      .slice(1)
      .map((line) => line.split(',').slice(1, 3).join(' '))
      .sort()
    assert.deepEqual(inFile, ['ach nacha', 'ach nacha', 'check ', 'wire pain001', 'wire pain001'])
    assert.ok(csv.some((line) => line.includes('Łódź & Søns <Transport>')))
    // Where the bank takes ACH as pain.001 too, all of it is there, and nothing in a NACHA file.
    const other = await office()
    await other.approver.call('PUT', '/api/v1/paying_accounts/usd', { ...account, ach_file: 'pain001' })
    const ach = await payee(other, { name: 'Łódź & Søns <Transport>' })
    await owed(other, ach.carrier)
    const { id } = await issued(other)
    const xml = (await file(other, id, 'pain001')).body
    assert.ok((await check(xml)).valid && xml.includes('<Nm>Łódź &amp; Søns &lt;Transport&gt;</Nm>'))
    assert.deepEqual(code(await file(other, id, 'nacha')), [409, 'file_is_empty'])
  })

  test('need a paying account, whose details are masked, kept with the run as they were, and set by an admin', async () => {
    const of = await office()
    const { carrier } = await payee(of)
    await owed(of, carrier)
    const { id } = await issued(of)
    assert.deepEqual(code(await file(of, id, 'nacha')), [409, 'paying_account_missing'])
    assert.deepEqual(code(await of.maker.call('PUT', '/api/v1/paying_accounts/usd', account)), [403, 'admin_required'])
    assert.deepEqual(
      code(
        await of.approver.call('PUT', '/api/v1/paying_accounts/usd', {
          name: 'x',
          bank_details: { account_number: '1' },
        }),
      ),
      [400, 'bank_details_incomplete'],
    )
    assert.deepEqual(code(await of.approver.call('PUT', '/api/v1/paying_accounts/xxz', account)), [
      400,
      'unknown_currency',
    ])
    const made = (await of.approver.call('PUT', '/api/v1/paying_accounts/usd', account)).json().paying_account
    assert.deepEqual([made.bank_details.account_number, made.ach_file], ['•••••8999', 'nacha'])
    const first = (await file(of, id, 'nacha')).body
    assert.ok(first.includes('091000019'))
    await owed(of, carrier, 50)
    const next = await issued(of)
    const before = (await file(of, next.id, 'nacha')).body
    await of.approver.call('PUT', '/api/v1/paying_accounts/usd', {
      ...account,
      bank_details: { ...account.bank_details, routing_number: '021000021' },
    })
    assert.equal((await file(of, next.id, 'nacha')).body, before)
  })

  test('have a payment in one of them for good: a run that was issued before there was an account keeps that of its first bank file', async () => {
    const of = await office()
    const { carrier } = await payee(of)
    await owed(of, carrier)
    const { id } = await issued(of)
    const bankFile = async () => (await file(of, id, 'csv')).body.split('\r\n')[1]?.split(',')[2]
    const setAccount = (body: object) => of.approver.call('PUT', '/api/v1/paying_accounts/usd', { ...account, ...body })
    assert.equal(await bankFile(), '')
    // A file that is refused decides nothing.
    await setAccount({ company_id: null })
    assert.deepEqual(code(await file(of, id, 'nacha')), [409, 'paying_account_missing'])
    await setAccount({})
    const first = (await file(of, id, 'nacha')).body
    const [part] = await paymentsOf(of, id)
    await of.maker.call('PUT', `/api/v1/payments/${part?.payment_id}`, { method: 'wire' })
    await setAccount({
      ach_file: 'pain001',
      name: 'Other',
      bank_details: { routing_number: '021000021', account_number: '1' },
    })
    assert.deepEqual(code(await file(of, id, 'pain001')), [409, 'file_is_empty'])
    assert.deepEqual([(await file(of, id, 'nacha')).body === first, await bankFile()], [true, 'nacha'])
  })

  test('have the reference numbers that were issued, whatever becomes of the bills of a payment that came back', async () => {
    const of = await office()
    await of.approver.call('PUT', '/api/v1/paying_accounts/usd', account)
    const { carrier } = await payee(of, wire('DE89370400440532013000'))
    const [bill, plain] = [await owed(of, carrier), await owed(of, carrier, 50, { reference_number: null })]
    const { id } = await issued(of)
    const files = async () => [(await file(of, id, 'pain001')).body, (await file(of, id, 'csv')).body]
    const before = await files()
    for (const text of before)
      assert.ok(text.includes(`INV-1000 ${plain.number}`) || text.includes(`${plain.number} INV-1000`), text)
    const [part] = await paymentsOf(of, id)
    await of.maker.call('POST', `/api/v1/payments/${part?.payment_id}/return`, { reason: 'No account' })
    assert.equal((await of.maker.call('PUT', `${bills}/${bill.id}`, { reference_number: 'OTHER' })).statusCode, 200)
    assert.deepEqual(await files(), before)
  })
})
