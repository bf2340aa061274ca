import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { freightOrder, houseOf, newCarrier, partnerPortal, portal } from '../../../../test/partners.ts'
import { applicationIn, newCaller, sharedService } from '../../../../test/service.ts'
import { sql } from '../../../platform/db/sql/sql.ts'
import { systemContext } from '../../../platform/organizations/actions.ts'

const service = await sharedService()

type Mail = { subject: string; to: string[]; body_text: string; reply_to: string | null; kind: string }

async function newHouse() {
  const { org } = await newCaller(service)
  const house = houseOf(service, org)
  const admin = applicationIn(service, org)
  const emailOf = async (user: string): Promise<string> => (await admin.get(`/api/v1/users/${user}`)).json().user.email
  const mails = async (type: string, id: string): Promise<Mail[]> =>
    (await house.get(`/api/v1/mails?record_type=${type}&record_id=${id}`)).json().mails
  return {
    ...house,
    org,
    admin,
    emailOf,
    mails,
    carrier: await newCarrier(service, org),
    other: await newCarrier(service, org, 'Other Lines'),
  }
}

/** What a mail with a secret says, which no answer shows. */
async function queuedText(org: string, to: string): Promise<string> {
  const [row] = await systemContext(service.database, org).run<{ text: string }>(
    sql`select body_text as text from mails where org_id = ${org} and ${to} = any(to_addresses)`,
  )
  return row?.text ?? ''
}

