import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bills, booksOf, type Row, statements } from '../../../test/books/books.ts'
import { some } from '../../../test/depth.ts'
import { type Caller, callerIn, databaseOf, newCaller, sharedService } from '../../../test/service.ts'
import { createJoinedUser } from '../../identity/users/actions.ts'
import type { Role } from '../../platform/access/roles.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import { workAll } from '../../platform/transfers/rounds.ts'
import { transferables } from '../../transferables.ts'
import { rejudgeAll, remindAll } from './rejudging.ts'

const service = await sharedService()
const rulesPath = '/api/v1/approval_rules'
const payments = '/api/v1/payments'

type User = Caller & { id: string }

/** An organization with approvals on, and people of several roles in it. */
async function open(settings: object = {}) {
  const caller = await newCaller(service)
  const user = (role: Role) => userIn(caller, role)
  const admin = await user('admin')
  const turned = await admin.call('PUT', '/api/v1/organization', { approvals: 'on', ...settings })
  assert.equal(turned.statusCode, 200, turned.body)
  const clerk = await user('clerk')
  return { ...booksOf(clerk), clerk, admin, user, approver: await user('approver'), payer: await user('payer') }
}

async function userIn({ ctx, org }: Caller, role: Role): Promise<User> {
  const { id } = await createJoinedUser(ctx, {
    email: `${newId()}@people.example`,
    name: role,
    role,
    password: 'correct horse battery staple',
  })
  return { id, ...callerIn(service, org, scopeNames, () => id, role) }
}

async function stateOf(caller: Caller, id: string): Promise<string> {
  return (await caller.get(`${bills}/${id}`)).json().bill.approval_status
}

async function approve(by: Caller, id: string, body: object = {}) {
  return by.call('POST', `${bills}/${id}/approve`, body)
}

function codeOf(answer: { statusCode: number; json(): { error_code?: string } }): [number, string | undefined] {
  return [answer.statusCode, answer.json().error_code]
}

