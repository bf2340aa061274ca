import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertGoodPage, openBrowser, visit } from './browser.ts'
import { openConsole } from './console.ts'
import { newCustomer, newInvoice } from './payables.ts'

const browser = await openBrowser()

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(option)
  await page.getByRole('option', { name: option }).first().click()
}

async function act(page: Page, action: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: action, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describe('invoices in the console', () => {
  test('a clerk writes one for a customer, saves and sends it, and finds it in the list and with the customer', async (t) => {
    const page = await visit(t, browser)
    const customer = await newCustomer('Golden Gate Foods')
    await openConsole(page, 'member', '/invoices/new')
    await choose(page, 'Customer', customer.name)
    // What is known about the customer is filled in.
    await page.getByText(`Bill to: ${customer.name}`).waitFor()
    await page.getByLabel('Reference number').fill('PO-4711')
    await page.getByRole('button', { name: 'Add line' }).click()
    const line = page.getByRole('dialog', { name: 'Add a line' })
    await line.getByLabel('Description').fill('Oakland to Seattle')
    await line.getByLabel('Unit price, USD').fill('2,400')
    await line.getByRole('button', { name: 'Add line' }).click()
    await line.waitFor({ state: 'detached' })
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { name: 'Draft PO-4711' }).waitFor()
    await act(page, 'Save')
    await act(page, 'Send')
    const heading = page.getByRole('heading', { name: /^INV-\d+/ })
    await heading.waitFor()
    const number = (await heading.textContent()) ?? ''
    await page.getByRole('region', { name: 'History' }).getByText('Sent', { exact: true }).first().waitFor()
    await assertGoodPage(page)
    await page.getByRole('link', { name: customer.name }).first().click()
    const ofCustomer = page.getByRole('region', { name: 'Invoices', exact: true })
    await ofCustomer.getByText('Open balance, USD').waitFor()
    await ofCustomer.getByRole('link', { name: number }).waitFor()
    await page.goto(`${new URL(page.url()).origin}/invoices?customer=${customer.id}`)
    const row = page.getByRole('row').filter({ hasText: number })
    await row.getByText('Golden Gate Foods').waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()])
    assert.match(await readFile(await file.path(), 'utf8'), /PO-4711/)
    await assertGoodPage(page)
  })

  test('a file is imported by the names of customers, and what it made is selected and saved', async (t) => {
    const page = await visit(t, browser)
    const customer = await newCustomer('Import Foods')
    await newInvoice({ customer_id: customer.id, reference_number: 'IMI-0' }, 'save')
    await openConsole(page, 'member', '/invoices/import')
    const text = `Reference,Amount,Currency,Customer,External id\nIMI-1,125.50,USD,${customer.name},imi-1\nIMI-2,5,USD,Nobody,imi-2\n`
    await page.locator('input[type=file]').setInputFiles({ name: 'invoices.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByText('No customer is called "Nobody".').waitFor()
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByRole('heading', { name: '1 created, 0 updated' }).waitFor()
    await page.getByRole('link', { name: 'Go to the invoices' }).click()
    await choose(page, 'Customer', customer.name)
    await page.getByRole('navigation', { name: 'State' }).getByRole('link', { name: 'All 2' }).waitFor()
    await page.getByLabel('Select all on this page').check()
    const selected = page.getByRole('region', { name: 'Selected invoices' })
    await selected.getByText('2 selected · $525.50').waitFor()
    await selected.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It is saved already.').waitFor()
    await dialog.getByRole('button', { name: 'Save 1' }).click()
    await dialog.getByRole('row', { name: /IMI-1.*Import Foods.*Saved/ }).waitFor()
    await assertGoodPage(page)
  })
})
