import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { hashPassword, verifyPassword } from '../../src/identity/passwords/passwords.ts'
import { networkOf } from '../../src/identity/passwords/throttle.ts'
import { createJoinedUser, createUser, disableUser } from '../../src/identity/users/actions.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { systemContext } from '../../src/platform/organizations/actions.ts'
import { actionIn, authorizeUrl, Browser, reachConsent } from './browser.ts'
import {
  askToken,
  newAddress,
  newEmail,
  newParty,
  openHouse,
  type Party,
  password,
  tokensByPassword,
  tryToken,
} from './house.ts'

/** The clock by which failures are counted stands still unless a test moves it. */
let now = Date.parse('2026-11-16T09:00:00.000Z')
const house = await openHouse({}, undefined, () => new Date(now))
const wrong = 'a wrong password'

function pass(seconds: number): void {
  now += seconds * 1000
}

/** Through an application with the password flow. */
const guess = (party: Party, username = party.email, address = newAddress(), attempt = wrong) =>
  askToken(house, party, { grant_type: 'password', username, password: attempt }, { 'x-forwarded-for': address })

/** In a browser that has no cookie. */
const guessOnPage = (email: string, address = newAddress(), attempt = wrong) =>
  new Browser(house).post('/sign-in', { email, password: attempt }, { 'x-forwarded-for': address })

const signInAgain = (browser: Browser, email: string, attempt = password) =>
  browser.post('/sign-in', { email, password: attempt })

/** As if so many guesses had failed already. */
async function failed(subject: string, failures: number): Promise<void> {
  const [hash, at] = [createHash('sha256').update(subject).digest(), new Date(now)]
  const expires = new Date(now + 3_600_000)
  await house.pool.run(sql`
    insert into sign_in_failures (subject_sha256, failures, blocked_until, expires_at) values (${hash}, ${failures}, ${at}, ${expires})
    on conflict (subject_sha256) do update set failures = ${failures}`)
}

async function failuresOf(subject: string): Promise<number> {
  const hash = createHash('sha256').update(subject).digest()
  return Number(
    (await house.pool.run(sql`select failures from sign_in_failures where subject_sha256 = ${hash}`))[0]?.failures ?? 0,
  )
}

/** How many guesses are looked at while the clock stands still. */
async function looksBeforeStop(
  attempt: () => Promise<{ status: number; wait: string | undefined }>,
): Promise<{ looks: number; wait: string | undefined }> {
  for (let looks = 0; looks < 20; looks++) {
    const { status, wait } = await attempt()
    if (status === 429) return { looks, wait }
  }
  throw new Error('nobody said stop')
}

const ofToken = async (answer: ReturnType<typeof guess>) => ({
  status: (await answer).statusCode,
  wait: (await answer).headers['retry-after'] as string,
})
const ofPage = async (page: ReturnType<typeof guessOnPage>) => ({
  status: (await page).status,
  wait: (await page).headers['retry-after'] as string,
})

async function newJoined(party: Party): Promise<string> {
  const email = newEmail()
  await createJoinedUser(systemContext(house.database, party.org), { email, name: 'Mo Member', password })
  return email
}

