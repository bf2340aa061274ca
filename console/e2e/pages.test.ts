import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { deepTest, isDeep } from '../../server/test/depth.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { signIn } from './client.ts'
import { product } from './product.ts'

const browser = await openBrowser()

describe('the landing page', () => {
  deepTest('is made of local files alone, and every link on it leads somewhere', async (t) => {
    const page = await visit(t, browser)
    await page.goto(product().url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await assertGoodPage(page)
    const links = await Promise.all((await page.getByRole('link').all()).map((link) => link.getAttribute('href')))
    for (const path of new Set(links)) assert.equal((await fetch(`${product().url}${path}`)).status, 200, String(path))
  })

  const skip = spawnSync('curl', ['--version']).error !== undefined && 'there is no curl on this machine'
  test('has a quick start that works as it is written', { skip }, async (t) => {
    const page = await visit(t, browser, { javaScriptEnabled: false })
    await page.goto(product().url)
    const script = (await page.locator('pre').allTextContents()).join('\n')
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], { cwd: dirname(product().dataDir) })
    assert.equal(JSON.parse(stdout).bill_item_types.length, 3)
  })
})

describe('/docs', () => {
  test("shows the reference, is authorized with the demo's keys, and sends what was ticked and nothing else", async (t) => {
    const page = await visit(t, browser)
    await page.emulateMedia({ colorScheme: 'dark' })
    if (!isDeep) await describeOnly(page, ['/api/v1/bills', '/api/v1/services'])
    await page.goto(`${product().url}/docs`)
    await page.getByRole('heading', { name: 'Lading API' }).waitFor()
    await becomes(() => page.title(), 'API reference · Lading')
    assert.match(String(await page.locator('body').getAttribute('class')), /dark-mode/)
    await authorize(page)

    await tryIt(page, 'tag/bills/GET/api/v1/bills', 'get /api/v1/bills')
    const search = await send(page, '/api/v1/bills')
    assert.deepEqual(
      [search.method, search.url, search.headers.prefer],
      ['GET', `${product().url}/api/v1/bills`, undefined],
    )
    assert.match(String(search.headers.authorization), /^Bearer ey/)
    // The demo's, and what other tests have made.
    assert.ok((search.body as { total: number }).total >= 40)
    await page.getByRole('checkbox', { name: 'Include status_ids in request' }).click()
    assert.equal(
      (await send(page, '/api/v1/bills')).url,
      `${product().url}/api/v1/bills?status_ids=sent&status_ids=paid`,
    )
    await page.keyboard.press('Escape')

    await page
      .getByRole('navigation', { name: 'Parts of the reference' })
      .getByRole('link', { name: 'Transport' })
      .click()
    await page.getByRole('heading', { name: 'Lading API: Transport' }).waitFor()
    await authorize(page, { again: true })
    await tryIt(page, 'tag/services/POST/api/v1/services', 'post /api/v1/services')
    const [first, second] = [await send(page, '/api/v1/services'), await send(page, '/api/v1/services')]
    assert.deepEqual([first.status, first.headers['content-type']], [201, 'application/json'])
    for (const write of [first, second])
      assert.deepEqual([write.headers['idempotency-key'], write.replayed], [undefined, undefined])
  })

  /** Drawing all operations takes a tenth of the time of all these tests: the page gets those that the test uses, and all of them at full depth. */
  async function describeOnly(page: Page, paths: readonly string[]): Promise<void> {
    await page.route('**/docs/reference/*.json', async (route) => {
      const response = await route.fetch()
      const document = (await response.json()) as { paths: Record<string, object> }
      const described = Object.entries(document.paths).filter(([path]) => paths.includes(path))
      await route.fulfill({ response, json: { ...document, paths: Object.fromEntries(described) } })
    })
  }

  /** By the authorization code, in the window that the page opens for it. */
  async function authorize(page: Page, { again = false } = {}): Promise<void> {
    const { username: email, password, client_id, client_secret } = product().demo
    const panel = page.getByRole('region', { name: 'Authentication' })
    await panel.locator('[data-placeholder="12345"]').fill(client_id)
    await panel.getByRole('textbox', { name: 'Client Secret' }).fill(client_secret)
    const opened = page.waitForEvent('popup')
    await panel.getByRole('button', { name: 'Authorize' }).click()
    const popup = await opened
    // Who is signed in and has allowed it is not asked again.
    if (!again) {
      await signIn(popup, { email, password })
      await popup.getByRole('button', { name: 'Allow' }).click()
    }
    await panel.getByRole('textbox', { name: 'Access Token' }).waitFor()
  }

  async function tryIt(page: Page, place: string, operation: string): Promise<void> {
    await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
    await page.getByRole('button', { name: new RegExp(`Test Request.*${operation}\\)`, 'i') }).click()
  }

  async function send(page: Page, path: string) {
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path)
    await page.getByRole('button', { name: /^Send (?:get|post) request/ }).click()
    const response = await answered
    const request = response.request()
    return {
      replayed: response.headers()['idempotent-replayed'],
      method: request.method(),
      url: request.url(),
      headers: await request.allHeaders(),
      status: response.status(),
      body: (await response.json()) as unknown,
    }
  }
})

describe('the guides', () => {
  deepTest(
    'are good pages, without a script, that lead to each other, to the reference and to downloads',
    async (t) => {
      const page = await visit(t, browser)
      await page.goto(`${product().url}/docs/guides`)
      await assertGoodPage(page)
      const guides = page.getByRole('navigation', { name: 'Guides' })
      for (const [label, title] of [
        ['OAuth', 'For developers of clients'],
        ['Limits', 'Limits'],
        ['Objects', 'Objects'],
      ] as const) {
        await guides.getByRole('link', { name: label, exact: true }).click()
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await assertGoodPage(page)
      }
      await becomes(() => page.locator('script').count(), 0)
      await becomes(() => page.getByRole('link', { name: 'API reference' }).getAttribute('href'), '/docs/')
    },
  )
})
