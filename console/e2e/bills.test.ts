import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertGoodPage, openBrowser, visit } from './browser.ts'
import { openConsole } from './console.ts'
import { billNow, changeBill, newBill, newCarrier } from './payables.ts'

const browser = await openBrowser()

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(option)
  await page.getByRole('option', { name: option }).first().click()
}

async function addLine(page: Page, line: { type?: string; description: string; quantity: string; price: string }): Promise<void> {
  await page.getByRole('button', { name: 'Add line' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add a line' })
  if (line.type) await choose(page, 'Type', line.type)
  await dialog.getByLabel('Description').fill(line.description)
  await dialog.getByLabel('Quantity').fill(line.quantity)
  await dialog.getByLabel('Unit price, USD').fill(line.price)
  await dialog.getByRole('button', { name: 'Add line' }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function act(page: Page, action: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: action, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describe('bills in the console', () => {
  test('a clerk creates one with two lines, saves, sends and pays it, and reads what happened', async (t) => {
    const page = await visit(t, browser)
    const [wrong, carrier] = await Promise.all([newCarrier('Wrong Haulage'), newCarrier('Ampersand & Sons Haulage')])
    await openConsole(page, 'member', '/bills/new')
    await page.getByRole('heading', { name: 'New bill' }).waitFor()
    assert.ok(await page.getByRole('button', { name: 'Add line' }).isDisabled())
    const payee = page.getByLabel('Company, remit to')
    await choose(page, 'Carrier', wrong.name)
    await payee.and(page.locator(`[value="${wrong.name}"]`)).waitFor()
    await choose(page, 'Carrier', carrier.name)
    await payee.and(page.locator(`[value="${carrier.name}"]`)).waitFor()
    await page.getByLabel('Reference number').fill('INV-CLEO-1')
    await page.getByRole('button', { name: 'Add line' }).click()
    await page.getByLabel('Unit price, USD').fill('1.005')
    await page.getByRole('dialog').getByRole('button', { name: 'Add line' }).click()
    await page.getByText('USD has 2 decimals, not 3.').waitFor()
    await assertGoodPage(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await addLine(page, { type: 'Line haul', description: 'Toledo to Boise', quantity: '1', price: '1,850.10' })
    await addLine(page, { description: 'Fuel', quantity: '3', price: '0.29' })
    await page.getByText('$1,850.97').waitFor()
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Create draft' }).click()

    await page.getByRole('heading', { name: 'Draft INV-CLEO-1' }).waitFor()
    await page.getByRole('button', { name: 'Move down: Toledo to Boise' }).click()
    await page.getByText('Order changed').waitFor()
    await page.getByRole('button', { name: 'Edit: Fuel' }).click()
    await page.getByLabel('Quantity').fill('4')
    await page.getByRole('button', { name: 'Save line' }).click()
    await page.getByText('Fuel: 3 × $0.29 = $0.87').waitFor()
    await act(page, 'Save')
    await page.getByRole('heading', { name: /^BILL-\d+$/ }).waitFor()
    await act(page, 'Send')
    await act(page, 'Pay')
    const history = page.getByRole('region', { name: 'History' })
    await history.getByText('Paid', { exact: true }).first().waitFor()
    assert.deepEqual(await history.locator('li > div > p:first-child').allTextContents(), ['Paid', 'Sent', 'Saved', 'Changed', 'Changed', 'Created'])
    assert.match((await history.textContent()) ?? '', /by you/)
    assert.equal(await page.getByRole('button', { name: 'Add line' }).count(), 0)
    await assertGoodPage(page)
    const bill = await billNow(page.url().split('/').at(-1) ?? '')
    assert.equal(bill.status_id, 'paid')
    assert.deepEqual(
      bill.bill_items.map(({ description, total_amount }) => [description, total_amount]),
      [
        ['Fuel', 116],
        ['Toledo to Boise', 185010],
      ],
    )

    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click()
    await page.getByText('Enter a reason. The history will show it.').waitFor()
    await page.getByLabel('Reason').fill('Fuel was disputed')
    await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click()
    await history.getByText('“Fuel was disputed”').waitFor()
  })

  test('where somebody else changed the bill first, nothing typed is lost', async (t) => {
    const page = await visit(t, browser)
    const { id } = await newBill({ reference_number: 'RACE-1', notes: 'As agreed' })
    await openConsole(page, 'member', `/bills/${id}`)
    await page.getByRole('button', { name: 'Edit details' }).click()
    await page.getByLabel('Notes').fill('Typed by the clerk')
    await page.getByLabel('Send to').fill('mine@carrier.example')
    await changeBill(id, { notes: 'Theirs', reference_number: 'RACE-2' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this bill' })
    await dialog.getByRole('cell', { name: 'RACE-2' }).waitFor()
    await dialog.getByRole('row', { name: 'Notes Theirs Typed by the clerk' }).waitFor()
    await assertGoodPage(page)
    assert.equal((await billNow(id)).notes, 'Theirs')
    await dialog.getByRole('button', { name: 'Keep my changes' }).click()
    assert.equal(await page.getByLabel('Reference number').inputValue(), 'RACE-2')
    assert.equal(await page.getByLabel('Notes').inputValue(), 'Typed by the clerk')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Edit details' }).waitFor()
    const after = await billNow(id)
    assert.deepEqual([after.notes, after.revision], ['Typed by the clerk', 3])
    // A member may not read who the users are, and still learns whom to ask.
    await page.getByRole('region', { name: 'History' }).getByText('by Avery Brooks').first().waitFor()

    await page.getByRole('button', { name: 'Add line' }).click()
    await page.getByLabel('Description').fill('Detention')
    await page.getByLabel('Unit price, USD').fill('75')
    await changeBill(id, { notes: 'Theirs again' })
    await page.getByRole('dialog').getByRole('button', { name: 'Add line' }).click()
    await page.getByRole('dialog').getByText('Somebody else changed this bill').waitFor()
    assert.equal((await billNow(id)).bill_items.length, 1)
    await page.getByRole('button', { name: 'Load the new version' }).click()
    assert.equal(await page.getByLabel('Unit price, USD').inputValue(), '75.00')
    await page.getByRole('dialog').getByRole('button', { name: 'Add line' }).click()
    await page.getByRole('cell', { name: 'Detention', exact: true }).waitFor()
    assert.equal((await billNow(id)).bill_items[1]?.total_amount, 7500)
  })

  test('a filter is in the address: it survives a reload and the way back, and the export has what the list has', async (t) => {
    const page = await visit(t, browser)
    const carrier = await newCarrier('Filter Freight')
    const bills = await Promise.all(['F-1', 'F-2'].map((reference_number) => newBill({ reference_number, partner_carrier_id: carrier.id }, 'save')))
    await newBill({ reference_number: 'F-3', partner_carrier_id: carrier.id, due_date: '2020-01-31' }, 'save', 'send')
    await openConsole(page, 'member', '/bills')
    await choose(page, 'Carrier', carrier.name)
    const states = page.getByRole('navigation', { name: 'State' })
    await states.getByRole('link', { name: 'Saved 2' }).click()
    await page.getByRole('row').nth(2).waitFor()
    await page.getByLabel('Reference number').fill('f-2')
    await page.keyboard.press('Enter')
    await states.getByRole('link', { name: 'All 1' }).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'F-2' })
    await row.getByText('$251.00').waitFor()
    assert.match(page.url(), /\/bills\?.*state=saved/)
    await page.reload()
    await row.waitFor()
    assert.equal(await page.getByRole('row').count(), 2)
    assert.equal(await page.getByRole('combobox', { name: 'Carrier' }).inputValue(), carrier.name)
    await row.getByRole('link', { name: bills[1]?.number ?? '' }).click()
    await page.getByRole('heading', { name: bills[1]?.number ?? '' }).waitFor()
    await page.goBack()
    await row.waitFor()
    assert.equal(await page.getByLabel('Reference number').inputValue(), 'f-2')
    await page.goBack()
    await page.getByRole('row').filter({ hasText: 'F-1' }).waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()])
    const csv = await readFile(await download.path(), 'utf8')
    assert.deepEqual([csv.split('\r\n').filter(Boolean).length, csv.includes('F-1'), csv.includes('F-3')], [3, true, false])
    await states.getByRole('link', { name: 'Overdue 1' }).click()
    await page.getByRole('row').filter({ hasText: 'F-3' }).getByText('Overdue').waitFor()
    await assertGoodPage(page)
    await page.getByLabel('Reference number').fill('nothing of this name')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No bills found' }).waitFor()
    await assertGoodPage(page)
  })

  test('a failed list can be asked for again, and a bill of nobody is not found', async (t) => {
    const page = await visit(t, browser)
    const path = '**/api/v1/bills?*'
    await page.route(path, (route) => route.fulfill({ status: 400, json: { error_code: 'odd', error_message: 'Odd.', details: [], request_id: 'r-2' } }))
    await openConsole(page, 'member', '/bills?q=zzz')
    await page.getByText('r-2').waitFor()
    assert.equal(new URL(page.url()).search, '')
    assert.equal(await page.getByRole('button', { name: 'Clear filters' }).count(), 0)
    await assertGoodPage(page)
    await page.unroute(path)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table').waitFor()
    await page.goto(`${new URL(page.url()).origin}/bills/01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })
})