describe('guessing is slow', () => {
  test('for one account from one network: 429 with Retry-After, each wait longer than the one before', async () => {
    const [party, address] = [await newParty(house), newAddress()]
    assert.deepEqual(await looksBeforeStop(() => ofPage(guessOnPage(party.email, address))), { looks: 6, wait: '1' })
    const waits: string[] = []
    for (let round = 0; round < 12; round++) {
      pass(Number((await guessOnPage(party.email, address)).headers['retry-after']))
      assert.equal(
        (await guessOnPage(` ${party.email.toUpperCase()} `, address)).status,
        400,
        'written otherwise it is the same account',
      )
      waits.push(String((await guessOnPage(party.email, address)).headers['retry-after']))
    }
    assert.deepEqual(waits, ['3', '7', '15', '31', '63', '127', '255', '511', '900', '900', '900', '900'])
    assert.equal(
      (await guessOnPage(party.email, address, password)).status,
      429,
      'whoever guessed has to wait with the right password too',
    )
    pass(3601)
    assert.equal((await guessOnPage(party.email, address, password)).location, '/account')
  })

  test('for many accounts from one network', async () => {
    const address = newAddress()
    await failed(`network ${address}`, 99)
    assert.deepEqual(await looksBeforeStop(() => ofPage(guessOnPage(newEmail(), address))), { looks: 2, wait: '1' })
    await failed(`network ${address}`, 1_000)
    pass(60)
    assert.deepEqual(await looksBeforeStop(() => ofPage(guessOnPage(newEmail(), address))), { looks: 1, wait: '60' })
    assert.equal((await guessOnPage(newEmail())).status, 400, 'another network is not stopped')
  })

  test('for one account from many networks: each has one guess, and then waits long', async () => {
    const [party, address] = [await newParty(house), newAddress()]
    await failed(`account ${party.email}`, 20)
    assert.deepEqual(await looksBeforeStop(() => ofPage(guessOnPage(party.email, address))), { looks: 1, wait: '30' })
    assert.deepEqual(await looksBeforeStop(() => ofToken(guess(party, party.email, address))), { looks: 1, wait: '30' })
    pass(30)
    assert.deepEqual(await looksBeforeStop(() => ofPage(guessOnPage(party.email, address))), { looks: 1, wait: '90' })
  })

  test('for many accounts through one application', async () => {
    const party = await newParty(house)
    await failed(`application ${party.application.client_id}`, 200)
    const address = newAddress()
    assert.deepEqual(await looksBeforeStop(() => ofToken(guess(party, party.email, address))), { looks: 1, wait: '30' })
  })

  test('however many are sent at once', async () => {
    const [party, address] = [await newParty(house), newAddress()]
    const answers = await Promise.all(Array.from({ length: 30 }, () => guess(party, party.email, address)))
    assert.equal(answers.filter(({ statusCode }) => statusCode === 400).length, 6)
    assert.equal(answers.filter(({ statusCode }) => statusCode === 429).length, 24)
  })

  test('in a browser that knows the person, where the password is changed, and with the link of an invitation', async () => {
    const [party, other] = [await newParty(house), await newParty(house)]
    const browser = new Browser(house)
    await signInAgain(browser, party.email)
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.get('/account')).text)?.[1] ?? ''
    const change = { csrf, current: wrong, next: 'seven lanterns at dusk' }
    assert.deepEqual(await looksBeforeStop(() => ofPage(browser.post('/account/password', change))), {
      looks: 11,
      wait: '1',
    })
    assert.deepEqual(await looksBeforeStop(() => ofPage(signInAgain(browser, party.email, wrong))), {
      looks: 11,
      wait: '1',
    })
    const { invitation } = await createUser(systemContext(house.database, other.org), {
      email: party.email,
      name: 'Ada',
    })
    const accept = () => new Browser(house).post(`/invitation/${invitation}`, { account: 'existing', password: wrong })
    assert.deepEqual(await looksBeforeStop(() => ofPage(accept())), { looks: 6, wait: '1' })
    const another = await createUser(systemContext(house.database, (await newParty(house)).org), {
      email: party.email,
      name: 'Ada',
    })
    const choose = () => new Browser(house).post(`/invitation/${another.invitation}`, { password: 'short' })
    assert.deepEqual(
      await looksBeforeStop(() => ofPage(choose())),
      { looks: 6, wait: '1' },
      'a new password that is refused was compared with the account',
    )
  })

  test('on the page that signs in for an application', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    const page = await browser.follow(await browser.get(authorizeUrl(party)))
    assert.deepEqual(
      await looksBeforeStop(() => ofPage(browser.post(actionIn(page), { email: party.email, password: wrong }))),
      { looks: 6, wait: '1' },
    )
  })
})

