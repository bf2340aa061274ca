import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deepTest } from '../../server/test/depth.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { letIn, signIn, startClient } from './client.ts'
import { adminToken, call, type Me, newEmail, newPerson, product, runTool } from './product.ts'

const browser = await openBrowser()
const client = await startClient()

describe('signing in for an application', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`leads through password and consent to the callback, and to a token that works, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async (t) => {
      const person = await newPerson()
      const page = await visit(t, browser, { javaScriptEnabled, mayAsk: [client.origin] })
      const { url, state, verifier } = client.begin({ scope: 'openid profile email bills bill_item_types' })
      await page.goto(url)
      await becomes(() => page.title(), 'Sign in · Lading')
      if (javaScriptEnabled) await assertGoodPage(page)
      await signIn(page, person)
      await page.getByRole('heading', { name: 'Warehouse sync wants access' }).waitFor()
      if (javaScriptEnabled) await assertGoodPage(page)
      assert.deepEqual(await page.getByRole('listitem').allTextContents(), [
        'See your name, e-mail address and role',
        'Manage bills, pay terms and see currencies',
        'Manage bill item types',
      ])
      await page.getByText(client.origin).waitFor()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByText('Back at the client').waitFor()
      const returned = new URL(page.url())
      assert.equal(returned.searchParams.get('state'), state)
      const { access_token = '' } = await client.exchange(returned, verifier)
      const me = await call<Me>(access_token, 'GET', '/me')
      assert.equal(me.status, 200)
      assert.equal(me.body.user.email, person.email)
    })
  }

  for (const javaScriptEnabled of [true, false]) {
    deepTest(
      `hands the answer over in a form with response_mode=form_post, ${javaScriptEnabled ? 'by itself' : 'with a button where there is no JavaScript'}`,
      async (t) => {
        const person = await newPerson()
        const page = await visit(t, browser, { javaScriptEnabled, mayAsk: [client.origin] })
        const { url, state, verifier } = client.begin({ response_mode: 'form_post' })
        await page.goto(url)
        await signIn(page, person)
        await page.getByRole('button', { name: 'Allow' }).click()
        if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).click()
        await page.getByText('Back at the client').waitFor()
        assert.equal(page.url(), client.callback)
        const { access_token = '' } = await client.exchange(client.posted(state) as URL, verifier)
        assert.equal((await call(access_token, 'GET', '/me')).status, 200)
      },
    )
  }

  deepTest(
    'comes back to an application that leads on to another of its addresses, whichever way the answer travels',
    async (t) => {
      const person = await newPerson()
      const onward = client.origin.replace('127.0.0.1', 'localhost')
      const page = await visit(t, browser, { mayAsk: [client.origin, onward] })
      for (const response_mode of ['query', 'form_post']) {
        await page.goto(client.begin({ response_mode, prompt: 'login consent', state: `onward-${response_mode}` }).url)
        await signIn(page, person)
        await page.getByRole('button', { name: 'Allow' }).click()
        await page.waitForURL(`${onward}/onward`)
      }
    },
  )

  deepTest('lets somebody else sign in where someone was signed in', async (t) => {
    const [first, second] = [await newPerson(), await newPerson()]
    const page = await visit(t, browser, { mayAsk: [client.origin] })
    await letIn(page, client, first)
    const { url, verifier } = client.begin({ prompt: 'login' })
    await page.goto(url)
    await signIn(page, second)
    await page.getByText(`You are signed in as ${second.email}`).waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('Back at the client').waitFor()
    const { access_token = '' } = await client.exchange(new URL(page.url()), verifier)
    assert.equal((await call<Me>(access_token, 'GET', '/me')).body.user.email, second.email)
  })

  deepTest('works with the keyboard alone', async (t) => {
    const person = await newPerson()
    const page = await visit(t, browser, { mayAsk: [client.origin] })
    await page.goto(client.begin().url)
    await page.locator('#email:focus').waitFor()
    await page.keyboard.type(person.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Allow' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Back at the client').waitFor()
    assert.ok(new URL(page.url()).searchParams.get('code'))
  })

  test('ends with access_denied at the callback when the person denies', async (t) => {
    const page = await visit(t, browser, { mayAsk: [client.origin] })
    const { url, state } = client.begin()
    await page.goto(url)
    await signIn(page, await newPerson())
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('Back at the client').waitFor()
    const { searchParams } = new URL(page.url())
    assert.equal(searchParams.get('error'), 'access_denied')
    assert.equal(searchParams.get('state'), state)
    assert.equal(searchParams.get('code'), null)
  })

  deepTest('again needs no consent, and comes back from the password page straight to the callback', async (t) => {
    const person = await newPerson()
    const page = await visit(t, browser, { mayAsk: [client.origin] })
    await letIn(page, client, person)
    await page.goto(client.begin({ prompt: 'login' }).url)
    await signIn(page, person)
    await page.getByText('Back at the client').waitFor()
    assert.ok(new URL(page.url()).searchParams.get('code'))
  })

  deepTest('comes back to a client on an IPv6 loopback address', async (t) => {
    const six = await startClient({}, '::1')
    const page = await visit(t, browser, { mayAsk: [six.origin] })
    const token = await letIn(page, six, await newPerson())
    assert.equal((await call(token, 'GET', '/me')).status, 200)
  })

  deepTest('shows every scope in words, and a long name in full', async (t) => {
    const name = `The Integration ${'with a Long Name '.repeat(9)}<b>&amp;</b>`
    const all = await startClient({ name, scopes: (await call<Me>(await adminToken(), 'GET', '/me')).body.scopes })
    const page = await visit(t, browser, { mayAsk: [all.origin] })
    await page.goto(all.begin().url)
    await signIn(page, await newPerson())
    await page.getByRole('heading', { name: `${name} wants access` }).waitFor()
    await becomes(() => page.getByRole('listitem').count(), 17)
    await assertGoodPage(page)
  })
})

describe('a person of two organizations', () => {
  deepTest(
    'accepts the second with the password they have, chooses one of the two, and the token is for that one',
    async (t) => {
      const person = await newPerson()
      const { otherOrg } = product()
      const { invitation_url = '' } = await runTool(
        product(),
        'user',
        'create',
        person.email,
        '--org',
        otherOrg,
        '--name',
        person.name,
      )
      const page = await visit(t, browser, { mayAsk: [client.origin] })
      await page.goto(invitation_url)
      await page.getByRole('heading', { name: 'Join Lakeside & Sons <Carriers>' }).waitFor()
      await page.getByLabel('Password of your account').fill('not the right one')
      await page.getByRole('button', { name: 'Join with this account' }).click()
      await page.getByRole('alert').filter({ hasText: 'There is no account with this address and password.' }).waitFor()
      await assertGoodPage(page)
      await page.getByLabel('Password of your account').fill(person.password)
      await page.getByRole('button', { name: 'Join with this account' }).click()
      await page.getByRole('heading', { name: 'Welcome to Lakeside & Sons <Carriers>' }).waitFor()
      await assertGoodPage(page)

      const { url, verifier } = client.begin()
      await page.goto(url)
      await signIn(page, person)
      await page.getByRole('group', { name: 'Organization' }).waitFor()
      await assertGoodPage(page)
      await page.getByLabel('Lakeside & Sons <Carriers>').check()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByText('Back at the client').waitFor()
      const { access_token = '' } = await client.exchange(new URL(page.url()), verifier)
      const me = await call<Me>(access_token, 'GET', '/me')
      assert.equal(me.body.organization.id, otherOrg)
    },
  )

  deepTest('is warned of an application of an organization that they are no user of', async (t) => {
    const { otherOrg } = product()
    const made = await runTool(
      product(),
      'application',
      'create',
      'Stranger',
      '--org',
      otherOrg,
      '--redirect-uri',
      client.callback,
    )
    const page = await visit(t, browser)
    await page.goto(client.begin({ client_id: made.client_id ?? '' }).url)
    await signIn(page, await newPerson())
    await page
      .getByText('The application belongs to Lakeside & Sons <Carriers>, an organization that you are not a user of.')
      .waitFor()
    await assertGoodPage(page)
  })
})

describe('a wrong password', () => {
  deepTest(
    'is answered with the same words for someone who exists and someone who does not, and keeps the address',
    async (t) => {
      const page = await visit(t, browser)
      for (const email of [(await newPerson()).email, newEmail()]) {
        await page.goto(`${product().url}/sign-in`)
        await signIn(page, { email, password: 'not the right one' })
        await page.getByRole('alert').filter({ hasText: 'The e-mail address or the password is wrong.' }).waitFor()
        await becomes(() => page.getByLabel('E-mail address').inputValue(), email)
        await becomes(() => page.getByLabel('Password').inputValue(), '')
      }
      await assertGoodPage(page)
    },
  )

  deepTest('too often is answered with how long to wait', async (t) => {
    const page = await visit(t, browser)
    await page.goto(`${product().url}/sign-in`)
    const guess = { email: newEmail(), password: 'not the right one' }
    const throttled = page
      .getByRole('alert')
      .filter({ hasText: /Too many failed attempts to sign in\. Try again in \d+ (second|minute)s?\./ })
    for (let guesses = 0; guesses < 12 && !(await throttled.isVisible()); guesses++) await signIn(page, guess)
    await throttled.waitFor()
    await assertGoodPage(page)
  })
})

describe('a request that cannot be trusted', () => {
  const hostile = '"><script>document.title="broken"</script>'
  for (const [what, title, url] of [
    [
      'an unknown application',
      'Unknown application',
      () => `${product().demo.authorize_url}?${new URLSearchParams({ client_id: hostile, response_type: 'code' })}`,
    ],
    [
      'an address that is not registered',
      'Wrong return address',
      () => client.begin({ redirect_uri: `https://elsewhere.example/${hostile}` }).url,
    ],
    [
      'a sign-in that is over',
      'This sign-in has expired',
      () => `${product().url}/interaction/${encodeURIComponent(hostile)}`,
    ],
    ['a return to a sign-in that is over', 'This sign-in has expired', () => `${product().demo.authorize_url}/gone`],
  ] as const) {
    deepTest(`${what} is explained in place, and nothing of it runs or is followed`, async (t) => {
      const page = await visit(t, browser)
      await page.goto(url())
      await page.getByRole('heading', { name: title }).waitFor()
      await becomes(() => page.title(), `${title} · Lading`)
      assert.equal(new URL(page.url()).origin, product().url)
      await assertGoodPage(page)
    })
  }

  deepTest('a form on another site changes nothing', async (t) => {
    const page = await visit(t, browser, { mayAsk: [client.origin] })
    await page.goto(client.origin)
    await page.setContent(`<form method="post" action="${product().url}/sign-in"><button>go</button></form>`)
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Form not accepted' }).waitFor()
    await assertGoodPage(page)
  })
})
