import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { systemContext } from '../../src/auth/organizations/actions.ts'
import { hashCheaply, hashPassword } from '../../src/auth/passwords.ts'
import { createUser, disableUser } from '../../src/auth/users/actions.ts'
import { sql } from '../../src/db/sql.ts'
import { actionIn, authorizeUrl, Browser, type Page } from './browser.ts'
import { askToken, newAddress, newEmail, newParty, openHouse, type Party, password } from './house.ts'

const house = await openHouse()
const wrong = 'a wrong password'

const guess = (party: Party, username = party.email, address = newAddress(), attempt = wrong) =>
  askToken(house, party, { grant_type: 'password', username, password: attempt }, { 'x-forwarded-for': address })

/** Guesses until told to stop: the wait doubles with each guess too many, so however slow the machine, it comes within a few. */
async function guessUntilStopped<T>(attempt: () => Promise<T>, isStop: (answer: T) => boolean, most = 14): Promise<{ free: number; stop: T }> {
  for (let free = 0; free < most; free++) {
    const answer = await attempt()
    if (isStop(answer)) return { free, stop: answer }
  }
  throw new Error(`nobody said stop in ${most} guesses`)
}

/** As if so many guesses had failed already. */
async function failed(subject: string, failures: number): Promise<void> {
  const hash = createHash('sha256').update(subject).digest()
  await house.pool.run(
    sql`insert into sign_in_failures (subject_sha256, failures, blocked_until, expires_at) values (${hash}, ${failures}, now(), now() + interval '15 minutes')`,
  )
}

/** As if the wait were a long one: the first are so short that a slow machine lets them pass. */
async function prolong(subject: string): Promise<void> {
  const hash = createHash('sha256').update(subject).digest()
  await house.pool.run(sql`update sign_in_failures set blocked_until = now() + interval '5 minutes' where subject_sha256 = ${hash}`)
}

describe('too many wrong passwords are answered 429 with Retry-After', { concurrency: true }, () => {
  const stopped = ({ statusCode }: { statusCode: number }) => statusCode === 429

  test('for one account from one address, without stopping the account elsewhere', async () => {
    const party = await newParty(house)
    const address = newAddress()
    const { free, stop } = await guessUntilStopped(() => guess(party, party.email, address), stopped)
    assert.ok(free >= 5, `${free}`)
    assert.match(String(stop.headers['retry-after']), /^[1-9]\d*$/)
    assert.equal(stop.json().error, 'too_many_attempts')
    await prolong(`account ${party.email} from ${address}`)
    assert.equal((await guess(party, party.email.toUpperCase(), address)).statusCode, 429, 'upper case is the same account')
    assert.equal((await guess(party, ` ${party.email} `, address, password)).statusCode, 429, 'the right password has to wait too')
    assert.equal((await guess(party, party.email, newAddress(), password)).statusCode, 200)
  })

  test('for one account from many addresses', async () => {
    const party = await newParty(house)
    await failed(`account ${party.email}`, 18)
    const { free } = await guessUntilStopped(() => guess(party), stopped)
    assert.ok(free >= 2)
    assert.equal((await guess(await newParty(house))).statusCode, 400, 'another account is not stopped')
  })

  test('for one address, whatever the account', async () => {
    const party = await newParty(house)
    const address = newAddress()
    await failed(`address ${address}`, 98)
    const { free } = await guessUntilStopped(() => guess(party, newEmail(), address), stopped)
    assert.ok(free >= 2)
    assert.equal((await guess(party, newEmail())).statusCode, 400, 'another address is not stopped')
  })

  test('for one application, whatever the account and the address', async () => {
    const party = await newParty(house)
    await failed(`application ${party.application.client_id}`, 198)
    const { free } = await guessUntilStopped(() => guess(party, newEmail()), stopped)
    assert.ok(free >= 2)
  })

  test('however many are sent at once', async () => {
    const party = await newParty(house)
    const address = newAddress()
    const answers = await Promise.all(Array.from({ length: 30 }, () => guess(party, party.email, address)))
    const looked = answers.filter(({ statusCode }) => statusCode === 400).length
    assert.ok(looked <= 12, `${looked} passwords were looked at`)
    assert.equal(looked + answers.filter(stopped).length, 30)
  })

  const pageStopped = ({ status }: Page) => status === 429
  const requireWait = ({ headers }: Page) => assert.match(String(headers['retry-after']), /^[1-9]\d*$/)

  test('on the page that signs in for an application', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    const page = await browser.follow(await browser.get(authorizeUrl(party)))
    const { stop } = await guessUntilStopped(() => browser.post(actionIn(page), { email: party.email, password: wrong }), pageStopped)
    requireWait(stop)
  })

  test('on /sign-in', async () => {
    const browser = new Browser(house)
    const email = newEmail()
    requireWait((await guessUntilStopped(() => browser.post('/sign-in', { email, password: wrong }), pageStopped)).stop)
  })

  test('where the password is changed', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    await browser.post('/sign-in', { email: party.email, password })
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.get('/account')).text)?.[1] ?? ''
    const change = () => browser.post('/account/password', { csrf, current: wrong, next: 'another long password' })
    requireWait((await guessUntilStopped(change, pageStopped)).stop)
  })

  test('where an invitation is accepted with an account', async () => {
    const [party, other] = [await newParty(house), await newParty(house)]
    const { invitation } = await createUser(systemContext(house.database, other.org), { email: party.email, name: 'Ada' })
    const browser = new Browser(house)
    requireWait((await guessUntilStopped(() => browser.post(`/invitation/${invitation}`, { password: wrong }), pageStopped)).stop)
  })
})

