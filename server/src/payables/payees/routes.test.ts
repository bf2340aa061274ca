import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { type Person, personIn } from '../../../test/people.ts'
import {
  applicationIn,
  type Caller,
  databaseOf,
  newCaller,
  openService,
  type Service,
  sharedService,
} from '../../../test/service.ts'
import { createJoinedUser } from '../../identity/users/actions.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import { deleteUnheld } from '../../platform/files/cleaning.ts'
import { openStorage } from '../../platform/files/storage/open.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { createObject } from '../../records/single/actions.ts'
import { rotateBankKeys, verifyBankDetails } from '../upkeep/rotating.ts'

const service = await sharedService()
const path = '/api/v1/payees'
const account = '000123456789'
const details = { bank_name: 'First Example Bank', routing_number: '021000021', account_number: account }
const masked = {
  bank_name: 'First Example Bank',
  account_type: 'checking',
  routing_number: '•••••0021',
  account_number: '••••••••6789',
  iban: null,
  bic: null,
}
const code = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().error_code]

type Payee = {
  id: string
  revision: number
  status: string
  method: string
  bank_details: unknown
  waiting_change: { id: string; fields: Record<string, unknown> } | null
}

/** An organization with two people, of whom one asks and the other approves. */
async function office(of: Service = service): Promise<{ asks: Person; approves: Person; org: string }> {
  const { org } = await newCaller(of)
  return { asks: await personIn(of, org), approves: await personIn(of, org, 'admin'), org }
}

async function make(caller: Caller, body: object = {}): Promise<Payee> {
  const answer = await caller.call('POST', path, {
    partner_carrier_id: newId(),
    name: 'Cascade Carriers LLC',
    method: 'ach',
    bank_details: details,
    ...body,
  })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().payee
}

const decide = (caller: Caller, { id, waiting_change }: Payee, decision = 'approve', body: object = {}) =>
  caller.call('POST', `${path}/${id}/changes/${waiting_change?.id}/${decision}`, body)

async function approved(asks: Caller, approves: Caller, body: object = {}): Promise<Payee> {
  const answer = await decide(approves, await make(asks, body))
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().payee
}

/** The addresses of the people of an organization. */
async function addressesOf(org: string): Promise<{ address(id: string): string }> {
  const rows = await service.database.pool.transaction(
    (run) => run<{ id: string; email: string }>(sql`select id::text as id, email from users where org_id = ${org}`),
    `begin; set local app.org_id = '${org}'`,
  )
  return { address: (id) => rows.find((row) => row.id === id)?.email as string }
}