describe('a mail to a carrier', { concurrency: true }, () => {
  test('says of an offer the lane, the rate, until when and where, to the people of that carrier and nobody else', async () => {
    const { manifest, tender, carrier, emailOf, mails } = await newHouse()
    const id = await tender(await manifest(), carrier.id, { message: 'Reefer at 2 °C' })
    const [mail, ...more] = await mails('tender', id)
    assert.ok(mail && more.length === 0)
    assert.deepEqual(
      [mail.kind, mail.to, mail.subject],
      ['notice', [await emailOf(carrier.user)], 'Load offered: Oakland, CA to Seattle, WA'],
    )
    for (const said of ['1,850.00 USD', 'Answer until: ', 'Reefer at 2 °C', `${service.settings.publicUrl}/portal`])
      assert.ok(mail.body_text.includes(said), said)
    assert.doesNotMatch(mail.body_text, /Dock Road|Acme Foods/)
  })

  test('says of an offer when, how far and what, by the clocks at the docks, where the manifest has no more than orders', async () => {
    const { make, tender, carrier, mails } = await newHouse()
    const id = await tender(
      await make('/api/v1/manifests', { currency_id: 'usd', order_ids: [await freightOrder(make)] }),
      carrier.id,
    )
    const [mail] = await mails('tender', id)
    assert.equal(mail?.subject, 'Load offered: Fresno, CA to Toledo, OH')
    for (const said of [
      'Pick up: Fresno, CA, 16 Nov 2026, 08:00 – 12:00 PST',
      'Deliver: Toledo, OH, 20 Nov 2026, 10:00 EST',
      /Distance: about 2,\d{3} miles \(\d,\d{3} km\)/,
      'Equipment: reefer',
      'Weight: 18,400 kg',
    ])
      assert.ok(
        typeof said === 'string' ? mail?.body_text.includes(said) : said.test(mail?.body_text ?? ''),
        `${said} in ${mail?.body_text}`,
      )
  })

  test('goes to the carrier’s own address where none of its people can sign in, and nowhere without one', async () => {
    const { org, manifest, tender, carrier, admin, get, call, mails } = await newHouse()
    assert.equal((await admin.call('POST', `/api/v1/users/${carrier.user}/disable`)).statusCode, 200)
    assert.deepEqual(await mails('tender', await tender(await manifest(), carrier.id)), [])
    assert.equal(
      (await call('PUT', `/api/v1/partner_carriers/${carrier.id}`, { email: 'dispatch@cascade.example' })).statusCode,
      200,
    )
    const load = await manifest()
    const [mail] = await mails('tender', await tender(load, carrier.id, { rate: null }))
    assert.deepEqual([mail?.to, mail?.body_text as unknown], [['dispatch@cascade.example'], null])
    const text = await queuedText(org, 'dispatch@cascade.example')
    assert.match(text, /Rate: say what you ask for/)
    // The link in it opens this load and nothing else.
    const secret = /\/portal\/link#(\S+)/.exec(text)?.[1] ?? ''
    const opened = await service.app.inject({
      method: 'POST',
      url: `${portal}/link_sessions`,
      payload: { token: secret },
    })
    assert.deepEqual(opened.json().record, { type: 'manifest', id: load })
    const { links } = (await get(`${partnerPortal}/links?manifest_ids=${load}`)).json()
    assert.deepEqual([links.length, links[0].partner_carrier_id, links[0].state], [1, carrier.id, 'open'])
    const { security_events } = (await admin.get('/api/v1/security_events?types=portal_link.created')).json()
    assert.match(security_events[0].summary, /^Made a link for the carrier Cascade/)
    // Who made it, and from where.
    assert.ok((security_events[0].user ?? security_events[0].application) && security_events[0].address)
  })

  test('says that its counter is accepted, and to the others that the load is not offered any more, without a word of who has it', async () => {
    const { manifest, tender, carrier, other, call, emailOf, mails } = await newHouse()
    const id = await manifest()
    const [mine, theirs] = [await tender(id, carrier.id), await tender(id, other.id)]
    await carrier.call('POST', `${portal}/tenders/${mine}/counter`, { rate: 210000 })
    assert.equal((await mails('tender', mine)).length, 1)
    assert.equal((await call('POST', `${partnerPortal}/tenders/${mine}/accept_counter`)).statusCode, 200)
    const [agreed] = await mails('tender', mine)
    assert.equal(agreed?.subject, 'Your rate is accepted: Oakland, CA to Seattle, WA')
    assert.match(agreed.body_text, /Rate: 2,100\.00 USD/)
    const [ended] = await mails('tender', theirs)
    assert.deepEqual(
      [ended?.subject, ended?.to],
      ['Offer cancelled: Oakland, CA to Seattle, WA', [await emailOf(other.user)]],
    )
    assert.doesNotMatch(JSON.stringify(ended), /Cascade|2,100/)
    assert.equal((await call('POST', `${partnerPortal}/tenders/${mine}/cancel`)).statusCode, 200)
    assert.equal((await mails('tender', mine))[0]?.subject, 'Load cancelled: Oakland, CA to Seattle, WA')
  })

  test('never names another carrier’s person as the one to answer to', async () => {
    const { manifest, tender, carrier, other, mails } = await newHouse()
    const id = await manifest()
    const [mine, theirs] = [await tender(id, carrier.id), await tender(id, other.id)]
    assert.equal((await carrier.call('POST', `${portal}/tenders/${mine}/accept`)).statusCode, 200)
    assert.equal((await mails('tender', mine)).length, 1, 'who accepts an offer is not told of it')
    const [ended] = await mails('tender', theirs)
    assert.deepEqual([ended?.subject, ended?.reply_to], ['Offer cancelled: Oakland, CA to Seattle, WA', null])
  })

  test('has the answer to a question, and comes with it or not at all', async () => {
    const { bill, carrier, call, get, emailOf, mails } = await newHouse()
    const id = await bill(carrier.id)
    await carrier.call('POST', `${portal}/bills/${id}/questions`, { text: 'Where is the detention?' })
    const [thread] = (await get(`${partnerPortal}/questions?bill_ids=${id}`)).json().questions
    const answer = { text: 'It comes with the next bill.' }
    assert.equal(
      (await call('POST', `${partnerPortal}/questions/${thread.id}/answer`, answer, { 'if-match': '"99"' })).statusCode,
      412,
    )
    assert.deepEqual(await mails('bill_question', thread.id), [])
    assert.equal((await call('POST', `${partnerPortal}/questions/${thread.id}/answer`, answer)).statusCode, 200)
    const [mail] = await mails('bill_question', thread.id)
    assert.deepEqual(mail?.to, [await emailOf(carrier.user)])
    for (const said of [answer.text, `${service.settings.publicUrl}/portal/bills/${id}`])
      assert.ok(mail.body_text.includes(said), said)
  })
})