describe('approval', { concurrency: 4 }, () => {
  test('is not needed while the policy is off, and a bill is paid as ever', async () => {
    const books = booksOf(await newCaller(service))
    const bill = await books.bill('paid')
    assert.deepEqual(
      [bill.approval_status, bill.approved_by, bill.approved_at, bill.approval_requested_at],
      ['not_needed', null, null, null],
    )
    const saved = await books.bill('saved')
    assert.deepEqual(saved.available_actions.slice(0, 3), ['send', 'pay', 'draft'])
    assert.deepEqual(codeOf(await approve(books, saved.id)), [409, 'approval_not_needed'])
  })

  test('is asked for, given once, noted with who and when, and then the bill is paid', async () => {
    const { bill, clerk, approver, payer } = await open()
    const { id, available_actions } = await bill('saved')
    assert.deepEqual(available_actions.slice(0, 4), ['send', 'approve', 'reject', 'draft'])
    assert.deepEqual(codeOf(await payer.call('POST', `${bills}/${id}/pay`)), [409, 'not_approved'])
    assert.deepEqual(codeOf(await approve(clerk, id)), [403, 'right_required'])
    const answer = await approve(approver, id, { note: 'Agreed' })
    const { bill: approved } = answer.json()
    assert.deepEqual(
      [approved.approval_status, approved.approved_by, approved.approval_requested_at],
      ['approved', approver.id, null],
      answer.body,
    )
    assert.ok(approved.available_actions.includes('pay'))
    assert.deepEqual(codeOf(await approve(approver, id)), [409, 'already_decided'])
    assert.equal((await payer.call('POST', `${bills}/${id}/pay`)).json().bill.status_id, 'paid')
    const types = (await clerk.events()).filter(({ subject_id }) => subject_id === id).map(({ type }) => type)
    assert.deepEqual(types, [
      'bill.created',
      'bill.approval_requested',
      'bill.status_updated',
      'bill.saved',
      'bill.approved',
      'bill.status_updated',
      'bill.paid',
    ])
    const { bill_approvals } = (await clerk.get(`${bills}/${id}/approvals`)).json()
    assert.deepEqual(
      bill_approvals.decisions.map((one: { decision: string; note: string; user_id: string }) => [
        one.decision,
        one.note,
        one.user_id,
      ]),
      [['approve', 'Agreed', approver.id]],
    )
  })

  test('of a draft waits until it is saved; If-Match holds; a rejection needs a reason, keeps it from being paid, and a change asks again', async () => {
    const { bill, clerk, approver, payer } = await open()
    const draft = await bill('draft')
    assert.deepEqual(codeOf(await approve(approver, draft.id)), [409, 'is_draft'])
    const { id, revision } = await bill('saved')
    assert.equal(
      (await approver.call('POST', `${bills}/${id}/approve`, {}, { 'if-match': `"${revision - 1}"` })).statusCode,
      412,
    )
    assert.equal((await approver.call('POST', `${bills}/${id}/reject`, {})).statusCode, 400)
    const rejected = await approver.call('POST', `${bills}/${id}/reject`, { reason: 'Not agreed' })
    assert.deepEqual([rejected.json().bill.approval_status, rejected.json().bill.revision], ['rejected', revision + 1])
    assert.deepEqual(codeOf(await payer.call('POST', `${bills}/${id}/pay`)), [409, 'not_approved'])
    await clerk.call('PUT', `${bills}/${id}`, { sub_total_amount: 900 })
    assert.equal(await stateOf(clerk, id), 'pending')
    assert.equal((await approve(approver, newId())).statusCode, 404)
  })

  test('is asked for again when content changes, and even when it changes back; not when only the export to accounting does', async () => {
    const { bill, clerk, approver } = await open()
    const { id } = await bill('saved', { items: [{ unit_price: 500 }, { unit_price: 300 }] })
    await approve(approver, id)
    await clerk.call('PUT', `${bills}/${id}`, { qb_external_id: 'QB-1', send_to_email: 'ap@cascade.example' })
    await clerk.call('POST', `${bills}/${id}/send`)
    assert.equal(await stateOf(clerk, id), 'approved')
    await clerk.call('PUT', `${bills}/${id}`, { reference_number: 'R-2' })
    assert.equal(await stateOf(clerk, id), 'pending')
    await clerk.call('PUT', `${bills}/${id}`, { reference_number: null })
    assert.equal(await stateOf(clerk, id), 'pending')
    const { bill_approvals } = (await approver.get(`${bills}/${id}/approvals`)).json()
    assert.ok(bill_approvals.decisions[0].ended_at)
    assert.equal(bill_approvals.can_decide, true)
  })

  test('needs the documents that a rule asks for', async () => {
    const { bill, admin, approver } = await open()
    const rule = await admin.call('POST', '/api/v1/document_rules', { before: 'approve', document_types: ['pod'] })
    assert.equal(rule.statusCode, 201, rule.body)
    const { id } = await bill('saved')
    assert.deepEqual(codeOf(await approve(approver, id)), [409, 'documents_missing'])
    const many = (await approver.call('POST', `${bills}/approve`, { bill_ids: [id] })).json()
    assert.equal(many.results[0].error.error_code, 'documents_missing')
    // Nothing that writes a bill approves it.
    for (const [method, url, body, type] of [
      ['PUT', `${bills}/${id}`, { approval_status: 'approved' }, {}],
      ['POST', `${bills}/bulk`, { bills: [{ id, approval_status: 'approved' }] }, {}],
      ['POST', `${bills}/import`, `id,approval_status\n${id},approved\n`, { 'content-type': 'text/csv' }],
    ] as const)
      await admin.call(method, url, body, type)
    assert.equal(await stateOf(admin, id), 'pending')
    const headers = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="pod.pdf"' }
    const file = await admin.call(
      'POST',
      `/api/v1/documents?attached_to=bill:${id}&document_type=pod`,
      '%PDF-1.4\n%%EOF\n',
      headers,
    )
    assert.equal(file.statusCode, 201, file.body)
    assert.equal((await approve(approver, id)).json().bill.approval_status, 'approved')
  })

  test('of many at once answers what came of each', async () => {
    const { bill, approver, clerk } = await open()
    const [one, two, draft] = [await bill('saved'), await bill('sent'), await bill('draft')]
    const missing = newId()
    const { counts, results } = (
      await approver.call('POST', `${bills}/approve`, {
        bill_ids: [one.id, missing, draft.id, two.id],
        note: 'November',
      })
    ).json()
    assert.deepEqual(counts, { approved: 2, pending: 0, failed: 2 })
    assert.deepEqual(
      results.map(({ id, status, error }: { id: string; status: string; error?: { error_code: string } }) => [
        id,
        error?.error_code ?? status,
      ]),
      [
        [one.id, 'approved'],
        [missing, 'not_found'],
        [draft.id, 'is_draft'],
        [two.id, 'approved'],
      ],
    )
    assert.deepEqual(codeOf(await clerk.call('POST', `${bills}/approve`, { bill_ids: [one.id] })), [
      403,
      'right_required',
    ])
    assert.equal((await clerk.get(`${bills}?approval_status=approved`)).json().total, 2)
  })
})

