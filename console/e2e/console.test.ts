import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Request } from 'playwright-core'
import { deepTest } from '../../server/test/depth.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { signIn } from './client.ts'
import { applications, openConsole, openMenu } from './console.ts'
import { newEmail, newPerson, product, runTool } from './product.ts'

const browser = await openBrowser()

describe('signing in to the console', () => {
  test('begins on the landing page and ends there; in between, / is the console and a reload keeps its place', async (t) => {
    const page = await visit(t, browser)
    const person = await newPerson('Olga Petrov')
    await page.goto(product().url)
    await page.getByRole('link', { name: 'Sign in' }).first().click()
    await signIn(page, person)
    await page.getByRole('heading', { name: 'Welcome, Olga Petrov' }).waitFor()
    assert.deepEqual(
      await page.evaluate('[Object.keys(localStorage).filter((key) => !key.startsWith("mantine")), document.cookie]'),
      [[], ''],
    )
    await assertGoodPage(page)
    await page.goto(`${product().url}/settings/people?page=3`)
    await page.getByRole('heading', { name: 'Only admins can open this page' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Only admins can open this page' }).waitFor()
    assert.equal(page.url(), `${product().url}/settings/people?page=3`)
    await page.goto(product().url)
    await page.getByRole('heading', { name: 'Welcome, Olga Petrov' }).waitFor()
    await openMenu(page, 'Sign out')
    await page.getByText('This installation is running').waitFor()
    assert.equal(page.url(), `${product().url}/`)
    await page.goBack()
    await page.getByText('This installation is running').waitFor()
    await page.goto(`${product().url}/settings/people`)
    await page.getByLabel('Password').waitFor()
  })

  deepTest('comes back by itself where the tokens are lost and the session lasts', async (t) => {
    const page = await visit(t, browser)
    await openConsole(page, 'admin', '/settings/people')
    await page.getByRole('table').waitFor()
    await page
      .getByRole('button', { name: /^Actions for / })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'History' }).click()
    const history = page.getByRole('dialog', { name: /^History of / })
    await history.getByText('Created', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await history.waitFor({ state: 'detached' })
    const refused = {
      status: 401,
      json: { error_code: 'invalid_token', error_message: 'Revoked.', details: [], request_id: 'r' },
    }
    await page.route('**/api/v1/oauth_applications?*', (route) => route.fulfill(refused), { times: 1 })
    await page.route('**/oauth2/token', (route) => route.fulfill({ status: 400, json: { error: 'invalid_grant' } }), {
      times: 1,
    })
    await page.getByRole('button', { name: 'Developers' }).click()
    await page.getByRole('link', { name: 'OAuth applications' }).click()
    await page.getByRole('link', { name: 'Demo integration' }).waitFor()
    assert.equal(new URL(page.url()).pathname, applications)
  })

  deepTest('someone in two organizations chooses one, sees which, and changes to the other', async (t) => {
    const person = await newPerson('Quinn Ahmadi')
    const { invitation_url = '' } = await runTool(
      product(),
      'user',
      'create',
      person.email,
      '--org',
      product().otherOrg,
      '--name',
      person.name,
    )
    await fetch(invitation_url, { method: 'POST', body: new URLSearchParams({ password: person.password }) })
    const page = await visit(t, browser)
    await openConsole(page, person, '/home')
    await page.getByRole('heading', { name: 'Choose an organization' }).waitFor()
    await assertGoodPage(page)
    await page.getByLabel('Blue Ridge Freight Brokers').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('You are signed in to Blue Ridge Freight Brokers').waitFor()
    await openMenu(page, 'Switch organization')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('You are signed in to Blue Ridge Freight Brokers').waitFor()
    await openMenu(page, 'Switch organization')
    await page.getByLabel('Lakeside & Sons <Carriers>').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('You are signed in to Lakeside & Sons <Carriers>').waitFor()
    await page.reload()
    await page.getByText('You are signed in to Lakeside & Sons <Carriers>').waitFor()
  })
})

describe('the first load of /bills', () => {
  test('leaves the page for nothing, and takes at most 20 requests and 200 kB of JavaScript', async (t) => {
    // A profile of its own, so that nothing is cached.
    const page = await visit(t, browser, { viewport: { width: 1440, height: 900 } })
    const requests: Request[] = []
    page.on('request', (request) => requests.push(request))
    await openConsole(page, 'member', '/bills')
    await page.getByRole('table', { name: 'Bills' }).waitFor()
    await page.waitForLoadState('networkidle')
    const shown = requests
      .map(
        (request) =>
          `${request.method()} ${new URL(request.url()).pathname}${new URL(request.url()).search.slice(0, 60)}`,
      )
      .join('\n')
    assert.ok(requests.length <= 20, `${requests.length} requests:\n${shown}`)
    assert.equal(requests.filter((request) => request.isNavigationRequest()).length, 1)
    const scripts = requests.filter((request) => request.resourceType() === 'script')
    const answers = await Promise.all(
      scripts.map(async (request) => (await (await request.response())?.allHeaders()) ?? {}),
    )
    // By the header: Chromium knows no size of what another page of the same process has loaded already.
    const total = answers.reduce((sum, headers) => sum + Number(headers['content-length']), 0)
    assert.ok(total > 50_000 && total <= 200_000, `${total} bytes of JavaScript in ${scripts.length} files`)
    for (const headers of answers)
      assert.deepEqual(
        [headers['content-encoding'], headers['cache-control']],
        ['br', 'public, max-age=31536000, immutable'],
      )
  })
})

describe('the shell', () => {
  deepTest('can be used with the keyboard alone, on a phone too, and in the colours that one likes', async (t) => {
    const page = await visit(t, browser, { viewport: { width: 360, height: 740 } })
    await openConsole(page, 'admin', '/home')
    await page.getByRole('heading', { name: 'Welcome, Ada Admin' }).waitFor()
    await page.keyboard.press('Tab')
    await becomes(() => page.evaluate('document.activeElement.textContent'), 'Skip to content')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Close the navigation' }).waitFor()
    const people = page.getByRole('navigation').getByRole('link', { name: 'People' })
    await people.waitFor({ state: 'hidden' })
    await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).focus()
    await page.keyboard.press('Enter')
    await people.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Open the navigation' }).waitFor()
    await page.getByRole('button', { name: /sign out$/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await becomes(() => page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
    await page.reload()
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
    await becomes(() => page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
  })
})

describe('people in the console', () => {
  deepTest('an admin invites someone, makes them an admin, shuts them out and lets them in again', async (t) => {
    const page = await visit(t, browser)
    await openConsole(page, 'admin', '/settings/people')
    await page.getByRole('button', { name: 'Invite someone' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Tom Brandt')
    await page.getByLabel('E-mail address').fill(`tom-${Date.now()}@people.example`)
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const link = page.getByRole('dialog', { name: 'Invitation link' })
    assert.match((await link.locator('code').textContent()) ?? '', /\/invitation\//)
    await link.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Tom Brandt' })
    await row.getByText('Invited').waitFor()
    await assertGoodPage(page)
    const act = async (item: string) => {
      await row.getByRole('button', { name: 'Actions for Tom Brandt' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await act('Make an admin')
    await row.getByRole('cell', { name: 'Admin' }).waitFor()
    await act('Disable')
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await row.getByText('Disabled').waitFor()
    await act('Enable')
    await row.getByText('Invited').waitFor()
  })

  deepTest(
    'someone with a first password chooses their own when they first sign in, and the security log tells it',
    async (t) => {
      const page = await visit(t, browser)
      await openConsole(page, 'admin', '/settings/people')
      const person = { email: newEmail(), password: 'quiet harbor lantern' }
      await page.getByRole('button', { name: 'Invite someone' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Lena Fischer')
      await page.getByLabel('E-mail address').fill(person.email)
      await page.getByRole('radio', { name: 'With a first password' }).check()
      await page.getByRole('textbox', { name: 'First password' }).fill('1234567890')
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      await page.getByText('one of those that are tried first').waitFor()
      await page.getByRole('textbox', { name: 'First password' }).fill('seven lanterns at dusk')
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      await page.getByRole('row').filter({ hasText: 'Lena Fischer' }).getByText('Invited').waitFor()

      const own = await visit(t, browser)
      await own.goto(`${product().url}/home`)
      await signIn(own, { ...person, password: 'not the right one' })
      await signIn(own, { ...person, password: 'seven lanterns at dusk' })
      await own.getByRole('heading', { name: 'Choose your own password' }).waitFor()
      await assertGoodPage(own)
      await own.getByLabel('New password').fill(person.password)
      await own.getByRole('button', { name: 'Continue' }).click()
      await own.getByRole('heading', { name: 'Welcome, Lena Fischer' }).waitFor()

      await page.getByRole('link', { name: 'Security log' }).click()
      const table = page.getByRole('table', { name: 'Security log' })
      const entries = table.getByRole('row').filter({ hasText: 'Lena Fischer' })
      await entries.filter({ hasText: 'Person joined' }).waitFor()
      await entries.filter({ hasText: 'with a first password' }).waitFor()
      await assertGoodPage(page)
      await page.getByRole('combobox', { name: 'What happened' }).click()
      await page.getByRole('option', { name: 'Failed sign-in' }).click()
      await entries.filter({ hasText: 'the password is wrong' }).waitFor()
      await table.getByText('Person joined').first().waitFor({ state: 'detached' })
      await page.getByLabel('To', { exact: true }).fill('2020-01-01')
      await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
      assert.equal(new URL(page.url()).search, '?type=sign_in.failed&to=2020-01-01')
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await entries.first().waitFor()
    },
  )
})