describe('a payee', { concurrency: true }, () => {
  test('waits for a second person when it is new; who asked cannot approve, an application cannot either', async () => {
    const { asks, approves, org } = await office()
    const payee = await make(asks)
    assert.deepEqual([payee.status, payee.bank_details], ['waiting', masked])
    assert.deepEqual(payee.waiting_change?.fields, {
      name: 'Cascade Carriers LLC',
      method: 'ach',
      bank_details: masked,
    })
    assert.deepEqual(code(await decide(asks, payee)), [403, 'second_person_required'])
    assert.deepEqual(code(await decide(applicationIn(service, org), payee)), [403, 'person_required'])
    const done = await decide(approves, payee, 'approve', { note: 'Called them' })
    assert.deepEqual(
      [done.statusCode, done.json().payee.status, done.json().payee.waiting_change],
      [200, 'active', null],
    )
    assert.deepEqual(code(await decide(approves, payee)), [409, 'change_is_decided'])
    const [change] = (await asks.get(`${path}/${payee.id}/changes`)).json().payee_changes
    assert.deepEqual(
      [change.status, change.requested_by, change.decided_by, change.note, change.by_the_only_user],
      ['approved', asks.id, approves.id, 'Called them', false],
    )
    const history = (await asks.get(`${path}/${payee.id}/history`))
      .json()
      .events.map(({ type }: { type: string }) => type)
    assert.deepEqual(history, ['payee.change_approved', 'payee.change_requested', 'payee.created'])
  })

  test('of an organization with a single user is approved by that one, and the change says so', async () => {
    const { org } = await newCaller(service)
    const only = await personIn(service, org, 'admin')
    await createJoinedUser(systemContext(service.database, org), {
      ...{ email: `${newId()}@carrier.example`, name: 'Lee', role: 'partner', password: 'walnut parade orbit lantern' },
      partner_carrier_id: (
        await createObject(systemContext(service.database, org), 'partner', { name: 'Cascade' }, { extensions: [] })
      ).id,
    })
    const payee = await make(only)
    assert.equal((await decide(only, payee)).statusCode, 200)
    assert.equal((await only.get(`${path}/${payee.id}/changes`)).json().payee_changes[0].by_the_only_user, true)
    // With a colleague it needs that one again.
    await personIn(service, org)
    const changed = (await only.call('PUT', `${path}/${payee.id}`, { method: 'other' })).json().payee
    assert.deepEqual(code(await decide(only, changed)), [403, 'second_person_required'])
  })

  test('keeps where money goes until a change of it is approved, and applies the rest at once; a rejected change leaves nothing', async () => {
    const { asks, approves } = await office()
    const payee = await approved(asks, approves)
    const at = `${path}/${payee.id}`
    const body = { bank_details: { ...details, account_number: '55554444' }, remittance_email: 'ar@cascade.example' }
    const asked = await asks.call('PUT', at, body, { 'if-match': `"${payee.revision}"` })
    const changed = asked.json().payee
    assert.deepEqual(
      [changed.bank_details, changed.remittance_email, changed.status],
      [masked, 'ar@cascade.example', 'active'],
    )
    assert.equal(changed.waiting_change.fields.bank_details.account_number, '••••4444')
    assert.deepEqual(code(await asks.call('PUT', at, { method: 'wire' })), [409, 'payee_change_waiting'])
    assert.deepEqual(code(await asks.call('PUT', at, { notes: 'x' }, { 'if-match': `"${payee.revision}"` })), [
      412,
      'stale',
    ])
    const rejected = (await decide(approves, changed, 'reject', { note: 'The carrier knows nothing of it' })).json()
      .payee
    assert.deepEqual([rejected.bank_details, rejected.waiting_change], [masked, null])
    const again = (await asks.call('PUT', at, body)).json().payee
    const done = (await decide(approves, again)).json().payee
    assert.equal(done.bank_details.account_number, '••••4444')
    const [event] = (await asks.get(`${at}/history`)).json().events
    assert.deepEqual(
      [event.type, event.previous.bank_details, event.data.change.requested_by],
      ['payee.change_approved', masked, asks.id],
    )
  })

  test('that was never approved asks for all of itself with every change: what was rejected applies only where an approver has seen it again', async () => {
    const { asks, approves, org } = await office()
    const payee = await make(asks, { bank_details: { ...details, account_number: '66666666' } })
    const at = `${path}/${payee.id}`
    const rejected = (await decide(approves, payee, 'reject', { note: 'Not theirs' })).json().payee
    assert.deepEqual([rejected.status, rejected.waiting_change], ['waiting', null])
    const renamed = (await asks.call('PUT', at, { name: 'Cascade LLC' })).json().payee
    const refused = { ...masked, account_number: '••••6666' }
    assert.deepEqual(renamed.waiting_change.fields, { name: 'Cascade LLC', method: 'ach', bank_details: refused })
    const revealed = (await approves.call('POST', `${at}/reveal`)).json()
    assert.equal(revealed.waiting_bank_details.account_number, '66666666')
    await decide(approves, renamed, 'reject')
    // What it no longer has is named too.
    const byCheck = { method: 'check', bank_details: null, address: { address_1: '1 Main St', city: 'Reno' } }
    const cleared = (await asks.call('PUT', at, byCheck)).json().payee
    assert.deepEqual(Object.keys(cleared.waiting_change.fields).sort(), ['address', 'bank_details', 'method', 'name'])
    await decide(approves, cleared, 'reject')
    const changed = (await asks.call('PUT', at, { bank_details: details })).json().payee
    // A server of an earlier version asks for the difference alone.
    await service.pool.transaction(
      (run) =>
        run(
          sql`update payee_changes set fields = fields - 'method' - 'name' where org_id = ${org} and id = ${changed.waiting_change.id}`,
        ),
      `begin; set local app.org_id = '${org}'`,
    )
    assert.deepEqual(code(await decide(approves, changed)), [409, 'change_is_incomplete'])
    await decide(approves, changed, 'reject')
    const again = (await asks.call('PUT', at, { bank_details: details })).json().payee
    const done = (await decide(approves, again)).json().payee
    assert.deepEqual([done.status, done.name, done.bank_details], ['active', 'Cascade Carriers LLC', masked])
    const next = (await asks.call('PUT', at, { name: 'Cascade LLC' })).json().payee
    assert.deepEqual(
      next.waiting_change.fields,
      { name: 'Cascade LLC' },
      'once it was approved a change is the difference',
    )
  })

  test('is unchanged by what was read of it, by the same details whole, and refuses details that are masked in part', async () => {
    const { asks, approves } = await office()
    const payee = await approved(asks, approves)
    const at = `${path}/${payee.id}`
    for (const body of [
      payee,
      { bank_details: details },
      { bank_details: { ...details, routing_number: '0210 0002 1' } },
    ]) {
      const answer = await asks.call('PUT', at, body)
      assert.deepEqual([answer.statusCode, answer.json().payee], [200, payee], answer.body)
    }
    assert.deepEqual(code(await asks.call('PUT', at, { bank_details: { ...masked, bank_name: 'Other' } })), [
      400,
      'masked_value',
    ])
  })

  test('needs details that fit how it is paid, and no refusal repeats a number', async () => {
    const { asks } = await office()
    const carrier = { partner_carrier_id: newId(), name: 'X' }
    const wrong: [object, string][] = [
      [{ method: 'ach', bank_details: { ...details, routing_number: '021000022' } }, 'bad_bank_details'],
      [{ method: 'ach', bank_details: { account_number: account } }, 'bank_details_incomplete'],
      [
        { method: 'ach', bank_details: { ...details, account_number: '123456789012345678' } },
        'bank_details_incomplete',
      ],
      [{ method: 'wire', bank_details: { iban: 'DE89370400440532013001' } }, 'bad_bank_details'],
      [{ method: 'wire', bank_details: { account_number: account } }, 'bank_details_incomplete'],
      [{ method: 'wire', bank_details: { account_number: account, bic: 'NOBIC' } }, 'bad_bank_details'],
      [{ method: 'check' }, 'address_required'],
      [{ method: 'other', quick_pay_days: 2 }, 'quick_pay_incomplete'],
      [{ method: 'other', quick_pay_days: 2, quick_pay_percent: '100' }, 'bad_percent'],
      [{ method: 'other', factor_payee_id: newId() }, 'notice_required'],
      [{ method: 'other', factor_payee_id: newId(), notice_of_assignment_on: '2026-10-01' }, 'unknown_factor'],
    ]
    for (const [body, expected] of wrong) {
      const answer = await asks.call('POST', path, { ...carrier, ...body })
      assert.deepEqual(code(answer), [400, expected], answer.body)
      const { error_message, details } = answer.json()
      assert.doesNotMatch(JSON.stringify([error_message, details]), /0210000|1234567|89370400|NOBIC/)
    }
    await make(asks, { method: 'wire', bank_details: { iban: 'DE89 3704 0044 0532 0130 00' } })
  })

  test('is one for each carrier, and one that factoring companies are assigned to cannot be deleted', async () => {
    const { asks, approves } = await office()
    const factor = await approved(asks, approves, { partner_carrier_id: null, name: 'Swift Factoring' })
    const partner_carrier_id = newId()
    const assigned = await approved(asks, approves, {
      partner_carrier_id,
      factor_payee_id: factor.id,
      notice_of_assignment_on: '2026-10-01',
    })
    assert.deepEqual(code(await asks.call('POST', path, { partner_carrier_id, name: 'Y', method: 'other' })), [
      409,
      'carrier_has_a_payee',
    ])
    assert.deepEqual(code(await asks.call('DELETE', `${path}/${factor.id}`)), [409, 'payee_in_use'])
    // An assignment leads to a factoring company, never to a payee that is assigned itself.
    const chained = {
      partner_carrier_id: newId(),
      name: 'Z',
      method: 'other',
      factor_payee_id: assigned.id,
      notice_of_assignment_on: '2026-10-01',
    }
    assert.deepEqual(code(await asks.call('POST', path, chained)), [400, 'unknown_factor'])
    assert.deepEqual(
      code(await asks.call('POST', path, { ...chained, partner_carrier_id: null, factor_payee_id: factor.id })),
      [400, 'not_of_a_carrier'],
    )
    const ended = (await asks.call('PUT', `${path}/${assigned.id}`, { factor_payee_id: null })).json().payee
    assert.deepEqual(ended.waiting_change.fields, { factor_payee_id: null, notice_of_assignment_on: null })
    await decide(approves, ended)
    assert.equal((await asks.call('DELETE', `${path}/${factor.id}`)).statusCode, 204)
    assert.equal((await asks.get(`${path}?factors=true`)).json().total, 0)
  })

  test('names as its notice a document that is there, which stays as long as the payee or a change of it names it', async () => {
    const { asks, approves, org } = await office()
    const factor = await approved(asks, approves, { partner_carrier_id: null, name: 'Swift Factoring' })
    const upload = async ({ token }: Caller) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/pdf',
        'content-disposition': 'attachment; filename="notice.pdf"',
      }
      const payload = Buffer.from(`%PDF-1.4\n% ${newId()}\ntrailer<</Root 1 0 R>>\n%%EOF\n`)
      const answer = await service.app.inject({ method: 'POST', url: '/api/v1/documents', headers, payload })
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json().document.id as string
    }
    const assignment = { factor_payee_id: factor.id, notice_of_assignment_on: '2026-10-01' }
    const elsewhere = await upload((await office()).asks)
    const payee = await approved(asks, approves)
    const at = `${path}/${payee.id}`
    for (const notice_document_id of [newId(), elsewhere]) {
      const body = { ...assignment, notice_document_id }
      assert.deepEqual(code(await asks.call('PUT', at, body)), [400, 'unknown_document'])
      assert.deepEqual(
        code(await asks.call('POST', path, { partner_carrier_id: newId(), name: 'X', method: 'other', ...body })),
        [400, 'unknown_document'],
      )
    }
    const notice = await upload(asks)
    const asked = (await asks.call('PUT', at, { ...assignment, notice_document_id: notice })).json().payee
    const kept = async () => {
      await deleteUnheld(databaseOf(service, new Set([org])), openStorage(service.settings), undefined, {
        unattached: 0,
        content: 0,
      })
      return (await asks.get(`/api/v1/documents/${notice}`)).statusCode
    }
    assert.deepEqual(
      [await kept(), code(await asks.call('DELETE', `/api/v1/documents/${notice}`))],
      [200, [409, 'in_use']],
    )
    assert.equal((await decide(approves, asked)).json().payee.notice_document_id, notice)
    assert.deepEqual(
      [await kept(), code(await asks.call('DELETE', `/api/v1/documents/${notice}`))],
      [200, [409, 'in_use']],
    )
    await decide(approves, (await asks.call('PUT', at, { factor_payee_id: null })).json().payee)
    assert.equal(await kept(), 404)
  })

  test('whose change waits has all who may decide and who asked told by mail, and the address of the payee from before; the decision too; no mail has bank details', async () => {
    const { asks, approves, org } = await office()
    const approver = await personIn(service, org, 'approver')
    for (const role of ['clerk', 'payer', 'read_only'] as const) await personIn(service, org, role)
    const { address } = await addressesOf(org)
    const [asking, admin, deciding] = [address(asks.id), address(approves.id), address(approver.id)]
    type Mail = { id: string; subject: string; body_text: string; to: string[]; record_id: string }
    const list = async (): Promise<Mail[]> => (await approves.get('/api/v1/mails?limit=50')).json().mails
    const seen = new Set<string>()
    /** The mails since the last time, each as its addresses and what its subject says. */
    const since = async (payee: string) => {
      const fresh = (await list()).filter(({ id }) => !seen.has(id))
      for (const { id, record_id } of fresh) {
        seen.add(id)
        assert.equal(record_id, payee)
      }
      return fresh
        .map(({ to, subject }) => [
          to.toSorted().join(),
          /waits|You asked|approved|rejected|was asked|elsewhere|before/.exec(subject)?.[0],
        ])
        .sort()
    }
    const both = (...people: string[]) => people.toSorted().join()
    const payee = await make(asks, { remittance_email: 'ar@cascade.example' })
    const at = `${path}/${payee.id}`
    assert.deepEqual(
      await since(payee.id),
      [
        [both(admin, deciding), 'waits'],
        [asking, 'You asked'],
      ].sort(),
    )
    await decide(approver, payee)
    assert.deepEqual(
      await since(payee.id),
      [[both(asking, admin, deciding), 'approved']],
      'a new payee has no address from before',
    )
    // The change and another address in one request: the one from before is warned of both.
    const body = {
      bank_details: { ...details, account_number: '55554444' },
      remittance_email: 'thief@elsewhere.example',
    }
    const changed = (await asks.call('PUT', at, body)).json().payee
    const warned = ['ar@cascade.example', 'elsewhere']
    assert.deepEqual(
      await since(payee.id),
      [[both(admin, deciding), 'waits'], [asking, 'You asked'], warned, ['ar@cascade.example', 'was asked']].sort(),
    )
    await decide(approves, changed, 'reject', { note: 'Not theirs' })
    assert.deepEqual(
      await since(payee.id),
      [
        [both(asking, admin), 'rejected'],
        ['thief@elsewhere.example', 'before'],
      ].sort(),
    )
    await asks.call('PUT', at, { remittance_email: 'ar@cascade.example' })
    assert.deepEqual(await since(payee.id), [['thief@elsewhere.example', 'elsewhere']])
    // An admin who asks is not asked to decide.
    const moved = (await approves.call('PUT', at, { bank_details: { ...details, account_number: '55554444' } })).json()
      .payee
    assert.deepEqual(
      await since(payee.id),
      [
        [both(asking, deciding), 'waits'],
        [admin, 'You asked'],
        ['ar@cascade.example', 'was asked'],
      ].sort(),
    )
    await decide(asks, moved)
    assert.deepEqual(await since(payee.id), [[both(asking, admin), 'approved'], warned].sort())
    await asks.call('PUT', at, { notes: 'Called them' })
    assert.deepEqual(await since(payee.id), [])
    for (const { subject, body_text } of await list())
      assert.doesNotMatch(`${subject} ${body_text}`, /6789|4444|021000021|thief/)
  })

  test('of another organization is not there, and finds are narrowed by every filter', async () => {
    const { asks, approves } = await office()
    const [first, second] = [
      await approved(asks, approves),
      await make(asks, { name: 'Blue Wire', method: 'wire', bank_details: { iban: 'DE89370400440532013000' } }),
    ]
    const other = await newCaller(service)
    for (const [method, url] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['GET', '/changes'],
      ['GET', '/history'],
    ] as const)
      assert.equal(
        (await other.call(method, `${path}/${first.id}${url}`, method === 'PUT' ? { notes: 'x' } : undefined))
          .statusCode,
        404,
      )
    const ids = async (query: string) => (await asks.get(`${path}?${query}`)).json().payees.map(({ id }: Payee) => id)
    assert.deepEqual(await ids('waiting=true'), [second.id])
    assert.deepEqual(await ids('waiting=false'), [first.id])
    assert.deepEqual(await ids('methods=wire'), [second.id])
    assert.deepEqual(await ids('search_term=BLUE'), [second.id])
    assert.deepEqual(await ids(`partner_carrier_ids=${newId()}`), [])
  })
})

