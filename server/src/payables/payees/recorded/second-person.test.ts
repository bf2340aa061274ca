import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { beThereFor, type Person, personIn } from '../../../../test/people.ts'
import {
  applicationIn,
  type Caller,
  callerIn,
  newCaller,
  newItemTypes,
  sharedService,
} from '../../../../test/service.ts'
import { acceptInvitation, findInvitation } from '../../../identity/users/invitations.ts'
import { scopeNames } from '../../../platform/access/scopes.ts'
import { signToken } from '../../../platform/access/tokens/access-token.ts'
import { newId } from '../../../platform/core/values/ids.ts'
import { sql } from '../../../platform/db/sql/sql.ts'
import { systemContext } from '../../../platform/organizations/actions.ts'

const service = await sharedService()
const v1 = '/api/v1'
const code = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().error_code]
const details = { bank_name: 'First Example Bank', routing_number: '021000021', account_number: '000123456789' }

type Payee = { id: string; waiting_change: { id: string; fields: object } | null }

async function make(caller: Caller): Promise<Payee> {
  const answer = await caller.call('POST', `${v1}/payees`, {
    partner_carrier_id: newId(),
    name: 'Cascade',
    method: 'ach',
    bank_details: details,
  })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().payee
}

const approve = (caller: Caller, { id, waiting_change }: Payee) =>
  caller.call('POST', `${v1}/payees/${id}/changes/${waiting_change?.id}/approve`, {})

/** An application that this person makes, with a token of its own. */
async function applicationOf(person: Caller): Promise<Caller & { id: string }> {
  const body = { name: 'Robot', type: 'confidential', scopes: scopeNames, grant_types: ['client_credentials'] }
  const answer = await person.call('POST', `${v1}/oauth_applications`, body)
  assert.equal(answer.statusCode, 201, answer.body)
  const { id, client_id } = answer.json().oauth_application
  const { keyring, settings } = service
  const token = signToken(
    keyring,
    { issuer: settings.authUrl, audience: settings.audience },
    { sub: client_id, client_id, org_id: person.org, scopes: scopeNames },
  )
  const call: Caller['call'] = (method, url, sent, headers) =>
    person.call(method, url, sent, { authorization: `Bearer ${token}`, ...headers })
  return { ...person, id, token, call, get: (url, headers) => call('GET', url, undefined, headers) }
}

/** Somebody whom this person invites, as they are once they have joined. */
async function invitedBy(person: Caller, role: 'admin' | 'member'): Promise<Person> {
  const answer = await person.call('POST', `${v1}/users`, { email: `${newId()}@example.com`, name: 'Invented', role })
  assert.equal(answer.statusCode, 201, answer.body)
  const { id } = answer.json().user
  const token = answer.json().invitation_url.split('/').at(-1)
  const invited = await findInvitation(service.database, token)
  assert.ok(invited)
  await acceptInvitation(service.database, token, invited, { password_hash: 'x' })
  return { ...callerIn(service, person.org, undefined, () => id, role), id }
}

async function office(): Promise<{ org: string; admin: Person; other: Person }> {
  const { org } = await newCaller(service)
  return { org, admin: await personIn(service, org, 'admin'), other: await personIn(service, org, 'admin') }
}

