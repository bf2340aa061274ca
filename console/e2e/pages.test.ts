import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { assertGoodPage, openBrowser, visit } from './browser.ts'
import { adminToken, product } from './product.ts'

const browser = await openBrowser()

describe('the landing page', () => {
  test('is made of local files alone, and every link on it leads somewhere', async (t) => {
    const page = await visit(t, browser)
    await page.goto(product().url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await assertGoodPage(page)
    const links = await page.getByRole('link').evaluateAll((all) => all.map((link) => String(link.getAttribute('href'))))
    for (const path of new Set(links)) assert.equal((await fetch(`${product().url}${path}`)).status, 200, path)
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
  test('shows the reference, in the dark for those who like it, from here alone', async (t) => {
    const page = await visit(t, browser, { colorScheme: 'dark' })
    await page.goto(`${product().url}/docs`)
    await page.getByRole('heading', { name: 'Lading API' }).waitFor()
    assert.equal(await page.title(), 'API reference · Lading')
    assert.match(String(await page.locator('body').getAttribute('class')), /dark-mode/)
  })

  test('calls the API with a token that was pasted in', async (t) => {
    const page = await visit(t, browser)
    const token = await adminToken()
    await page.goto(`${product().url}/docs/#tag/bill-item-types/GET/api/v1/bill_item_types`)
    await page.getByRole('textbox', { name: /token/i }).first().fill(token)
    await page.getByRole('button', { name: /Test Request.*get \/api\/v1\/bill_item_types\)/i }).click()
    const answered = page.waitForResponse((response) => response.url().includes('/api/v1/bill_item_types'))
    await page.getByRole('button', { name: /^Send/ }).first().click()
    const response = await answered
    assert.equal(response.status(), 200)
    assert.equal(response.request().headers().authorization, `Bearer ${token}`)
  })
})