test('the right password forgives what was guessed wrong before', async () => {
  const party = await newParty(house)
  const address = newAddress()
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < 4; count++) assert.equal((await guess(party, party.email, address)).statusCode, 400)
    assert.equal((await guess(party, party.email, address, password)).statusCode, 200)
  }
})

test('five right passwords at once are all let in', async () => {
  const party = await newParty(house)
  const address = newAddress()
  const answers = await Promise.all(Array.from({ length: 5 }, () => guess(party, party.email, address, password)))
  assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200]))
})

describe('hashing', () => {
  let hashes = 0
  let running = 0
  let most = 0
  const jobs = new Set<number>()
  const hook = createHook({
    init(id, type) {
      if (!/argon2/i.test(type)) return
      jobs.add(id)
      hashes += 1
      running += 1
      most = Math.max(most, running)
    },
    before(id) {
      if (jobs.delete(id)) running -= 1
    },
  })

  test('is done once for an unknown, a wrong and a disabled account, and the answers are equal byte for byte', async () => {
    const party = await newParty(house)
    const email = newEmail()
    const ctx = systemContext(house.database, party.org)
    const { id } = await createUser(ctx, { email, name: 'Mo', password })
    await disableUser(ctx, id, null)
    const invited = newEmail()
    await createUser(ctx, { email: invited, name: 'No password yet' })
    hook.enable()
    const bodies = new Set<string>()
    const pages = new Set<string>()
    for (const [username, attempt] of [
      [newEmail(), wrong],
      [party.email, wrong],
      [email, password],
      [email, wrong],
      [invited, wrong],
    ] as const) {
      hashes = 0
      const answer = await guess(party, username, newAddress(), attempt)
      assert.equal(hashes, 1, username)
      bodies.add(`${answer.statusCode} ${answer.body}`)
      const page = await new Browser(house).post('/sign-in', { email: username, password: attempt })
      assert.equal(hashes, 2)
      pages.add(`${page.status} ${page.text.replaceAll(username, '')}`)
    }
    hook.disable()
    assert.equal(bodies.size, 1, [...bodies].join('\n'))
    assert.equal(pages.size, 1)
  })

  test('goes on at most twice at a time, with a bounded line behind: who comes too many is answered 503', async (t) => {
    hook.enable()
    most = 0
    running = 0
    const results = await Promise.allSettled(Array.from({ length: 80 }, () => hashPassword(password)))
    hook.disable()
    assert.equal(most, 2)
    const refused = results.filter(({ status }) => status === 'rejected')
    assert.equal(refused.length, 80 - 2 - 64)
    const party = await newParty(house)
    // A line of cheap ones would be gone before anyone comes.
    hashCheaply(false)
    t.after(() => hashCheaply(true))
    const line = Array.from({ length: 66 }, () => hashPassword(password).catch(() => ''))
    const [token, page] = await Promise.all([guess(party), new Browser(house).post('/sign-in', { email: newEmail(), password })])
    await Promise.all(line)
    assert.deepEqual([token.statusCode, token.headers['retry-after']], [503, '2'])
    assert.deepEqual([page.status, page.headers['retry-after']], [503, '2'])
    assert.match(String(page.headers['content-type']), /^text\/html/)
  })
})