describe('a decision', { concurrency: true }, () => {
  test('is made by a person: an application that acts for itself is refused wherever one is made', async () => {
    const { org } = await office()
    const application = applicationIn(service, org)
    const id = newId()
    const decisions = [
      ...[`bills/${id}/approve`, `bills/${id}/reject`, 'bills/approve', 'approval_delegations'],
      ...['accept', 'short_pay', 'dispute', 'reject', 'approve'].map((verb) => `carrier_invoices/${id}/${verb}`),
      ...[`payees/${id}/changes/${id}/approve`, `payees/${id}/changes/${id}/reject`, `payment_runs/${id}/approve`],
    ]
    for (const path of decisions)
      assert.deepEqual(code(await application.call('POST', `${v1}/${path}`, {})), [403, 'person_required'], path)
  })

  test('about what an application entered is not made by whoever made it, or its secret, or an application that made it; through an application a person is that person', async () => {
    const { org, admin, other } = await office()
    await admin.call('PUT', `${v1}/organization`, { approvals: 'on', forbid_self_approval: true })
    const enter = async (caller: Caller) => {
      const { bill } = (
        await caller.call('POST', `${v1}/bills`, {
          currency_id: 'usd',
          sub_total_amount: 100,
          partner_carrier_id: newId(),
        })
      ).json()
      assert.equal((await caller.call('POST', `${v1}/bills/${bill.id}/save`)).statusCode, 200)
      return `${v1}/bills/${bill.id}`
    }
    const application = await applicationOf(admin)
    const second = await applicationOf(application)
    const waiting = async (caller: Caller) =>
      (await caller.get(`${v1}/bills?awaiting=me`)).json().bills.map((bill: { id: string }) => `${v1}/bills/${bill.id}`)
    for (const one of [application, second]) {
      const [at, payee] = [await enter(one), await make(one)]
      assert.deepEqual([await waiting(admin), await waiting(other)], [[], [at]], 'nor does it wait for them')
      assert.deepEqual(code(await admin.call('POST', `${at}/approve`, {})), [403, 'own_entry'])
      assert.equal((await admin.get(`${at}/approvals`)).json().bill_approvals.can_decide, false)
      assert.deepEqual(code(await approve(admin, payee)), [403, 'second_person_required'])
      assert.equal((await other.call('POST', `${at}/approve`, {})).statusCode, 200)
      assert.equal((await approve(other, payee)).statusCode, 200)
    }
    const late = await enter(application)
    await other.call('POST', `${v1}/oauth_applications/${application.id}/rotate_secret`, {})
    assert.deepEqual(code(await other.call('POST', `${late}/approve`, {})), [403, 'own_entry'])
    await admin.call('DELETE', `${v1}/oauth_applications/${application.id}`)
    assert.deepEqual(
      code(await admin.call('POST', `${late}/approve`, {})),
      [403, 'own_entry'],
      'also when it was deleted',
    )
    const third = await personIn(service, org, 'approver')
    const changed = await enter(await personIn(service, org, 'clerk'))
    assert.deepEqual(
      [await waiting(admin), await waiting(other), (await waiting(third)).toSorted()],
      [[changed], [changed], [late, changed].toSorted()],
    )
    assert.equal((await other.call('PUT', changed, { sub_total_amount: 200 })).statusCode, 200)
    assert.deepEqual([await waiting(admin), await waiting(other)], [[changed], []], 'who changed it has entered it')
    assert.equal((await third.call('POST', `${late}/approve`, {})).statusCode, 200)
  })

  test('and the payment are made by two: an application that pays counts as whoever made it', async () => {
    const { org, admin, other } = await office()
    await admin.call('PUT', `${v1}/organization`, { approvals: 'on', separate_payer: true })
    const clerk = await personIn(service, org, 'clerk')
    const { bill } = (await clerk.call('POST', `${v1}/bills`, { currency_id: 'usd', sub_total_amount: 100 })).json()
    await clerk.call('POST', `${v1}/bills/${bill.id}/save`)
    assert.equal((await admin.call('POST', `${v1}/bills/${bill.id}/approve`, {})).statusCode, 200)
    const pay = async (caller: Caller) => caller.call('POST', `${v1}/bills/${bill.id}/pay`)
    assert.deepEqual(code(await pay(await applicationOf(admin))), [403, 'separate_payer'])
    assert.equal((await pay(await applicationOf(other))).statusCode, 200)
  })

  test('about a bill is not made by who entered its carrier invoice, nor that about the invoice', async () => {
    const { org, admin, other } = await office()
    const clerk = await personIn(service, org)
    await admin.call('PUT', `${v1}/organization`, { approvals: 'on', forbid_self_approval: true })
    const carrier = (await admin.call('POST', `${v1}/partner_carriers`, { name: 'Cascade', currency_id: 'usd' })).json()
      .partner_carrier
    await newItemTypes(admin, 'Line haul')
    await admin.call('POST', `${v1}/audit_policies`, { check_delivery: false, check_pod: false })
    const items = [{ type: 'Line haul', unit_price: 1000 }]
    const { manifest } = (
      await admin.call('POST', `${v1}/manifests`, {
        partner_carrier_id: carrier.id,
        currency_id: 'usd',
        payment_items: items,
      })
    ).json()
    const sent = {
      partner_carrier_id: carrier.id,
      invoice_number: 'A-1',
      currency_id: 'usd',
      manifest_ids: [manifest.id],
      lines: [{ type: 'Line haul', amount: 1000 }],
    }
    const made = await clerk.call('POST', `${v1}/carrier_invoices`, sent)
    const at = `${v1}/carrier_invoices/${made.json().carrier_invoice.id}`
    assert.equal((await clerk.call('POST', `${at}/match`, { manifest_ids: [manifest.id] })).statusCode, 200)
    const audited = await clerk.call('POST', `${at}/audit`)
    assert.deepEqual([audited.statusCode, audited.json().carrier_invoice.state], [200, 'matched'], audited.body)
    assert.deepEqual(code(await clerk.call('POST', `${at}/approve`, {})), [403, 'own_entry'])
    const approved = await other.call('POST', `${at}/approve`, {})
    assert.equal(approved.statusCode, 200, approved.body)
    const bill = `${v1}/bills/${approved.json().carrier_invoice.bill_id}`
    assert.deepEqual(code(await clerk.call('POST', `${bill}/approve`, {})), [403, 'own_entry'])
    assert.deepEqual((await clerk.get(`${v1}/bills?awaiting=me`)).json().bills, [])
    assert.equal((await admin.call('POST', `${bill}/approve`, {})).statusCode, 200)
  })
})