describe('a rule', { concurrency: 4 }, () => {
  test('is about an amount, a carrier or a type of line, and names who approves, by user or by role', async () => {
    const { bill, clerk, admin, approver, user } = await open({ home_currency_id: 'usd', approval_limit_amount: 500 })
    const [chief, carrier] = [await user('approver'), newId()]
    const type = (await admin.call('POST', '/api/v1/bill_item_types', { name: 'Detention' })).json().bill_item_type.id
    const make = async (rule: object) => {
      const answer = await admin.call('POST', rulesPath, rule)
      assert.equal(answer.statusCode, 201, answer.body)
    }
    await make({ name: 'Large', min_amount: 100_000, currency_id: 'usd', approver_user_ids: [chief.id] })
    await make({ name: 'New carrier', partner_carrier_id: carrier, approver_role: 'admin' })
    await make({ name: 'Detention', bill_item_type_id: type })
    const stateWith = async (body: object) => (await bill('saved', body)).approval_status
    assert.equal(await stateWith({ sub_total_amount: 500 }), 'not_needed')
    assert.equal(await stateWith({ sub_total_amount: 501 }), 'pending')
    assert.equal(await stateWith({ sub_total_amount: 10, currency_id: 'eur' }), 'pending')
    assert.equal(await stateWith({ sub_total_amount: 10, partner_carrier_id: carrier }), 'pending')
    assert.equal(await stateWith({ items: [{ unit_price: 10, bill_item_type_id: type }] }), 'pending')
    const large = await bill('saved', { sub_total_amount: 100_000 })
    assert.deepEqual(codeOf(await approve(approver, large.id)), [403, 'not_an_approver'])
    assert.equal((await approve(chief, large.id)).json().bill.approval_status, 'approved')
    const both = await bill('saved', { sub_total_amount: 100_000, partner_carrier_id: carrier })
    assert.equal((await approve(chief, both.id)).json().bill.approval_status, 'pending')
    assert.equal((await approve(admin, both.id)).json().bill.approval_status, 'approved')
    assert.equal((await clerk.get(`${bills}/${both.id}/approvals`)).json().bill_approvals.needs.length, 2)
  })

  test('of two approvals takes two people, at once too', async () => {
    const { bill, admin, approver, user } = await open()
    await admin.call('POST', rulesPath, { name: 'Two', needed_approvals: 2 })
    const { id } = await bill('saved')
    assert.equal((await approve(approver, id)).json().bill.approval_status, 'pending')
    assert.deepEqual(codeOf(await approve(approver, id)), [409, 'already_decided'])
    const second = await user('approver')
    assert.equal((await approve(second, id)).json().bill.approval_status, 'approved')
    const other = await bill('saved')
    const answers = await Promise.all([approver, second, approver, second].map((one) => approve(one, other.id)))
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 200, 409, 409])
    assert.equal(await stateOf(admin, other.id), 'approved')
  })

  test('counts for the open bills that are there, and no more when it is deleted or the policy is switched off', async () => {
    const { bill, admin, approver, clerk, org } = await open({ home_currency_id: 'usd', approval_limit_amount: 10_000 })
    const [waiting, approved] = [await bill('saved'), await bill('saved')]
    assert.equal(waiting.approval_status, 'not_needed')
    const rule = (await admin.call('POST', rulesPath, { name: 'All', approver_role: 'approver' })).json().approval_rule
    const now = (await clerk.get(`${bills}/${waiting.id}`)).json().bill
    assert.deepEqual([now.approval_status, now.revision], ['pending', waiting.revision + 1])
    await approve(approver, approved.id)
    await admin.call('DELETE', `${rulesPath}/${rule.id}`)
    assert.equal(await stateOf(clerk, waiting.id), 'not_needed')
    await admin.call('PUT', '/api/v1/organization', { approval_limit_amount: null })
    assert.equal(await stateOf(clerk, waiting.id), 'pending')
    assert.equal(await stateOf(clerk, approved.id), 'approved')
    await admin.call('PUT', '/api/v1/organization', { approvals: 'off' })
    assert.deepEqual(
      [await stateOf(clerk, waiting.id), await stateOf(clerk, approved.id)],
      ['not_needed', 'not_needed'],
    )
    await rejudgeAll(databaseOf(service, new Set([org])))
  })

  test('that is wrong is refused with the field, and only an admin makes one', async () => {
    const { admin, clerk, approver } = await open()
    for (const [rule, field] of [
      [{ name: 'x', min_amount: 5 }, 'currency_id'],
      [{ name: 'x', min_amount: 5, currency_id: 'xxz' }, 'currency_id'],
      [{ name: 'x', approver_role: 'clerk' }, 'approver_role'],
      [{ name: 'x', approver_user_ids: [newId()] }, 'approver_user_ids'],
      [{ name: 'x', approver_user_ids: [clerk.id] }, 'approver_user_ids'],
      [{ name: 'x', approver_user_ids: [approver.id], approver_role: 'approver' }, 'approver_role'],
      [{ name: 'x', approver_user_ids: [approver.id], needed_approvals: 2 }, 'needed_approvals'],
      [{ name: 'x', bill_item_type_id: newId() }, 'bill_item_type_id'],
      [{ name: 'x', needed_approvals: 3 }, 'needed_approvals'],
    ] as const) {
      const answer = await admin.call('POST', rulesPath, rule)
      assert.equal(answer.statusCode, 400, JSON.stringify(rule))
      assert.match(answer.json().details[0].field, new RegExp(`^${field}`))
    }
    assert.equal((await clerk.call('POST', rulesPath, { name: 'x' })).statusCode, 403)
    assert.equal((await admin.call('POST', rulesPath, { name: 'x' })).statusCode, 201)
    assert.deepEqual(codeOf(await admin.call('POST', rulesPath, { name: 'x' })), [409, 'name_taken'])
  })
})