describe('a stranger locks nobody out', () => {
  test('an attempt that is refused is counted nowhere', async () => {
    const [party, address] = [await newParty(house), newAddress()]
    await looksBeforeStop(() => ofPage(guessOnPage(party.email, address)))
    const counted = () =>
      Promise.all(
        [`account ${party.email} from ${address}`, `account ${party.email}`, `network ${address}`].map(failuresOf),
      )
    assert.deepEqual(await counted(), [6, 6, 6])
    for (let round = 0; round < 5; round++) assert.equal((await guessOnPage(party.email, address)).status, 429)
    assert.deepEqual(await counted(), [6, 6, 6])
  })

  test('the right password from a network that has not failed is taken, however many failed elsewhere', async () => {
    const party = await newParty(house)
    await failed(`account ${party.email}`, 100_000)
    assert.equal((await guess(party, party.email, newAddress(), password)).statusCode, 200)
    assert.equal((await guessOnPage(party.email, newAddress(), password)).location, '/account')
  })

  test('in a browser that knows the person nothing that others do is held against them, not even from the same address', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    await signInAgain(browser, party.email)
    browser.cookies.delete('lading_session')
    browser.cookies.delete('lading_session.sig')
    await failed(`account ${party.email}`, 1_000)
    await failed(`network ${browser.address}`, 1_000)
    await guessOnPage(newEmail(), browser.address)
    await looksBeforeStop(() => ofPage(guessOnPage(party.email, browser.address)))
    assert.equal(
      (await guessOnPage(party.email, browser.address, password)).status,
      429,
      'a browser without the cookie waits',
    )
    assert.equal((await signInAgain(browser, party.email)).location, '/account')
    const forAnother = await newParty(house)
    assert.equal(
      (await signInAgain(browser, forAnother.email)).status,
      429,
      'the cookie is worth nothing for anybody else',
    )
    const consent = await reachConsent(
      Object.assign(new Browser(house), { cookies: browser.cookies }),
      party,
      authorizeUrl(party),
    )
    assert.match(actionIn(consent), /consent$/)
  })

  test('the cookie opens nothing, and neither a forged one nor one from before a new password is known', async () => {
    const party = await newParty(house)
    const [browser, elsewhere] = [new Browser(house), new Browser(house)]
    await signInAgain(browser, party.email)
    await signInAgain(elsewhere, party.email)
    const known = browser.cookies.get('lading_browser') ?? ''
    assert.ok(known.startsWith(`${party.user}.`))
    const only = new Browser(house)
    only.cookies.set('lading_browser', known)
    assert.equal((await only.get('/account')).location, '/sign-in')
    assert.deepEqual(await looksBeforeStop(() => ofPage(signInAgain(only, party.email, wrong))), {
      looks: 11,
      wait: '1',
    })
    only.cookies.set('lading_browser', `${known.slice(0, -4)}AAAA`)
    assert.deepEqual(
      await looksBeforeStop(() => ofPage(signInAgain(only, party.email, wrong))),
      { looks: 6, wait: '1' },
      'forged',
    )
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.get('/account')).text)?.[1] ?? ''
    await browser.post('/account/password', { csrf, current: password, next: 'seven lanterns at dusk' })
    await looksBeforeStop(() => ofPage(guessOnPage(party.email, elsewhere.address)))
    assert.equal(
      (await signInAgain(elsewhere, party.email, 'seven lanterns at dusk')).status,
      429,
      'from before the new password',
    )
    await looksBeforeStop(() => ofPage(guessOnPage(party.email, browser.address)))
    assert.equal(
      (await signInAgain(browser, party.email, 'seven lanterns at dusk')).location,
      '/account',
      'where it was changed',
    )
  })

  test('failures through an application stop none of its other users, who come from the same address', async () => {
    const [party, server] = [await newParty(house), newAddress()]
    await failed(`application ${party.application.client_id}`, 10_000)
    await failed(`network ${server}`, 10_000)
    for (let round = 0; round < 3; round++) assert.equal((await guess(party, newEmail(), server)).statusCode, 400)
    assert.equal((await guess(party, party.email, server, password)).statusCode, 200)
    assert.equal(
      (await askToken(house, party, { grant_type: 'client_credentials', client_secret: 'wrong' })).statusCode,
      401,
    )
    assert.equal((await askToken(house, party, { grant_type: 'client_credentials' })).statusCode, 200)
  })

  test('the right password forgives what was guessed wrong before, for its own origin', async () => {
    const [party, address] = [await newParty(house), newAddress()]
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 4; count++) assert.equal((await guess(party, party.email, address)).statusCode, 400)
      assert.equal((await guess(party, party.email, address, password)).statusCode, 200)
    }
  })

  test('forty right passwords at once are all let in: of one person, through an application and on the page, and of many behind one address', async () => {
    const [party, address] = [await newParty(house), newAddress()]
    const tokens = await Promise.all(Array.from({ length: 40 }, () => guess(party, party.email, address, password)))
    assert.deepEqual(new Set(tokens.map(({ statusCode }) => statusCode)), new Set([200]))
    const pages = await Promise.all(Array.from({ length: 40 }, () => guessOnPage(party.email, newAddress(), password)))
    const same = await Promise.all(Array.from({ length: 40 }, () => guessOnPage(party.email, address, password)))
    const people = await Promise.all(Array.from({ length: 40 }, () => newJoined(party)))
    const many = await Promise.all(people.map((email) => guessOnPage(email, address, password)))
    assert.deepEqual(new Set([...pages, ...same, ...many].map(({ location }) => location)), new Set(['/account']))
  })
})