describe('one admin alone', { concurrency: true }, () => {
  test('gains nothing by an application of theirs that a colleague has let act in their name, nor by one whose redirect URIs they changed', async () => {
    const { org, admin, other } = await office()
    const through = ({ client_id }: { client_id: string }, user: Person): Caller => {
      const { keyring, settings } = service
      const token = signToken(
        keyring,
        { issuer: settings.authUrl, audience: settings.audience },
        { sub: user.id, client_id, org_id: org, scopes: scopeNames, role: 'admin' },
      )
      const call: Caller['call'] = (method, url, sent, headers) =>
        user.call(method, url, sent, { authorization: `Bearer ${token}`, ...headers })
      return { ...user, token, call, get: (url, headers) => call('GET', url, undefined, headers) }
    }
    const body = {
      name: 'Helper',
      type: 'public',
      scopes: scopeNames,
      grant_types: ['authorization_code'],
      redirect_uris: ['https://helper.example/'],
    }
    const makeApplication = async (person: Caller) => {
      const answer = await person.call('POST', `${v1}/oauth_applications`, body)
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json().oauth_application as { id: string; client_id: string }
    }
    const [own, theirs] = [await makeApplication(admin), await makeApplication(other)]
    const payee = await make(admin)
    assert.deepEqual(code(await approve(through(own, other), payee)), [403, 'second_person_required'])
    const changed = await admin.call('PUT', `${v1}/oauth_applications/${theirs.id}`, {
      redirect_uris: ['https://elsewhere.example/'],
    })
    assert.equal(changed.statusCode, 200, changed.body)
    assert.deepEqual(code(await approve(through(theirs, other), payee)), [403, 'second_person_required'])
    const untouched = await makeApplication(other)
    assert.equal((await approve(through(untouched, other), payee)).statusCode, 200)
    const asked = await make(through(theirs, other))
    assert.equal((await approve(admin, asked)).statusCode, 200, 'what a person asks for through it is theirs')
  })

  test('does not approve as the only user once the others are shut out or made users of a carrier, until some days have passed', async () => {
    const { org, admin, other } = await office()
    const payee = await make(admin)
    assert.equal((await admin.call('POST', `${v1}/users/${other.id}/disable`)).statusCode, 200)
    assert.deepEqual(code(await approve(admin, payee)), [403, 'second_person_required'])
    assert.equal((await admin.call('PUT', `${v1}/organization`, { new_approver_days: 0 })).statusCode, 200)
    assert.deepEqual(
      code(await approve(admin, payee)),
      [403, 'second_person_required'],
      'a smaller number counts later',
    )
    await admin.call('POST', `${v1}/users/${other.id}/enable`)
    const carrier = (await admin.call('POST', `${v1}/partner_carriers`, { name: 'Cascade' })).json().partner_carrier
    assert.equal(
      (await admin.call('PUT', `${v1}/users/${other.id}`, { role: 'partner', partner_carrier_id: carrier.id }))
        .statusCode,
      200,
    )
    assert.deepEqual(code(await approve(admin, payee)), [403, 'second_person_required'])
    await daysPass(org, 4)
    const done = await approve(admin, payee)
    assert.equal(done.statusCode, 200, done.body)
    assert.equal((await admin.get(`${v1}/payees/${payee.id}/changes`)).json().payee_changes[0].by_the_only_user, true)
  })

  test('gains nothing by somebody whom they invite: for some days that one neither approves, nor counts as another than who invited them', async () => {
    const { admin, other } = await office()
    const invented = await invitedBy(admin, 'admin')
    const refused = await approve(invented, await make(admin))
    assert.deepEqual(code(refused), [403, 'new_approver'])
    assert.match(refused.json().error_message, /3 days.*from \d{4}-/)
    const theirs = await make(invented)
    assert.deepEqual(code(await approve(admin, theirs)), [403, 'second_person_required'])
    assert.deepEqual(code(await approve(admin, await make(await applicationOf(invented)))), [
      403,
      'second_person_required',
    ])
    assert.equal((await approve(other, theirs)).statusCode, 200)
    // Who gets a role that approves is as new as who joins.
    const clerk = await personIn(service, admin.org, 'clerk')
    await admin.call('PUT', `${v1}/users/${clerk.id}`, { role: 'approver' })
    const promoted = callerIn(service, admin.org, undefined, () => clerk.id, 'approver')
    const own = await make(admin)
    assert.deepEqual(code(await approve(promoted, own)), [403, 'new_approver'])
    await beThereFor(service, admin.org, clerk.id, 4)
    assert.equal((await approve(promoted, own)).statusCode, 200)
  })

  test('of an organization that never had another user works as before, sets the days at once, and who joins then decides at once', async () => {
    const { org } = await newCaller(service)
    const only = await personIn(service, org, 'admin', { isNew: true })
    assert.equal((await approve(only, await make(only))).statusCode, 200)
    assert.equal((await approve(only, await make(await applicationOf(only)))).statusCode, 200)
    assert.equal((await only.call('PUT', `${v1}/organization`, { new_approver_days: 0 })).statusCode, 200)
    const colleague = await invitedBy(only, 'member')
    assert.equal((await approve(colleague, await make(only))).statusCode, 200)
  })

  test('tells all admins by changing for how long who is new waits, and by a change of a payee; both are in the security log', async () => {
    const { admin, other } = await office()
    await admin.call('PUT', `${v1}/organization`, { new_approver_days: 1 })
    const invented = await invitedBy(admin, 'admin')
    const payee = await make(admin)
    await beThereFor(service, admin.org, invented.id, 2)
    assert.deepEqual(
      code(await approve(invented, payee)),
      [403, 'new_approver'],
      'what it was counts on for three days',
    )
    assert.equal((await approve(other, payee)).statusCode, 200)
    const mails = (await other.get(`${v1}/mails?limit=50`)).json().mails as { subject: string; to: string[] }[]
    const toldOf = (pattern: RegExp) => mails.filter(({ subject }) => pattern.test(subject)).map(({ to }) => to.length)
    assert.deepEqual(toldOf(/how long who is new waits/), [2])
    assert.deepEqual(toldOf(/was approved/), [3])
    const log = (await other.get(`${v1}/security_events?types=organization.updated,payee.changed`)).json()
      .security_events as { type: string }[]
    assert.deepEqual(log.map(({ type }) => type).sort(), ['organization.updated', 'payee.changed'])
  })
})