describe('people', { concurrency: 4 }, () => {
  test('do not approve what they entered or changed where that is forbidden, nor pay what they entered or approved', async () => {
    const { admin, user } = await open({ forbid_self_approval: true, separate_payer: true })
    const [one, other, third] = [await user('member'), await user('member'), await user('member')]
    const { id } = await booksOf(one).bill('saved')
    assert.deepEqual(codeOf(await approve(one, id)), [403, 'own_entry'])
    await other.call('PUT', `${bills}/${id}`, { notes: 'Looked at' })
    assert.deepEqual(codeOf(await approve(other, id)), [403, 'own_entry'])
    assert.equal((await approve(third, id)).json().bill.approval_status, 'approved')
    for (const same of [one, third])
      assert.deepEqual(codeOf(await same.call('POST', `${bills}/${id}/pay`)), [403, 'separate_payer'])
    assert.equal((await other.call('POST', `${bills}/${id}/pay`)).statusCode, 200)
    const own = await one.call('POST', `${bills}/bulk`, {
      bills: [{ external_id: 'own', currency_id: 'usd', sub_total_amount: 1, status_id: 'paid' }],
    })
    assert.equal(own.json().results[0].error.error_code, 'not_approved')
    await admin.call('PUT', '/api/v1/organization', { approvals: 'off' })
    const again = await one.call('POST', `${bills}/bulk`, {
      bills: [{ external_id: 'own', currency_id: 'usd', sub_total_amount: 1, status_id: 'paid' }],
    })
    assert.equal(again.json().results[0].error.error_code, 'separate_payer')
  })

  test('approve in the place of who delegated it to them, while that lasts, and find what waits for them', async () => {
    const { bill, admin, approver, clerk, user } = await open()
    const chief = await user('approver')
    await admin.call('POST', rulesPath, { name: 'Chief', approver_user_ids: [chief.id] })
    const { id } = await bill('saved')
    await bill('draft')
    const waiting = async (who: Caller) =>
      (await who.get(`${bills}?awaiting=me`)).json().bills.map((one: Row) => one.id)
    assert.deepEqual([await waiting(chief), await waiting(approver), await waiting(clerk)], [[id], [], []])
    const delegations = '/api/v1/approval_delegations'
    // Whoever may delegate sees to whom, and nothing of them but the name; the users are for admins.
    const { approvers } = (await chief.get('/api/v1/approvers')).json()
    assert.deepEqual(approvers.map(({ id }: Row) => id).toSorted(), [admin.id, approver.id, chief.id].toSorted())
    assert.deepEqual(Object.keys(approvers[0]), ['id', 'name'])
    assert.equal((await chief.get('/api/v1/users')).statusCode, 403)
    const ends_at = '2199-01-01T00:00:00Z'
    assert.equal(
      (await approver.call('POST', delegations, { from_user_id: chief.id, to_user_id: approver.id, ends_at }))
        .statusCode,
      403,
    )
    assert.equal(
      (await chief.call('POST', delegations, { to_user_id: clerk.id, ends_at })).json().details[0].field,
      'to_user_id',
    )
    assert.equal((await chief.call('POST', delegations, { to_user_id: chief.id, ends_at })).statusCode, 400)
    assert.equal(
      (await chief.call('POST', delegations, { to_user_id: approver.id, ends_at: '2020-01-01T00:00:00Z' })).statusCode,
      400,
    )
    const over = { to_user_id: approver.id, starts_at: '2020-01-01T00:00:00Z', ends_at: '2020-02-01T00:00:00Z' }
    assert.equal((await chief.call('POST', delegations, over)).statusCode, 201)
    assert.deepEqual(await waiting(approver), [])
    const made = (await chief.call('POST', delegations, { to_user_id: approver.id, ends_at })).json()
      .approval_delegation
    assert.deepEqual(await waiting(approver), [id])
    assert.equal((await approve(approver, id)).json().bill.approval_status, 'approved')
    const { decisions } = (await clerk.get(`${bills}/${id}/approvals`)).json().bill_approvals
    assert.deepEqual([decisions[0].user_id, decisions[0].on_behalf_of], [approver.id, chief.id])
    assert.equal((await approver.call('DELETE', `${delegations}/${made.id}`)).statusCode, 403)
    assert.equal((await chief.call('DELETE', `${delegations}/${made.id}`)).statusCode, 204)
    const next = await bill('saved')
    assert.deepEqual(codeOf(await approve(approver, next.id)), [403, 'not_an_approver'])
    assert.deepEqual(
      [await waiting(chief), (await clerk.get(`${delegations}?current=true`)).json().total],
      [[next.id], 0],
    )
  })

  test('are reminded of what waits, once for each span, each with one mail for all that they could approve', async () => {
    const { bill, org, clerk, admin, approver } = await open({ approval_reminder_days: 2 })
    const another = await bill('saved')
    const { id } = await bill('saved')
    const here = databaseOf(service, new Set([org]))
    const reminders = async () =>
      (await clerk.events()).filter(({ type }) => type === 'bill.approval_reminder').map(({ subject_id }) => subject_id)
    await remindAll(here)
    assert.deepEqual(await reminders(), [])
    await service.database.transaction(org, (run) =>
      run(sql`update bills set approval_requested_at = '2026-01-05' where org_id = ${org}`),
    )
    await remindAll(here)
    await remindAll(here)
    assert.deepEqual((await reminders()).sort(), [id, another.id].sort())
    const { mails } = (await admin.get('/api/v1/mails')).json()
    const people = await Promise.all(
      [admin, approver].map(async ({ id }) => (await admin.get(`/api/v1/users/${id}`)).json().user.email),
    )
    assert.deepEqual(
      mails.map(({ to, subject }: Row) => [to, subject]).sort(),
      people.map((email) => [[email], '2 bills wait for your approval']).sort(),
    )
  })
})