describe('payments to a payee', { concurrency: true }, () => {
  test('wait while a change waits, of the payee or of its factoring company, by whichever way they are made; what is only recorded does not', async () => {
    const { asks, approves } = await office()
    const partner_carrier_id = newId()
    const payee = await make(asks, { partner_carrier_id })
    const payment = { partner_carrier_id, currency_id: 'usd', amount: 100, method: 'ach' }
    const bill = async () => {
      const made = await asks.call('POST', '/api/v1/bills', {
        currency_id: 'usd',
        sub_total_amount: 100,
        partner_carrier_id,
      })
      const { id } = made.json().bill
      await asks.call('POST', `/api/v1/bills/${id}/save`)
      return `/api/v1/bills/${id}`
    }
    const draft = (await asks.call('POST', '/api/v1/payments', { ...payment, status: 'draft' })).json().payment
    const ways = async () => [
      await asks.call('POST', '/api/v1/payments', payment),
      await asks.call('POST', `/api/v1/payments/${draft.id}/issue`),
      await asks.call('POST', `${await bill()}/pay`, { method: 'wire' }),
    ]
    for (const answer of await ways()) assert.deepEqual(code(answer), [409, 'payee_change_waiting'])
    assert.equal((await asks.call('POST', `${await bill()}/pay`)).statusCode, 200)
    // They would not wait any more without the payee.
    assert.deepEqual(code(await asks.call('DELETE', `${path}/${payee.id}`)), [409, 'payee_change_waiting'])
    assert.equal((await asks.get(`${path}/${payee.id}`)).json().payee.waiting_change.id, payee.waiting_change?.id)
    await decide(approves, payee)
    const factor = await make(asks, { partner_carrier_id: null, name: 'Swift Factoring' })
    const assigned = (
      await asks.call('PUT', `${path}/${payee.id}`, {
        factor_payee_id: factor.id,
        notice_of_assignment_on: '2026-10-01',
      })
    ).json().payee
    await decide(approves, assigned)
    for (const answer of await ways())
      assert.deepEqual(code(answer), [409, 'payee_change_waiting'], 'the factoring company waits')
    await decide(approves, factor)
    for (const answer of await ways()) assert.ok(answer.statusCode < 300, answer.body)
  })

  test('are advised of by mail to the payee’s own address, or to that of the factoring company that is paid instead', async () => {
    const { asks, approves } = await office()
    const carrier = (
      await asks.call('POST', '/api/v1/partner_carriers', { name: 'Cascade', email: 'office@cascade.example' })
    ).json().partner_carrier
    const payment = { partner_carrier_id: carrier.id, currency_id: 'usd', amount: 100 }
    const { id } = (await asks.call('POST', '/api/v1/payments', payment)).json().payment
    const mailedTo = async () => (await asks.call('POST', `/api/v1/payments/${id}/send`)).json().mail.to
    const payee = await make(asks, { partner_carrier_id: carrier.id, remittance_email: 'ar@cascade.example' })
    assert.deepEqual(await mailedTo(), ['office@cascade.example'], 'nobody has approved the payee')
    await decide(approves, payee)
    assert.deepEqual(await mailedTo(), ['ar@cascade.example'])
    const factor = await approved(asks, approves, {
      partner_carrier_id: null,
      name: 'Swift Factoring',
      remittance_email: 'advices@swift.example',
    })
    const assigned = (
      await asks.call('PUT', `${path}/${payee.id}`, {
        factor_payee_id: factor.id,
        notice_of_assignment_on: '2026-10-01',
      })
    ).json().payee
    await decide(approves, assigned)
    assert.deepEqual(await mailedTo(), ['advices@swift.example'])
    const asked = await asks.call('POST', `/api/v1/payments/${id}/send`, { to: 'other@cascade.example' })
    assert.deepEqual(asked.json().mail.to, ['other@cascade.example'])
  })
})