test('another account that looks the same when it is masked is a change that waits', async () => {
  const { admin, other } = await office()
  const payee = await make(admin)
  await approve(other, payee)
  const bank_details = { ...details, account_number: '000999956789' }
  const answer = await admin.call('PUT', `${v1}/payees/${payee.id}`, { bank_details })
  assert.equal(answer.statusCode, 200, answer.body)
  const changed: Payee = answer.json().payee
  assert.deepEqual(Object.keys(changed.waiting_change?.fields ?? {}), ['bank_details'])
  assert.equal((await approve(other, changed)).statusCode, 200)
  const revealed = (await admin.call('POST', `${v1}/payees/${payee.id}/reveal`)).json()
  assert.equal(revealed.bank_details.account_number, '000999956789')
})

test('a payment that was only recorded does not become one that sends money while a change of its payee waits', async () => {
  const { admin, other } = await office()
  const partner_carrier_id = newId()
  const sent = { partner_carrier_id, name: 'Cascade', method: 'ach', bank_details: details }
  const { payee } = (await admin.call('POST', `${v1}/payees`, sent)).json()
  const body = { direction: 'out', partner_carrier_id, currency_id: 'usd', amount: 100, method: 'recorded' }
  const { payment } = (await admin.call('POST', `${v1}/payments`, body)).json()
  for (const method of ['ach', 'wire', 'check', 'card', 'cash', 'other'])
    assert.deepEqual(
      code(await admin.call('PUT', `${v1}/payments/${payment.id}`, { method })),
      [409, 'payee_change_waiting'],
      method,
    )
  assert.equal((await admin.call('PUT', `${v1}/payments/${payment.id}`, { notes: 'x' })).statusCode, 200)
  await approve(other, payee)
  assert.equal((await admin.call('PUT', `${v1}/payments/${payment.id}`, { method: 'ach' })).statusCode, 200)
})

/** As if all that was noted of people and settings had been so many days earlier. */
async function daysPass(org: string, days: number): Promise<void> {
  await systemContext(service.database, org).transaction(async ({ run }) => {
    const then = new Date(Date.now() - days * 86_400_000)
    await run(sql`update users set left_at = ${then} where org_id = ${org} and left_at is not null`)
    await run(
      sql`update organizations set new_approver_days_set_at = ${then} where org_id = ${org} and new_approver_days_set_at is not null`,
    )
  })
}