/** What a way around is tried with: a bill that waits, one that is approved, and what belongs to them. */
type Setting = {
  pending: Row
  approved: Row
  carrier: string
  line: string
  statement: () => Promise<Row>
  credit: () => Promise<Row>
  draft: () => Promise<Row>
}
type Asked = { path: string; body?: unknown; type?: string }
const csvOf = (rows: string) => ({ body: `id,status_id,notes\n${rows}\n`, type: 'text/csv' })
const allocations = ({ pending }: Setting) => [{ bill_id: pending.id, amount: 1000 }]
const paymentOf = (setting: Setting) => ({
  partner_carrier_id: setting.carrier,
  currency_id: 'usd',
  amount: 1000,
  allocations: allocations(setting),
})

/** Every operation that writes bills or pays something, with requests that would get around approval. Whoever adds one adds it here. */
const ways: Record<string, (setting: Setting) => Promise<Asked[]> | Asked[]> = {
  createBill: () => [{ path: bills, body: { currency_id: 'usd', status_id: 'paid', sub_total_amount: 1 } }],
  updateBill: ({ pending, approved }) => [
    { path: `${bills}/${pending.id}`, body: { status_id: 'paid' } },
    { path: `${bills}/${approved.id}`, body: { status_id: 'paid', reference_number: 'another' } },
    { path: `${bills}/${pending.id}`, body: { approval_status: 'approved' } },
    { path: `${bills}/${approved.id}`, body: { sub_total_amount: 2000 } },
  ],
  deleteBill: ({ approved }) => [{ path: `${bills}/${approved.id}` }],
  saveBill: ({ approved }) => [{ path: `${bills}/${approved.id}/save` }],
  sendBill: ({ approved }) => [{ path: `${bills}/${approved.id}/send` }],
  payBill: ({ pending }) => [
    { path: `${bills}/${pending.id}/pay` },
    { path: `${bills}/${pending.id}/pay`, body: { amount: 1 } },
  ],
  reopenBill: ({ pending }) => [{ path: `${bills}/${pending.id}/reopen`, body: { reason: 'Try' } }],
  repriceBill: ({ pending, approved }) => [
    { path: `${bills}/${pending.id}/reprice` },
    { path: `${bills}/${approved.id}/reprice` },
  ],
  voidBill: ({ approved }) => [{ path: `${bills}/${approved.id}/void`, body: { reason: 'Try' } }],
  correctBill: ({ approved }) => [{ path: `${bills}/${approved.id}/correct`, body: { reason: 'Try' } }],
  approveBill: ({ approved }) => [{ path: `${bills}/${approved.id}/approve` }],
  approveBills: ({ approved }) => [{ path: `${bills}/approve`, body: { bill_ids: [approved.id] } }],
  rejectBill: ({ approved }) => [{ path: `${bills}/${approved.id}/reject`, body: { reason: 'Try' } }],
  addBillItem: ({ approved }) => [{ path: `${bills}/${approved.id}/items`, body: { unit_price: 7 } }],
  reorderBillItems: ({ approved }) => [{ path: `${bills}/${approved.id}/items/order`, body: { item_ids: [] } }],
  updateBillItem: ({ approved, line }) => [{ path: `${bills}/${approved.id}/items/${line}`, body: { unit_price: 1 } }],
  removeBillItem: ({ approved, line }) => [{ path: `${bills}/${approved.id}/items/${line}` }],
  bulkBills: ({ pending, approved }) => [
    { path: `${bills}/bulk`, body: { bills: [{ id: pending.id, status_id: 'paid' }] } },
    { path: `${bills}/bulk`, body: { bills: [{ id: approved.id, status_id: 'paid', notes: 'Other' }] } },
    {
      path: `${bills}/bulk`,
      body: { bills: [{ external_id: 'paid', currency_id: 'usd', sub_total_amount: 1, status_id: 'paid' }] },
    },
    { path: `${bills}/bulk`, body: { bills: [{ id: approved.id, notes: 'Other' }] } },
  ],
  importBills: ({ pending, approved }) => [
    { path: `${bills}/import`, ...csvOf(`${pending.id},paid,\n${approved.id},paid,Other`) },
    {
      path: `${bills}/import`,
      body: 'external_id,currency_id,sub_total_amount,status_id\nnew,usd,5,paid\n',
      type: 'text/csv',
    },
    { path: `${bills}/import`, ...csvOf(`${approved.id},saved,Other`) },
  ],
  startBillsImport: ({ pending, approved }) => [
    { path: `${bills}/imports`, ...csvOf(`${pending.id},paid,\n${approved.id},paid,Other`) },
  ],
  createConsolidatedBill: ({ pending }) => [{ path: statements, body: { bill_ids: [pending.id], status_id: 'paid' } }],
  updateConsolidatedBill: async ({ statement }) => [
    { path: `${statements}/${(await statement()).id}`, body: { status_id: 'paid' } },
  ],
  deleteConsolidatedBill: async ({ statement }) => [{ path: `${statements}/${(await statement()).id}` }],
  addBillsToConsolidatedBill: async ({ statement, approved }) => [
    { path: `${statements}/${(await statement()).id}/bills`, body: { bill_ids: [approved.id] } },
  ],
  removeBillFromConsolidatedBill: async ({ statement, pending }) => [
    { path: `${statements}/${(await statement()).id}/bills/${pending.id}` },
  ],
  saveConsolidatedBill: async ({ statement }) => [{ path: `${statements}/${(await statement()).id}/save` }],
  sendConsolidatedBill: async ({ statement }) => [{ path: `${statements}/${(await statement()).id}/send` }],
  payConsolidatedBill: async ({ statement }) => [{ path: `${statements}/${(await statement()).id}/pay` }],
  reopenConsolidatedBill: async ({ statement }) => [
    { path: `${statements}/${(await statement()).id}/reopen`, body: { reason: 'Try' } },
  ],
  voidConsolidatedBill: async ({ statement }) => [
    { path: `${statements}/${(await statement()).id}/void`, body: { reason: 'Try' } },
  ],
  createPayment: (setting) => [
    { path: payments, body: paymentOf(setting) },
    { path: payments, body: { ...paymentOf(setting), allocations: [], oldest_first: true } },
  ],
  updatePayment: async ({ draft }) => [{ path: `${payments}/${(await draft()).id}`, body: { status: 'issued' } }],
  deletePayment: async ({ draft }) => [{ path: `${payments}/${(await draft()).id}` }],
  issuePayment: async ({ draft }) => [{ path: `${payments}/${(await draft()).id}/issue` }],
  clearPayment: async ({ draft }) => [{ path: `${payments}/${(await draft()).id}/clear` }],
  voidPayment: async ({ draft }) => [{ path: `${payments}/${(await draft()).id}/void`, body: { reason: 'Try' } }],
  returnPayment: async ({ draft }) => [
    { path: `${payments}/${(await draft()).id}/return`, body: { reason: 'Account closed' } },
  ],
  refundPayment: async (setting) => [{ path: `${payments}/${(await issued(setting)).id}/refund` }],
  repricePayment: async (setting) => [{ path: `${payments}/${(await issued(setting)).id}/reprice` }],
  sendPayment: async ({ draft }) => [{ path: `${payments}/${(await draft()).id}/send` }],
  allocatePayment: async (setting) => [
    { path: `${payments}/${(await issued(setting)).id}/allocations`, body: { allocations: allocations(setting) } },
  ],
  removeAllocation: async ({ draft }) => [{ path: `${payments}/${(await draft()).id}/allocations/${newId()}` }],
  applyCredit: async (setting) => [
    { path: `/api/v1/credits/${(await setting.credit()).id}/apply`, body: { allocations: allocations(setting) } },
  ],
  removeCreditAllocation: async ({ credit }) => [
    { path: `/api/v1/credits/${(await credit()).id}/allocations/${newId()}` },
  ],
}

