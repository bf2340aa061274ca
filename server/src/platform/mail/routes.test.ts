import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { createTransport } from 'nodemailer'
import { anyText } from '../../../test/any-text.ts'
import { runs } from '../../../test/depth.ts'
import { type Caller, callerIn, newCaller, sharedService } from '../../../test/service.ts'
import { openMailServer } from '../../../test/smtp.ts'
import { createUser } from '../../identity/users/actions.ts'
import { listenForMail } from '../../payables/arrivals/smtp.ts'
import { leaseMs } from '../core/turns/leases.ts'
import { newId } from '../core/values/ids.ts'
import { sql } from '../db/sql/sql.ts'
import { uploadFolder } from '../files/contents/folders.ts'
import { openStorage } from '../files/storage/open.ts'
import { receiveReport, receiveReports, verifyReports } from './bounces.ts'
import { mailJob } from './delivering.ts'
import type { Mail } from './model.ts'
import { type NewMail, sendMail } from './send.ts'
import { openTransport, type Times, type Transport } from './transport.ts'

const path = '/api/v1/mails'
const service = await sharedService()
const { database } = service
const { from } = service.settings.mail
const server = await openMailServer()
const directory = mkdtempSync(join(tmpdir(), 'lading-mail-'))
after(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

/** Longer than the lease of a mail that a process holds. */
const pastLease = leaseMs + 5_000

const some: NewMail = {
  kind: 'notice',
  scope: 'bills',
  to: ['ann@acme.example'],
  subject: 'Hello',
  text: 'How are you?',
}

/** An organization with a clock of its own, and someone who sends its mails when asked to. */
async function newPlace(smtpUrl: string | null = server.url) {
  const caller = await newCaller(service)
  const clock = { ahead: 0 }
  // The time stands still from the first run after something was asked for: however slow the machine is, nothing becomes due meanwhile.
  let stoppedAt: number | null = null
  const aheadMs = () => {
    stoppedAt ??= Date.now()
    return clock.ahead + stoppedAt - Date.now()
  }
  const process = (url = smtpUrl, times?: Times) =>
    mailJob({
      database,
      from,
      transport: openTransport({ smtpUrl: url, from, directory }, times),
      aheadMs,
      onlyIn: caller.org,
    })
  return {
    ...caller,
    clock,
    run: (url = smtpUrl, times?: Times) => process(url, times).run(new AbortController().signal),
    async queue(mail: Partial<NewMail> = {}) {
      const id = await sendMail(caller.ctx, { ...some, ...mail })
      stoppedAt = null
      return id
    },
    async resend(id: string) {
      const answer = await caller.call('POST', `${path}/${id}/resend`)
      stoppedAt = null
      return answer.json()
    },
    mail: async (id: string): Promise<Mail> => (await caller.get(`${path}/${id}`)).json().mail,
    /** What arrived for an address. */
    arrived: (address: string) => server.received.filter(({ to }) => to.includes(address)),
  }
}

/** An address that nobody else in this file writes to. */
function fresh(behaviour?: Parameters<typeof server.behave>[1]): string {
  const localPart = `to-${newId()}`
  if (behaviour) server.behave(localPart, behaviour)
  return `${localPart}@acme.example`
}

async function typesOf({ events }: Caller): Promise<string[]> {
  return (await events()).filter(({ type }) => type.startsWith('mail.')).map(({ type }) => type)
}

describe('a mail', { concurrency: true }, () => {
  test('is handed to the mail server with its text, its copies and its attachments, and kept byte for byte', async () => {
    const place = await newPlace()
    const [to, copy] = [fresh(), fresh()]
    const content = Buffer.from('%PDF-1.7 \0\x01ÿ not really')
    const id = await place.queue({
      ...{
        to: [to],
        cc: [copy],
        subject: 'Rechnung “№ 7”\r\nBcc: evil@example.com',
        text: 'Grüße\n.\nשלום',
        reply_to: 'dana@blueridge.example',
      },
      ...{
        record: { type: 'invoice', id: newId() },
        attachments: [{ file_name: 'Rechnung 7.pdf', media_type: 'application/pdf', content }],
      },
    })
    const before = (await place.get(`${path}/${id}/content`)).rawPayload
    await place.run()
    const mail = await place.mail(id)
    assert.deepEqual(
      [mail.status, mail.attempt_count, mail.accepted, mail.last_error, mail.next_attempt_at],
      ['sent', 1, [to, copy], null, null],
    )
    assert.deepEqual(mail.attachments, [
      { file_name: 'Rechnung 7.pdf', media_type: 'application/pdf', size: content.length },
    ])
    const [received] = place.arrived(to)
    assert.deepEqual([received?.from, received?.to], [from, [to, copy]])
    const shown = await place.get(`${path}/${id}/content`)
    assert.deepEqual([shown.statusCode, shown.headers['content-type']], [200, 'message/rfc822'])
    assert.deepEqual(shown.rawPayload, received?.message)
    assert.deepEqual(before, received?.message)
    const text = String(received?.message)
    assert.match(text, new RegExp(`^Message-ID: <${id}@localhost>\r$`, 'm'))
    assert.match(text, /^From: "?A test organization"? <no-reply@localhost>\r$/m)
    assert.match(text, /^Reply-To: dana@blueridge.example\r$/m)
    assert.doesNotMatch(text, /^Bcc:/m)
    assert.ok(text.replaceAll('\r\n', '').includes(content.toString('base64')))
    assert.deepEqual(await typesOf(place), ['mail.created', 'mail.sent'])
  })

  test('that is refused for now is sent later, as often as a webhook is, and then has failed', async () => {
    const place = await newPlace()
    const to = fresh('refuse for now')
    const id = await place.queue({ to: [to] })
    await place.run()
    const deferred = await place.mail(id)
    assert.deepEqual([deferred.status, deferred.attempt_count], ['queued', 1])
    assert.match(deferred.last_error ?? '', /450.*Try again later/)
    assert.ok(deferred.next_attempt_at)
    await place.run()
    assert.equal((await place.mail(id)).attempt_count, 1, 'not before its time')
    server.behave(to.split('@')[0] as string, 'accept')
    place.clock.ahead = 3_600_000
    await place.run()
    assert.deepEqual([(await place.mail(id)).status, place.arrived(to).length], ['sent', 1])

    const never = await place.queue({ to: [fresh('refuse for now')] })
    for (let n = 0; n < 8; n++) {
      await place.run()
      place.clock.ahead += 30 * 3_600_000
    }
    const failed = await place.mail(never)
    assert.deepEqual([failed.status, failed.attempt_count, failed.next_attempt_at], ['failed', 8, null])
    assert.deepEqual((await typesOf(place)).slice(-2), ['mail.deferred', 'mail.failed'])
  })

  test('that is refused for good is not tried again, and can be sent again by hand', async () => {
    const place = await newPlace()
    for (const [behaviour, said] of [
      ['refuse for good', '550 5.1.1 No such user'],
      ['refuse the message for good', '554 5.6.0 Not wanted'],
    ] as const) {
      const to = fresh(behaviour)
      const id = await place.queue({ to: [to] })
      await place.run()
      const mail = await place.mail(id)
      assert.deepEqual([mail.status, mail.attempt_count, mail.refused], ['failed', 1, [{ address: to, error: said }]])
      server.behave(to.split('@')[0] as string, 'accept')
      assert.equal((await place.resend(id)).mail.status, 'queued')
      assert.equal((await place.resend(id)).error_code, 'already_queued')
      await place.run()
      assert.deepEqual([(await place.mail(id)).status, place.arrived(to).length], ['sent', 1])
    }
  })

  test('reaches those whose server takes it once, whatever the others’ servers say', async () => {
    const place = await newPlace()
    const [good, slow, bad] = [fresh(), fresh('refuse for now'), fresh('refuse for good')]
    const id = await place.queue({ to: [good, slow], cc: [bad] })
    await place.run()
    assert.deepEqual([(await place.mail(id)).status, (await place.mail(id)).accepted], ['queued', [good]])
    server.behave(slow.split('@')[0] as string, 'accept')
    place.clock.ahead = 3_600_000
    await place.run()
    const mail = await place.mail(id)
    assert.deepEqual(
      [mail.status, mail.accepted, mail.refused.map(({ address }) => address)],
      ['sent', [good, slow], [bad]],
    )
    assert.match(mail.last_error ?? '', /No such user/)
    assert.deepEqual([place.arrived(good).length, place.arrived(slow).length], [1, 1])
  })

  test('waits where the server hangs or closes the connection in the middle', async () => {
    const place = await newPlace()
    const cases: [string, string | null, RegExp][] = [
      [fresh('hang'), server.url, /did not answer in time/],
      [fresh('close in the middle'), server.url, /connection/i],
    ]
    for (const [to, url, said] of cases) {
      const id = await place.queue({ to: [to] })
      await place.run(url, { connectMs: 20_000, idleMs: to === cases[0]?.[0] ? 3_000 : 20_000 })
      const mail = await place.mail(id)
      assert.deepEqual([mail.status, mail.attempt_count], ['queued', 1])
      assert.match(mail.last_error ?? '', said)
      server.behave(to.split('@')[0] as string, 'accept')
      place.clock.ahead += 3_600_000
      await place.run()
      assert.deepEqual([(await place.mail(id)).status, place.arrived(to).length], ['sent', 1])
    }
  })

  test('waits without losing an attempt while the mail server is away, which is a failed job and a figure; it is sent as soon as it is back', async () => {
    const place = await newPlace()
    const to = fresh()
    const id = await place.queue({ to: [to] })
    const seen: unknown[] = []
    const observe = {
      attempt: (outcome: string) => void seen.push(outcome),
      server: (isThere: boolean) => void seen.push(isThere),
    }
    let now = openTransport({ smtpUrl: 'smtp://127.0.0.1:1', from, directory })
    const transport: Transport = { leaves: 'sent', send: (one) => now.send(one), reach: () => now.reach(), close() {} }
    const process = mailJob({ database, from, transport, observe, onlyIn: place.org })
    const run = () => process.run(new AbortController().signal)
    for (const _ of [1, 2, 3]) await assert.rejects(run(), /No mail can be handed over.*ECONNREFUSED/)
    now = openTransport({ smtpUrl: null, from, directory: join(fileURLToPath(import.meta.url), 'mail') })
    await assert.rejects(run(), /No mail can be handed over.*(?:ENOTDIR|EACCES)/)
    assert.deepEqual(
      [(await place.mail(id)).status, (await place.mail(id)).attempt_count, seen],
      ['queued', 0, [false, false, false, false]],
    )
    now = openTransport({ smtpUrl: server.url, from, directory })
    await run()
    assert.deepEqual(
      [(await place.mail(id)).status, place.arrived(to).length, seen.slice(4)],
      ['sent', 1, [true, 'sent']],
    )
    // It goes away between two runs: the first mail that meets it has had an attempt, the others have not.
    now = openTransport({ smtpUrl: 'smtp://127.0.0.1:1', from, directory })
    for (let n = 0; n < 12; n++) await place.queue({ to: [fresh()] })
    await assert.rejects(run(), /No mail can be handed over/)
    const { mails } = (await place.get(`${path}?limit=50`)).json() as { mails: Mail[] }
    const tried = mails.filter(({ status, attempt_count }) => status === 'queued' && attempt_count > 0).length
    assert.ok(tried >= 1 && tried <= 5, `${tried} have lost an attempt`)
    assert.equal(mails.filter(({ status }) => status === 'queued').length, 12)
  })

  test('of which nobody knows whether it was taken is sent again as the same bytes with the same Message-ID', async () => {
    const place = await newPlace()
    const to = fresh('take and close')
    const id = await place.queue({ to: [to] })
    await place.run()
    assert.equal((await place.mail(id)).status, 'queued')
    server.behave(to.split('@')[0] as string, 'accept')
    place.clock.ahead = 3_600_000
    await place.run()
    const [first, second] = place.arrived(to)
    assert.equal((await place.mail(id)).status, 'sent')
    assert.deepEqual(second?.message, first?.message)
  })

  test('is not lost when the process that sends it is killed: another sends it, and nothing twice that was written down', async () => {
    const place = await newPlace()
    const [done, hanging] = [fresh(), fresh('hang')]
    const ids = [await place.queue({ to: [done] }), await place.queue({ to: [hanging] })]
    const arrived = new Promise<void>((resolve) => {
      server.onMessage(({ to }) => to.includes(hanging) && resolve())
    })
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../../../test/mail-sender.ts', import.meta.url)), server.url, place.org],
      { stdio: 'inherit' },
    )
    await arrived
    for (let status = ''; status !== 'sent'; ) status = (await place.mail(ids[0] as string)).status
    child.kill('SIGKILL')
    await once(child, 'exit')
    server.behave(hanging.split('@')[0] as string, 'accept')
    await place.run()
    assert.equal(place.arrived(hanging).length, 0, 'the dead process holds it for a while')
    place.clock.ahead = pastLease
    await place.run()
    assert.deepEqual(
      [(await place.mail(ids[1] as string)).status, place.arrived(hanging).length, place.arrived(done).length],
      ['sent', 1, 1],
    )
  })

  test('is sent once by two processes that look at the same time', async () => {
    const place = await newPlace()
    const all = Array.from({ length: 12 }, () => fresh())
    for (const to of all) await place.queue({ to: [to] })
    await Promise.all([place.run(), place.run()])
    for (const to of all) assert.equal(place.arrived(to).length, 1)
  })

  test('is there with what it tells of, or not at all', async () => {
    const place = await newPlace()
    const failing = place.ctx.transaction(async (ctx) => {
      await sendMail(ctx, some)
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    assert.equal((await place.get(path)).json().total, 0)
  })

  test('can be kept in a directory of which nothing is there yet', async () => {
    const transport = openTransport({ smtpUrl: null, from, directory: join(directory, 'not', 'yet', 'mail') })
    await transport.reach()
    assert.equal(existsSync(join(directory, 'not')), false, 'who only asks makes none')
  })

  test('is kept as a file for the operator’s eyes only where there is no mail server', async () => {
    const place = await newPlace(null)
    const id = await place.queue()
    await place.run()
    assert.equal((await place.mail(id)).status, 'kept')
    const file = join(directory, `${id}.eml`)
    assert.deepEqual(readFileSync(file), (await place.get(`${path}/${id}/content`)).rawPayload)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal((await place.call('POST', `${path}/${id}/bounce`, { reason: 'x' })).json().error_code, 'not_sent')
    await place.resend(id)
    await place.run(server.url)
    assert.equal((await place.mail(id)).status, 'sent', 'once there is one, it can be sent')
  })

  test('that came back is bounced, with the reason', async () => {
    const place = await newPlace()
    const id = await place.queue({ to: [fresh()] })
    assert.equal((await place.call('POST', `${path}/${id}/bounce`, { reason: 'x' })).json().error_code, 'not_sent')
    await place.run()
    const bounced = (await place.call('POST', `${path}/${id}/bounce`, { reason: '550 5.1.1 gone' })).json().mail
    assert.deepEqual(
      [bounced.status, bounced.last_error, bounced.bounced_at !== null],
      ['bounced', '550 5.1.1 gone', true],
    )
    assert.equal((await place.call('POST', `${path}/${id}/bounce`, {})).statusCode, 400)
    assert.equal((await place.resend(id)).mail.bounced_at, null)
    assert.equal((await place.get(`${path}/${id}/history`)).json().total, 4)
  })
})

describe('the list of mails', { concurrency: true }, () => {
  test('that came back by a delivery status notification, in the directory or by SMTP, is bounced with what the other server said, once', async () => {
    const place = await newPlace()
    const inDirectory = mkdtempSync(join(tmpdir(), 'lading-bounces-'))
    after(() => rmSync(inDirectory, { recursive: true }))
    const put = (name: string, content: string) => writeFileSync(join(inDirectory, name), content)
    const take = () => receiveReports({ database, directory: inDirectory, settledMs: 0 })
    const sent = async (...to: string[]) => {
      const id = await place.queue({ to })
      await place.run()
      const mail = await place.mail(id)
      assert.equal(mail.status, 'sent')
      return { id, message_id: mail.message_id as string }
    }
    const [one, two, answered, late] = [
      await sent('ann@acme.example', 'bob@acme.example'),
      await sent(fresh()),
      await sent(fresh()),
      await sent(fresh()),
    ]
    put('a.eml', notification(one.message_id, [{ address: 'ann@acme.example' }]))
    put('b.eml', notification(two.message_id, [{ action: 'delayed' }]))
    put('c.eml', notification(null, [{}], `In-Reply-To: ${answered.message_id}`))
    put('.d.eml', notification(late.message_id, [{}]))
    put('e.eml', 'From: ann@acme.example\r\nSubject: Re: Hello\r\n\r\nThank you.\r\n')
    put('f.eml', notification(`<${newId()}@elsewhere.example>`, [{}]))
    put('g.eml', notification(two.message_id.replace('@', '@not.'), [{}]))
    put('h.eml', '')
    await take()
    const bounced = await place.mail(one.id)
    assert.deepEqual(
      [bounced.status, bounced.last_error, bounced.bounced_at !== null],
      ['bounced', 'ann@acme.example: 550 5.1.1 No such user', true],
    )
    assert.deepEqual(
      [(await place.mail(two.id)).status, (await place.mail(answered.id)).status, (await place.mail(late.id)).status],
      ['sent', 'bounced', 'sent'],
    )
    assert.deepEqual(readdirSync(join(inDirectory, 'done')).sort(), ['a.eml', 'b.eml', 'c.eml'])
    const refused = readdirSync(join(inDirectory, 'failed')).filter((name) => name.endsWith('.eml'))
    assert.deepEqual(refused, ['e.eml', 'f.eml', 'g.eml', 'h.eml'])
    for (const name of refused)
      assert.match(
        readFileSync(join(inDirectory, 'failed', `${name}.reason.txt`), 'utf8'),
        /no report|No mail of this server/,
      )
    assert.equal((await verifyReports(inDirectory)).length, 4)
    // The same once more changes nothing; of the other address it adds to the reason.
    put('a.eml', notification(one.message_id, [{ address: 'ann@acme.example' }]))
    await take()
    assert.equal((await place.mail(one.id)).revision, bounced.revision)
    put('i.eml', notification(one.message_id, [{ address: 'bob@acme.example', said: undefined }]))
    await take()
    assert.equal(
      (await place.mail(one.id)).last_error,
      'ann@acme.example: 550 5.1.1 No such user bob@acme.example: 5.1.1',
    )
    // One that is still sent to another address waits.
    await place.call('POST', `${path}/${two.id}/resend`)
    put('j.eml', notification(two.message_id, [{}]))
    await take()
    assert.ok(existsSync(join(inDirectory, 'j.eml')))

    const keeping = { storage: openStorage(service.settings), folder: uploadFolder(service.settings) }
    const parts = { database, keeping, names: {}, closeTimeoutMs: 100, log: { info() {}, error() {} } }
    const returns = { address: from, take: (bytes: Buffer) => receiveReport(database, bytes) }
    const listener = await listenForMail({ ...parts, returns, listen: { host: '127.0.0.1', port: 0 } })
    after(listener.close)
    const client = createTransport({ host: '127.0.0.1', port: listener.port, ignoreTLS: true })
    const report = (raw: string, to = from) => client.sendMail({ envelope: { from: '', to }, raw })
    await report(notification(late.message_id, [{}]), from.toUpperCase())
    assert.equal((await place.mail(late.id)).status, 'bounced')
    await assert.rejects(report(notification(late.message_id, [{}]), `other-${from}`), { responseCode: 550 })
    await assert.rejects(report('From: a@b.example\r\n\r\nHello'), { responseCode: 554 })
    await assert.rejects(report(notification(two.message_id, [{}])), { responseCode: 451 })
    const types = await typesOf(place)
    assert.equal(types.filter((type) => type === 'mail.bounced').length, 4)
  })

  test('whatever is done to a report of one that came back, it is taken or refused in words', async () => {
    const place = await newPlace()
    const id = await place.queue()
    await place.run()
    const good = notification((await place.mail(id)).message_id, [{}, { address: 'bob@acme.example' }])
    const change = fc.record({
      at: fc.integer({ min: 0, max: good.length }),
      length: fc.integer({ min: 0, max: 80 }),
      text: anyText({ maxLength: 20 }),
    })
    await fc.assert(
      fc.asyncProperty(change, async ({ at, length, text }) => {
        const bytes = Buffer.from(good.slice(0, at) + text + good.slice(at + length), 'latin1')
        await receiveReport(database, bytes).catch((error) =>
          assert.ok(['unreadable_report', 'unknown_mail'].includes(error.code), error),
        )
      }),
      { numRuns: runs(200) },
    )
  })

  test('has what the scopes of the token are about, and what was sent to users for admins alone', async () => {
    const place = await newPlace()
    const [bill, invoice, user] = [
      await place.queue(),
      await place.queue({ scope: 'invoices' }),
      await place.queue({ scope: 'users', kind: 'invitation' }),
    ]
    const seenBy = async (caller: Caller) => (await caller.get(path)).json().mails.map(({ id }: Mail) => id)
    const admin = await createUser(place.ctx, { email: 'a@b.example', name: 'Ann', role: 'admin' })
    assert.deepEqual(await seenBy(callerIn(service, place.org, ['bills'])), [bill])
    assert.deepEqual(await seenBy(callerIn(service, place.org, ['invoices', 'users'])), [invoice])
    assert.deepEqual(await seenBy(callerIn(service, place.org, ['invoices', 'users'], () => admin.id)), [user, invoice])
    assert.deepEqual(await seenBy(callerIn(service, place.org, ['users'], (client) => client)), [user])
    const other = callerIn(service, place.org, ['invoices'])
    for (const answer of [
      await other.get(`${path}/${bill}`),
      await other.get(`${path}/${bill}/content`),
      await other.get(`${path}/${bill}/history`),
      await other.call('POST', `${path}/${bill}/resend`),
      await other.call('POST', `${path}/${bill}/bounce`, { reason: 'x' }),
      await (await newCaller(service)).get(`${path}/${bill}`),
    ])
      assert.equal(answer.statusCode, 404)
    assert.equal((await callerIn(service, place.org, ['equipment']).get(path)).statusCode, 403)
  })

  test('is filtered by state, kind, record, address and time, and paged', async () => {
    const place = await newPlace()
    const record = { type: 'bill', id: newId() }
    const [about, failed] = [
      await place.queue({ record, to: ['finder@acme.example'] }),
      await place.queue({ kind: 'remittance', to: [fresh('refuse for good')] }),
    ]
    await place.run()
    const found = async (query: string) => (await place.get(`${path}?${query}`)).json().mails.map(({ id }: Mail) => id)
    assert.deepEqual(await found('statuses=failed'), [failed])
    assert.deepEqual(await found('kinds=remittance'), [failed])
    assert.deepEqual(await found(`record_type=bill&record_id=${record.id}`), [about])
    assert.deepEqual(await found('search_term=FINDER@'), [about])
    assert.deepEqual(await found('created_end_at=2020-01-01'), [])
    const first = (await place.get(`${path}?limit=1`)).json()
    assert.deepEqual([first.total, first.mails.length], [2, 1])
    assert.deepEqual(await found(`limit=1&after=${encodeURIComponent(first.next_after)}`), [about])
    assert.equal((await place.get(`${path}?statuses=lost`)).statusCode, 400)
  })
})

describe('a mail with a secret', { concurrency: true }, () => {
  test('is shown to nobody, and its secret is gone from the database once it was sent', async () => {
    const place = await newPlace()
    const to = fresh()
    const id = await place.queue({
      to: [to],
      text: 'The link: https://x.example/s3cret',
      hasSecret: true,
      kind: 'invitation',
    })
    assert.equal((await place.mail(id)).body_text, null)
    assert.equal((await place.get(`${path}/${id}/content`)).json().error_code, 'content_is_secret')
    await place.run()
    assert.match(place.arrived(to)[0]?.message.toString() ?? '', /s3cret/)
    const [row] = await place.ctx.run<{ text: string }>(
      sql`select row_to_json(m)::text as text from mails m where m.org_id = ${place.org} and m.id = ${id}`,
    )
    assert.doesNotMatch(row?.text ?? '', /s3cret/)
    assert.match(row?.text ?? '', /"content":null/)
    assert.equal((await place.resend(id)).error_code, 'content_deleted')
    assert.doesNotMatch(JSON.stringify(await place.events()), /s3cret/)
    assert.ok(
      !existsSync(join(directory, `${id}.eml`)) && readdirSync(directory).every((name) => name.endsWith('.eml')),
    )
  })
})

type Recipient = { address?: string; action?: string; said?: string | undefined }

/** A delivery status notification (RFC 3464), as mail servers send it. Without a Message-ID the mail itself does not come back with it. */
function notification(
  messageId: string | null,
  recipients: readonly Recipient[],
  header = 'Subject: Undelivered Mail Returned to Sender',
): string {
  const groups = recipients.map((recipient) => {
    const { address = 'ann@acme.example', action = 'failed', said } = { said: '550 5.1.1 No such user', ...recipient }
    return [
      `Final-Recipient: rfc822; ${address}`,
      `Action: ${action}`,
      'Status: 5.1.1',
      ...(said ? [`Diagnostic-Code: smtp;`, `    ${said}`] : []),
      '',
    ]
  })
  const returned =
    messageId === null
      ? []
      : [
          '--b',
          'Content-Type: message/rfc822',
          '',
          `Message-ID: ${messageId}`,
          'Subject: Hello',
          '',
          'How are you?',
          '',
        ]
  return [
    ...['From: MAILER-DAEMON@mx.example', `To: ${from}`, header, 'MIME-Version: 1.0', 'Auto-Submitted: auto-replied'],
    ...[
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'It could not be delivered.',
      '',
    ],
    ...[
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      'Arrival-Date: Mon, 16 Nov 2026 10:00:00 +0000',
      '',
    ],
    ...groups.flat(),
    ...returned,
    ...['--b--', ''],
  ].join('\r\n')
}
