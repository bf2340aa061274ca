import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { deepTest } from '../../server/test/depth.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { letIn, signIn, startClient } from './client.ts'
import { adminToken, call, newEmail, newPerson, type Person, product } from './product.ts'

const browser = await openBrowser()
const client = await startClient()

async function openAccount(page: Page, person: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.goto(`${product().url}/account`)
  await signIn(page, person)
  await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
}

describe('the account page', () => {
  deepTest('shows who one is, and is open only to someone signed in', async (t) => {
    const page = await visit(t, browser)
    const person = await newPerson('Jules <i>Ferry</i>')
    await openAccount(page, person)
    await page.getByRole('heading', { name: person.name }).waitFor()
    await page.getByText(person.email).first().waitFor()
    await page.getByText('Blue Ridge Freight Brokers').waitFor()
    await page.getByText('None yet.').waitFor()
    await assertGoodPage(page)
  })

  deepTest('ends another session, and leaves this one', async (t) => {
    const person = await newPerson()
    const [here, there] = [await visit(t, browser), await visit(t, browser)]
    await openAccount(there, person)
    await openAccount(here, person)
    await becomes(() => here.getByText('This browser').count(), 1)
    await here.getByRole('button', { name: /^Sign out .+ on / }).click()
    await here.getByRole('status').filter({ hasText: 'The other browser was signed out.' }).waitFor()
    await becomes(() => here.getByRole('button', { name: /^Sign out .+ on / }).count(), 0)
    await there.reload()
    await there.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  test('changes the password, which signs out every other browser and keeps this one', async (t) => {
    const person = await newPerson()
    const [here, there] = [await visit(t, browser), await visit(t, browser)]
    await openAccount(there, person)
    await openAccount(here, person)
    await here.getByLabel('Current password').fill('not the right one')
    await here.getByLabel('New password').fill('another good password')
    await here.getByRole('button', { name: 'Change password' }).click()
    await here.getByRole('alert').filter({ hasText: 'The current password is wrong.' }).waitFor()
    await here.getByLabel('Current password').fill(person.password)
    await here.getByLabel('New password').fill('another good password')
    await here.getByRole('button', { name: 'Change password' }).click()
    await here.getByRole('status').filter({ hasText: 'Your password was changed.' }).waitFor()
    await assertGoodPage(here)
    await there.goto(`${product().url}/account`)
    await signIn(there, person)
    await there.getByRole('alert').waitFor()
    await signIn(there, { ...person, password: 'another good password' })
    await there.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
    await here.goto(`${product().url}/account`)
    await here.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
  })

  deepTest('withdraws the access of an application, whose token stops working', async (t) => {
    const person = await newPerson()
    const page = await visit(t, browser, { mayAsk: [client.origin] })
    const token = await letIn(page, client, person)
    assert.equal((await call(token, 'GET', '/me')).status, 200)
    await page.goto(`${product().url}/account`)
    await page.getByText(client.name).waitFor()
    await assertGoodPage(page)
    await page.getByRole('button', { name: `Withdraw access of ${client.name}` }).click()
    await page.getByRole('status').filter({ hasText: 'The access of the application was withdrawn.' }).waitFor()
    await page.getByText('None yet.').waitFor()
    await becomes(async () => (await call(token, 'GET', '/me')).status, 401)
  })

  deepTest('works without JavaScript, down to signing out', async (t) => {
    const page = await visit(t, browser, { javaScriptEnabled: false })
    await openAccount(page, await newPerson())
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    await page.goto(`${product().url}/account`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })
})

describe('signing out where an application sends people to', () => {
  deepTest('asks first; staying stays, and going ends the session', async (t) => {
    const page = await visit(t, browser)
    await openAccount(page, await newPerson())
    await page.goto(`${product().url}/oauth2/logout`)
    await page.getByRole('heading', { name: 'Sign out of Lading?' }).waitFor()
    await assertGoodPage(page)
    await page.getByRole('link', { name: 'Stay signed in' }).click()
    await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
    await page.goto(`${product().url}/oauth2/logout`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    await assertGoodPage(page)
    await page.goto(`${product().url}/account`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  deepTest('says so to someone who is signed out already', async (t) => {
    const page = await visit(t, browser)
    await page.goto(`${product().url}/oauth2/logout`)
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  })
})

describe('an invitation', () => {
  test('is accepted by somebody who tried to open the console before, as often as they like, and the console starts', async (t) => {
    const email = newEmail()
    const { body } = await call<{ invitation_url: string }>(await adminToken(), 'POST', '/users', {
      email,
      name: 'Noor Haddad',
    })
    const page = await visit(t, browser)
    for (let times = 0; times < 6; times++) {
      await page.goto(`${product().url}/bills`)
      await page.getByLabel('E-mail address').waitFor()
    }
    await page.goto(body.invitation_url)
    await page.getByLabel('New password').fill('a password of my own')
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.goto(`${product().url}/bills`)
    await signIn(page, { email, password: 'a password of my own' })
    await page.getByRole('heading', { level: 1, name: 'Bills' }).waitFor()
  })

  deepTest('lets a new person choose a password and sign in, once', async (t) => {
    const email = newEmail()
    const { body } = await call<{ invitation_url: string }>(await adminToken(), 'POST', '/users', {
      email,
      name: 'Noor Haddad',
    })
    const link = body.invitation_url
    const page = await visit(t, browser)
    await page.goto(link)
    await page.getByRole('heading', { name: 'Join Blue Ridge Freight Brokers' }).waitFor()
    await becomes(() => page.getByLabel('E-mail address').inputValue(), email)
    await assertGoodPage(page)
    await page.getByLabel('New password').fill('password123')
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'one of those that are tried first' }).waitFor()
    await page.getByLabel('New password').fill('a password of my own')
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, { email, password: 'a password of my own' })
    await page.getByRole('heading', { name: 'Noor Haddad' }).waitFor()
    await page.goto(link)
    await page.getByRole('heading', { name: 'This invitation is not valid' }).waitFor()
    await assertGoodPage(page)
  })
})