/** Operations under the same paths that touch no bill. */
const others =
  /^(?:startBillsExport|\w*(?:Invoice|Invoices|InvoiceItem|InvoiceItems))$|Credits?(?:Items?)?$|^(?:start)?Credits|CreditItems?$|startCredits(?:Import|Export)$/
const makers = new WeakMap<Setting, Caller>()
const issued = async (setting: Setting): Promise<Row> => {
  const answer = await (makers.get(setting) as Caller).call('POST', payments, {
    ...paymentOf(setting),
    allocations: [],
  })
  return answer.json().payment
}

type Operation = { operationId: string }
const { paths } = (await service.app.inject({ url: '/openapi.json' })).json() as {
  paths: Record<string, Record<string, Operation>>
}
const writes = Object.entries(paths)
  .filter(([path]) => /^\/api\/v1\/(?:bills|consolidated_bills|payments|credits)\b/.test(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ method: method.toUpperCase(), path, operationId })),
  )
  .filter(({ method }) => method !== 'GET')

describe('no way around approval:', { concurrency: 4 }, () => {
  test('every operation that writes bills or pays is tried', () => {
    const missing = writes.map(({ operationId }) => operationId).filter((name) => !ways[name] && !others.test(name))
    assert.deepEqual(missing, [])
  })

  for (const { method, operationId } of some(
    writes.filter(({ operationId }) => ways[operationId]),
    12,
  )) {
    test(`${operationId} pays nothing that is not approved, and leaves nothing approved that has changed`, async () => {
      const { bill, clerk, admin, approver, org } = await open({ forbid_self_approval: true })
      const carrier = newId()
      const pending = await bill('saved', { partner_carrier_id: carrier })
      const items = [{ unit_price: 600 }, { unit_price: 400 }]
      const before = await bill('saved', { partner_carrier_id: carrier, items })
      const approved = (await approve(approver, before.id)).json()
      const setting: Setting = {
        pending,
        approved: approved.bill,
        carrier,
        line: approved.bill_items[0].id,
        statement: async () => booksOf(admin).statement([pending]),
        credit: async () => {
          const body = { direction: 'out', partner_carrier_id: carrier, currency_id: 'usd', sub_total_amount: 1000 }
          const { id } = (await admin.call('POST', '/api/v1/credits', body)).json().credit
          return (await admin.call('POST', `/api/v1/credits/${id}/save`)).json().credit
        },
        draft: async () =>
          (await admin.call('POST', payments, { ...paymentOf(setting), status: 'draft' })).json().payment,
      }
      makers.set(setting, admin)
      const ids = approved.bill_items.map(({ id }: Row) => id).reverse()
      for (const { path, body, type } of (await ways[operationId]?.(setting)) ?? []) {
        const sent = operationId === 'reorderBillItems' ? { item_ids: ids } : body
        const answer = await admin.call(method, path, sent, type ? { 'content-type': type } : {})
        assert.ok(answer.statusCode < 500, answer.body)
        if (operationId === 'startBillsImport') await workAll(databaseOf(service, new Set([org])), transferables)
        await requireSound(clerk, approved)
      }
    })
  }

  test('a change and a payment at the same moment leave a bill that is approved and paid, or changed and not paid', async () => {
    const { bill, clerk, approver, payer } = await open()
    for (let round = 0; round < 5; round += 1) {
      const { id } = await bill('saved')
      await approve(approver, id)
      await Promise.all([
        clerk.call('PUT', `${bills}/${id}`, { sub_total_amount: 2000 }),
        payer.call('POST', `${bills}/${id}/pay`),
        payer.call('POST', `${bills}/${id}/pay`),
      ])
      const now = (await clerk.get(`${bills}/${id}`)).json().bill
      const sound =
        now.status_id === 'paid'
          ? now.approval_status === 'approved' && now.total_amount === 1000
          : now.approval_status === 'pending' && now.amount_paid === 0
      assert.ok(sound, JSON.stringify(now))
    }
  })
})

const contentFields = [
  'sub_total_amount',
  'notes',
  'reference_number',
  'partner_carrier_id',
  'currency_id',
  'bill_date',
  'due_date',
]

/** Of every bill: what is paid is approved, and what is approved is as it was when that was said. */
async function requireSound(caller: Caller, approved: { bill: Row; bill_items: Row[] }): Promise<void> {
  const all = (await caller.get(`${bills}?limit=200&include_voided=true`)).json().bills as Row[]
  for (const one of all) {
    const isPaid = one.amount_paid !== 0 || one.status_id === 'paid'
    assert.ok(!isPaid || one.approval_status === 'approved', `${one.id} was paid: ${JSON.stringify(one)}`)
    if (one.approval_status !== 'approved') continue
    assert.equal(one.id, approved.bill.id)
    for (const field of contentFields) assert.deepEqual(one[field], approved.bill[field], field)
    const { bill_items } = (await caller.get(`${bills}/${one.id}`)).json()
    assert.deepEqual(
      bill_items.map(({ id, unit_price }: Row) => [id, unit_price]),
      approved.bill_items.map(({ id, unit_price }) => [id, unit_price]),
    )
  }
}