test('while attempts for one account wait for each other, the API has connections left', async () => {
  const party = await newParty(house)
  const { access_token } = await tokensByPassword(house, party)
  await guess(party)
  const account = createHash('sha256').update(`account ${party.email}`).digest()
  let guesses: ReturnType<typeof guess>[] = []
  await house.pool.transaction(async (run) => {
    await run(sql`select from sign_in_failures where subject_sha256 = ${account} for update`)
    guesses = Array.from({ length: 12 }, () => guess(party))
    for (let round = 0; round < 5; round++) assert.equal(await tryToken(house, access_token), 200)
  })
  assert.deepEqual(new Set((await Promise.all(guesses)).map(({ statusCode }) => statusCode)), new Set([400]))
})

test('a network is an IPv4 address or half of an IPv6 address, however it is written', () => {
  assert.equal(networkOf('203.0.113.7'), '203.0.113.7')
  assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7')
  for (const same of ['2001:db8::1', '2001:DB8:0:0:ffff::9', '2001:0db8:0000:0000:1:2:3:4'])
    assert.equal(networkOf(same), '2001:db8:0:0::/64')
  assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8::1'))
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
    const { id } = await createJoinedUser(ctx, { email, name: 'Mo', password })
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

  test('goes on at most twice at a time, with a bounded line behind: who comes too many is answered 503', async () => {
    hook.enable()
    most = 0
    running = 0
    const results = await Promise.allSettled(Array.from({ length: 140 }, () => hashPassword(password)))
    hook.disable()
    assert.equal(most, 2)
    const refused = results.filter(({ status }) => status === 'rejected')
    assert.equal(refused.length, 140 - 2 - 128)
    const party = await newParty(house)
    // The two that go on take as long as some tens of others, so that the line stands while somebody comes.
    const slow = '$argon2id$v=19$m=19456,t=20,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    const line = [
      ...[0, 1].map(() => verifyPassword(password, slow)),
      ...Array.from({ length: 128 }, () => hashPassword(password)),
    ]
    const [token, page] = await Promise.all([
      guess(party),
      new Browser(house).post('/sign-in', { email: newEmail(), password }),
    ])
    await Promise.all(line)
    assert.deepEqual([token.statusCode, token.headers['retry-after']], [503, '2'])
    assert.equal(await failuresOf(`account ${party.email}`), 0, 'what was not looked at is not counted')
    assert.deepEqual([page.status, page.headers['retry-after']], [503, '2'])
    assert.match(String(page.headers['content-type']), /^text\/html/)
  })
})
