import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { deepTest } from '../../server/test/depth.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { applications, openConsole } from './console.ts'
import { adminToken, call, product, tokenFrom } from './product.ts'

const browser = await openBrowser()
const hasCurl = spawnSync('curl', ['--version']).error === undefined

async function takeSecret(page: Page): Promise<{ client_id: string; client_secret: string }> {
  const dialog = page.getByRole('dialog', { name: 'Client secret' })
  await dialog.waitFor()
  const [client_id = '', client_secret = ''] = await dialog.locator('code').allTextContents()
  await becomes(() => dialog.getByRole('button', { name: 'Done' }).isDisabled(), true)
  await page.keyboard.press('Escape')
  await dialog.waitFor()
  await dialog.getByLabel('I have stored the secret').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  return { client_id, client_secret }
}

function tokenOf(credentials: { client_id: string; client_secret: string }): Promise<Record<string, string>> {
  return tokenFrom({ grant_type: 'client_credentials', ...credentials })
}

describe('OAuth applications in the console', () => {
  test('an admin creates one, uses it, rotates its secret, disables, enables and deletes it', async (t) => {
    const page = await visit(t, browser)
    await openConsole(page, 'admin')
    await page.getByRole('heading', { name: 'OAuth applications', level: 1 }).waitFor()
    assert.equal(new URL(page.url()).pathname, applications)
    const demo = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Demo integration' }) })
    for (const uri of product().demo.redirect_uris) await demo.getByRole('cell', { name: uri }).waitFor()
    await assertGoodPage(page)

    await page.getByRole('link', { name: 'New application' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Dock scheduler')
    await page.getByLabel('Redirect URI 1').fill('http://dock.example/callback')
    await page.getByLabel('Client credentials').check()
    await page.getByLabel('Password').check()
    await page.getByText('The password flow is enabled').waitFor()
    await page.getByLabel('Public').check()
    await becomes(() => page.getByLabel('Client credentials').isDisabled(), true)
    await becomes(() => page.getByLabel('Require PKCE').isDisabled(), true)
    await becomes(() => page.getByLabel('Require PKCE').isChecked(), true)
    await page.getByLabel('Confidential').check()
    await page.getByLabel('Require PKCE').check()
    await page.getByLabel('Client credentials').check()
    await page.getByText('No scopes selected: the application cannot do anything yet.').waitFor()
    // In the words of the consent page.
    await page.getByText('Manage connections with accounting systems, and sync').waitFor()
    assert.equal(await page.getByText('Reserved').count(), 0)
    await page.getByRole('group', { name: 'Billing' }).getByLabel('Bills', { exact: true }).check()
    await page.getByRole('button', { name: 'Create application' }).click()
    await page.getByText('Enter an https address, or an http address on').waitFor()
    await becomes(() => page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Redirect URI 1')
    await assertGoodPage(page)
    await page.getByLabel('Redirect URI 1').fill('https://dock.example/callback')
    await page.getByRole('button', { name: 'Create application' }).click()
    await page.getByRole('dialog').waitFor()
    await assertGoodPage(page)
    const first = await takeSecret(page)
    await page.getByRole('heading', { name: 'Dock scheduler' }).waitFor()
    assert.ok(!(await page.content()).includes(first.client_secret))

    const { access_token: token = '', scope } = await tokenOf(first)
    assert.equal(scope, 'bills')
    assert.equal((await call(token, 'GET', '/bills?limit=1')).status, 200)
    await page.reload()
    await page.getByRole('heading', { name: 'Dock scheduler' }).waitFor()
    await becomes(() => page.getByLabel('Require PKCE').isChecked(), true)
    assert.ok(!(await page.content()).includes(first.client_secret))
    await page.getByRole('tab', { name: 'Try it' }).click()
    await page.getByRole('region', { name: 'Get a token', exact: true }).waitFor()
    await assertGoodPage(page)
    if (hasCurl) {
      const command = (await page.getByRole('region', { name: 'Get a token', exact: true }).textContent()) ?? ''
      const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', command], {
        env: { ...process.env, CLIENT_SECRET: first.client_secret },
      })
      assert.equal(JSON.parse(stdout).token_type, 'Bearer')
    }

    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByLabel('Immediately').check()
    await page.getByRole('button', { name: 'Create new secret' }).click()
    const second = await takeSecret(page)
    assert.equal(second.client_id, first.client_id)
    assert.equal((await tokenOf(first)).error, 'invalid_client')
    assert.equal((await tokenOf(second)).token_type, 'Bearer')

    const answerTo = async (verb: 'Disable' | 'Enable') => {
      await page.getByRole('button', { name: verb }).click()
      const dialog = page.getByRole('dialog', { name: `${verb} Dock scheduler` })
      await dialog.getByRole('button', { name: verb }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await answerTo('Disable')
    await page.getByText('Disabled', { exact: true }).waitFor()
    await assertGoodPage(page)
    assert.equal((await tokenOf(second)).error, 'invalid_client')
    await answerTo('Enable')
    assert.equal((await tokenOf(second)).token_type, 'Bearer')

    await page.getByRole('button', { name: 'Delete' }).click()
    const confirm = page.getByRole('dialog', { name: 'Delete the application' })
    await becomes(() => confirm.getByRole('button', { name: 'Delete' }).isDisabled(), true)
    await confirm.getByRole('textbox').fill('Dock scheduler')
    await confirm.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'Demo integration' }).waitFor()
    await becomes(() => page.getByRole('link', { name: 'Dock scheduler' }).count(), 0)
    assert.equal((await tokenOf(second)).error, 'invalid_client')
  })

  deepTest(
    'nothing typed is lost when the application is read again or changed by somebody else, and errors of the server are shown at their fields',
    async (t) => {
      const page = await visit(t, browser)
      await openConsole(page, 'admin', `${applications}/new`)
      await page.getByRole('textbox', { name: 'Name' }).fill('Yard gate')
      const path = '**/api/v1/oauth_applications'
      const details = [{ field: 'name', code: 'too_long', message: '"name" can have at most 200 characters.' }]
      await page.route(path, (route) =>
        route.fulfill({
          status: 400,
          json: { error_code: 'invalid', error_message: 'Wrong.', details, request_id: 'r' },
        }),
      )
      await page.getByRole('button', { name: 'Create application' }).click()
      await page.getByText('"name" can have at most 200 characters.').waitFor()
      await page.unroute(path)
      await page.getByRole('button', { name: 'Create application' }).click()
      await takeSecret(page)
      await page.getByRole('heading', { name: 'Yard gate' }).waitFor()
      const application = `/oauth_applications/${new URL(page.url()).pathname.split('/').at(-1)}`
      const change = async (content: object) =>
        assert.equal((await call(await adminToken(), 'PUT', application, content)).status, 200)
      const rotate = async () => {
        await page.getByRole('button', { name: 'Rotate secret' }).click()
        await page.getByRole('button', { name: 'Create new secret' }).click()
        await takeSecret(page)
      }
      const name = page.getByRole('textbox', { name: 'Name' })

      await name.fill('Yard gate, mine')
      await rotate()
      await becomes(() => name.inputValue(), 'Yard gate, mine')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('heading', { name: 'Yard gate, mine' }).waitFor()

      await change({ name: 'Yard gate, untouched here' })
      await rotate()
      await page.getByRole('heading', { name: 'Yard gate, untouched here' }).waitFor()
      await becomes(() => name.inputValue(), 'Yard gate, untouched here')

      await name.fill('Yard gate, typed')
      await change({ name: 'Yard gate, theirs', scopes: ['bills'] })
      await rotate()
      await page.getByRole('heading', { name: 'Yard gate, theirs' }).waitFor()
      await becomes(() => name.inputValue(), 'Yard gate, typed')
      await page.getByRole('button', { name: 'Save changes' }).click()
      const dialog = page.getByRole('dialog', { name: 'Somebody else changed this application' })
      await dialog.getByRole('row', { name: 'Name Yard gate, theirs Yard gate, typed' }).waitFor()
      await dialog.getByRole('row', { name: 'Scopes Bills –' }).waitFor()
      await assertGoodPage(page)
      await dialog.getByRole('button', { name: 'Keep my changes' }).click()
      await page.getByText('1 of 16 selected').waitFor()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('heading', { name: 'Yard gate, typed' }).waitFor()
      const { body } = await call<{ oauth_application: { scopes: string[] } }>(await adminToken(), 'GET', application)
      assert.deepEqual(body.oauth_application.scopes, ['bills'])
      await page.getByRole('tab', { name: 'History' }).click()
      await page.getByRole('region', { name: 'History' }).getByText('Yard gate, theirs → Yard gate, typed').waitFor()
      await assertGoodPage(page)

      await change({ scopes: [] })
      await page.getByRole('navigation').getByRole('link', { name: 'OAuth applications' }).click()
      await page
        .getByRole('row')
        .filter({ hasText: 'Yard gate, typed' })
        .getByRole('cell', { name: 'None', exact: true })
        .waitFor()
    },
  )

  deepTest('an empty list says what to do, and a failed one can be asked for again', async (t) => {
    const page = await visit(t, browser)
    const path = '**/api/v1/oauth_applications?*'
    await page.route(path, (route) =>
      route.fulfill({ json: { oauth_applications: [], total: 0, offset: 0, limit: 20 } }),
    )
    await openConsole(page, 'admin')
    await page.getByRole('heading', { name: 'No applications yet' }).waitFor()
    await assertGoodPage(page)
    await page.unroute(path)
    await page.route(path, (route) =>
      route.fulfill({
        status: 400,
        json: { error_code: 'odd', error_message: 'Odd.', details: [], request_id: 'r-1' },
      }),
    )
    await page.reload()
    await page.getByText('r-1').waitFor()
    await assertGoodPage(page)
    await page.unroute(path)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Demo integration' }).waitFor()
  })

  deepTest('a member learns why not, and nothing is asked of the server', async (t) => {
    const page = await visit(t, browser)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await openConsole(page, 'member')
    await page.getByRole('heading', { name: 'Only admins can open this page' }).waitFor()
    assert.ok(!asked.some((url) => url.includes('/api/v1/oauth_applications')))
    await assertGoodPage(page)
    await page.goto(`${product().url}/settings/nothing`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await assertGoodPage(page)
    assert.equal((await page.goto(`${product().url}/setings`))?.status(), 404)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })
})