describe('bank details', { concurrency: true }, () => {
  test('are shown whole to an admin who asks, which the security log and the history keep; an answer that is kept for a key has none', async () => {
    const { asks, approves } = await office()
    const payee = await approved(asks, approves)
    await asks.call('PUT', `${path}/${payee.id}`, { bank_details: { ...details, account_number: '55554444' } })
    assert.deepEqual(code(await asks.call('POST', `${path}/${payee.id}/reveal`)), [403, 'right_required'])
    const key = { 'idempotency-key': newId() }
    const answer = (await approves.call('POST', `${path}/${payee.id}/reveal`, undefined, key)).json()
    assert.deepEqual(
      [answer.bank_details.account_number, answer.waiting_bank_details.account_number],
      [account, '55554444'],
    )
    const replayed = await approves.call('POST', `${path}/${payee.id}/reveal`, undefined, key)
    assert.deepEqual([replayed.headers['idempotent-replayed'], replayed.json().bank_details], ['true', null])
    const [entry] = (await approves.get('/api/v1/security_events?types=payee.revealed')).json().security_events
    assert.deepEqual([entry.actor.id, entry.summary.includes(payee.id)], [approves.id, true])
    assert.equal((await approves.get(`${path}/${payee.id}/history`)).json().events[0].type, 'payee.revealed')
  })

  test('are readable nowhere in the database, in no log and in no other answer', async () => {
    let logged = ''
    const logTo = new Writable({
      write(chunk, _encoding, done) {
        logged += chunk
        done()
      },
    })
    const own = await openService({ REQUEST_LOG_DAYS: '7', LOG_LEVEL: 'trace' }, logTo)
    const { asks, approves, org } = await office(own)
    const said: string[] = []
    const keep = (caller: Person): Person => ({
      ...caller,
      call: async (...request) => {
        const answer = await caller.call(...request)
        said.push(answer.body)
        return answer
      },
    })
    const payee = await approved(keep(asks), keep(approves))
    const at = `${path}/${payee.id}`
    await keep(asks).call(
      'PUT',
      at,
      { bank_details: { ...details, account_number: '999988887777' } },
      { 'idempotency-key': newId() },
    )
    await keep(asks).call('PUT', at, {
      bank_details: { ...details, account_number: '999988887777', routing_number: '021000022' },
    })
    await keep(asks).call(
      'POST',
      path,
      { partner_carrier_id: newId(), name: 'X', method: 'ach', bank_details: details },
      { prefer: 'dry-run' },
    )
    await approves.call('POST', `${at}/reveal`)
    for (const url of [
      at,
      path,
      `${at}/history`,
      `${at}/changes`,
      '/api/v1/events',
      '/api/v1/request_log?limit=200',
      '/api/v1/security_events',
    ])
      said.push((await approves.get(url, { accept: 'application/json' })).body)
    assert.ok(said.some((text) => text.includes('[masked]')))
    const tables = await own.pool.run<{ name: string }>(sql`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`)
    const all = tables.map(({ name }) => `select t::text as row from "${name}" t where org_id = $1`).join(' union all ')
    const rows = await own.pool.transaction(
      (run) => run<{ row: string }>({ text: all, values: [org] }),
      `begin; set local app.org_id = '${org}'`,
    )
    assert.ok(rows.some(({ row }) => row.includes('v1.test.')))
    for (const secret of [account, '999988887777', '021000021', '021000022']) {
      assert.ok(!said.join('\n').includes(secret), `an answer has ${secret}`)
      assert.ok(!rows.some(({ row }) => row.includes(secret)), `the database has ${secret}`)
      assert.ok(!logged.includes(secret), `the log has ${secret}`)
    }
    assert.match(logged, /payee/)
  })

  test('cannot be guessed from what is kept of a request for its key: that is signed by a key outside of the database, and still tells one request from another', async () => {
    const { asks, approves, org } = await office()
    const payee = await approved(asks, approves)
    const at = `${path}/${payee.id}`
    const send = (body: object, key: string) => asks.call('PUT', at, body, { 'idempotency-key': key })
    const body = { bank_details: { ...details, account_number: '55554444' } }
    const [guarded, plain] = [newId(), newId()]
    const first = await send(body, guarded)
    assert.equal(first.statusCode, 200, first.body)
    const again = await send(body, guarded)
    assert.deepEqual([again.headers['idempotent-replayed'], again.json()], ['true', first.json()])
    assert.deepEqual(code(await send({ bank_details: { ...details, account_number: '55554445' } }, guarded)), [
      422,
      'idempotency_key_reused',
    ])
    assert.deepEqual(code(await send({ notes: 'x' }, guarded)), [422, 'idempotency_key_reused'])
    await send({ notes: 'x' }, plain)
    const rows = await service.pool.transaction(
      (run) =>
        run<{ key: string; fingerprint: string }>(
          sql`select key, fingerprint from idempotency_keys where org_id = ${org}`,
        ),
      `begin; set local app.org_id = '${org}'`,
    )
    const kept = (key: string) => rows.find((row) => row.key === key)?.fingerprint as string
    assert.match(kept(guarded), /^v1\.test\./)
    // A hash of the request: of another body it can be told by trying what it might be of.
    const hash = createHash('sha256')
      .update(JSON.stringify([asks.id, 'PUT', at, null, { notes: 'x' }, null]))
      .digest('base64url')
    assert.equal(kept(plain), hash)
    const keyOf = (id: string, byte: number) => ({ id, key: Buffer.alloc(32, byte).toString('base64') })
    const place = { dataDir: '/nowhere', databaseUrl: 'postgres://elsewhere' }
    const [own, other, both] = [[keyOf('test', 7)], [keyOf('test', 9)], [keyOf('next', 8), keyOf('test', 7)]].map(
      (bankDetailsKeys) => openVault({ ...place, bankDetailsKeys }),
    )
    const mine = own?.sign('x') as string
    assert.notEqual(other?.sign('x'), mine)
    assert.deepEqual(
      [both?.sign('x', mine), both?.sign('y', mine) === mine, both?.sign('x').startsWith('v1.next.')],
      [mine, false, true],
    )
  })

  test('are encrypted anew with a new key; without the old one they cannot be read before that, and can after', async () => {
    const { asks, approves, org } = await office()
    const payee = await approved(asks, approves)
    await asks.call('PUT', `${path}/${payee.id}`, { bank_details: { ...details, account_number: '55554444' } })
    const keyOf = (id: string, byte: number) => ({ id, key: Buffer.alloc(32, byte).toString('base64') })
    const place = { dataDir: '/nowhere', databaseUrl: 'postgres://elsewhere' }
    const both = openVault({ ...place, bankDetailsKeys: [keyOf('next', 8), keyOf('test', 7)] })
    const next = openVault({ ...place, bankDetailsKeys: [keyOf('next', 8)] })
    const other = openVault({ ...place, bankDetailsKeys: [keyOf('test', 9)] })
    const faults = async (vault: ReturnType<typeof openVault>) =>
      (await verifyBankDetails(service.database, vault, [org])).length
    assert.deepEqual([await faults(both), await faults(next), await faults(other)], [0, 2, 2])
    assert.deepEqual(await rotateBankKeys(service.database, both, [org]), { encrypted: 2, key: 'next' })
    assert.deepEqual([await faults(both), await faults(next)], [0, 0])
    assert.deepEqual(await rotateBankKeys(service.database, both, [org]), { encrypted: 0, key: 'next' })
  })
})
