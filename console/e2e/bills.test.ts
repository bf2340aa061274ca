import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { pdfOf, pictureOf } from '../../server/src/tools/demo/papers.ts'
import { deepTest } from '../../server/test/depth.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { openConsole } from './console.ts'
import { billNow, changeBill, newBill, newCarrier, removeBill, voidBill } from './payables.ts'
import { product } from './product.ts'

const browser = await openBrowser()

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(option)
  await page.getByRole('option', { name: option }).first().click()
}

async function addLine(
  page: Page,
  line: { type?: string; description: string; quantity: string; price: string },
): Promise<void> {
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
    await becomes(() => page.getByRole('button', { name: 'Add line' }).isDisabled(), true)
    await page.getByRole('button', { name: 'Addresses' }).click()
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
    await becomes(
      () => history.locator('li > div > p:first-child').allTextContents(),
      ['Paid', 'Sent', 'Saved', 'Changed', 'Changed', 'Created'],
    )
    assert.match((await history.textContent()) ?? '', /by you/)
    await becomes(() => page.getByRole('button', { name: 'Add line' }).count(), 0)
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

  test('while something of a bill is read, skeletons stand in its place and nothing can be decided about it', async (t) => {
    const page = await visit(t, browser)
    const carrier = await newCarrier('Slow Haulage')
    const bill = await newBill({ partner_carrier_id: carrier.id, reference_number: 'SLOW-1' }, 'save')
    const held = Promise.withResolvers<void>()
    await page.route(/\/(history|objects\/search)\b/, (route) => void held.promise.then(() => route.continue()))
    await openConsole(page, 'member', `/bills/${bill.id}`)
    const pay = page.getByRole('main').getByRole('button', { name: 'Pay', exact: true })
    await pay.waitFor()
    assert.ok(await pay.isDisabled())
    assert.equal(await page.getByRole('main').getByText('…').count(), 0)
    held.resolve()
    await becomes(() => pay.isEnabled(), true)
    await page.getByRole('link', { name: carrier.name }).first().waitFor()
  })

  test('where somebody else changed the bill first, nothing typed is lost', async (t) => {
    const page = await visit(t, browser)
    const { id } = await newBill({ reference_number: 'RACE-1', notes: 'As agreed' })
    await openConsole(page, 'member', `/bills/${id}`)
    await page.getByRole('button', { name: 'Edit details' }).click()
    await page.getByRole('textbox', { name: 'Notes' }).fill('Typed by the clerk')
    await page.getByLabel('Send to').fill('mine@carrier.example')
    await changeBill(id, { notes: 'Theirs', reference_number: 'RACE-2' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this bill' })
    await dialog.getByRole('cell', { name: 'RACE-2' }).waitFor()
    await dialog.getByRole('row', { name: 'Notes Theirs Typed by the clerk' }).waitFor()
    await assertGoodPage(page)
    assert.equal((await billNow(id)).notes, 'Theirs')
    await dialog.getByRole('button', { name: 'Keep my changes' }).click()
    await becomes(() => page.getByLabel('Reference number').inputValue(), 'RACE-2')
    await becomes(() => page.getByRole('textbox', { name: 'Notes' }).inputValue(), 'Typed by the clerk')
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
    await becomes(() => page.getByLabel('Unit price, USD').inputValue(), '75.00')
    await page.getByRole('dialog').getByRole('button', { name: 'Add line' }).click()
    await page.getByRole('cell', { name: 'Detention', exact: true }).waitFor()
    assert.equal((await billNow(id)).bill_items[1]?.total_amount, 7500)
  })

  deepTest(
    'a filter is in the address: it survives a reload and the way back, and the export has what the list has',
    async (t) => {
      const page = await visit(t, browser)
      const carrier = await newCarrier('Filter Freight')
      const bills = await Promise.all(
        ['F-1', 'F-2'].map((reference_number) => newBill({ reference_number, partner_carrier_id: carrier.id }, 'save')),
      )
      await newBill({ reference_number: 'F-3', partner_carrier_id: carrier.id, due_date: '2020-01-31' }, 'save', 'send')
      await openConsole(page, 'member', '/bills')
      await choose(page, 'Carrier', carrier.name)
      const states = page.getByRole('navigation', { name: 'State' })
      await states.getByRole('link', { name: 'Saved 2' }).click()
      await page.getByRole('row').nth(2).waitFor()
      const box = page.getByRole('searchbox', { name: 'Search by number, payee or reference' })
      await box.fill('f-2')
      await states.getByRole('link', { name: 'All 1' }).waitFor()
      const row = page.getByRole('row').filter({ hasText: 'F-2' })
      await row.getByText('$251.00').first().waitFor()
      assert.match(page.url(), /\/bills\?.*state=saved/)
      await page.reload()
      await row.waitFor()
      await becomes(() => page.getByRole('row').count(), 2)
      await becomes(() => page.getByRole('combobox', { name: 'Carrier' }).inputValue(), carrier.name)
      await row.getByRole('link', { name: bills[1]?.number ?? '' }).click()
      await page.getByRole('heading', { name: bills[1]?.number ?? '' }).waitFor()
      await page.getByRole('link', { name: '← Bills' }).click()
      await row.waitFor()
      assert.match(page.url(), /state=saved/)
      await page.goBack()
      await page.getByRole('heading', { name: bills[1]?.number ?? '' }).waitFor()
      await page.goBack()
      await row.waitFor()
      await becomes(() => box.inputValue(), 'f-2')
      await page.goBack()
      await page.getByRole('row').filter({ hasText: 'F-1' }).waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ])
      const csv = await readFile(await download.path(), 'utf8')
      assert.deepEqual(
        [csv.split('\r\n').filter(Boolean).length, csv.includes('F-1'), csv.includes('F-3')],
        [3, true, false],
      )
      await states.getByRole('link', { name: 'Overdue 1' }).click()
      await page.getByRole('row').filter({ hasText: 'F-3' }).getByText('Overdue').waitFor()
      await assertGoodPage(page)
      await box.fill('nothing of this name')
      await page.getByRole('heading', { name: 'No bills found' }).waitFor()
      await assertGoodPage(page)
    },
  )

  deepTest(
    'a page of the list shows at least 16 bills; its size is kept, its head stays in view, and a row opens its bill',
    async (t) => {
      const page = await visit(t, browser)
      const carrier = await newCarrier('Row Haulage')
      const bills = await Promise.all(
        Array.from({ length: 24 }, (_, n) => newBill({ partner_carrier_id: carrier.id, reference_number: `ROW-${n}` })),
      )
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.setViewportSize({ width: 1440, height: 900 })
      await openConsole(page, 'member', `/bills?carrier=${carrier.id}`)
      const rows = page.getByRole('table').getByRole('row')
      await rows.nth(20).waitFor()
      // The payee of a bill without an address is its carrier, whose name is asked for once for all rows.
      await rows.nth(1).getByText(carrier.name).waitFor()
      assert.equal(asked.filter((path) => path.endsWith('/objects/search')).length, 1)
      const boxes = await Promise.all((await rows.all()).slice(1).map((row) => row.boundingBox()))
      const visible = boxes.filter((box) => box && box.y + box.height <= 900).length
      assert.ok(visible >= 16, `${visible} bills are visible`)

      await page.getByLabel('Rows on a page').selectOption('50')
      await rows.nth(24).waitFor()
      assert.match(page.url(), /size=50/)
      await rows.nth(24).scrollIntoViewIfNeeded()
      await page.evaluate('window.scrollTo(0, 400)')
      const head = await page.getByRole('columnheader', { name: 'Reference' }).boundingBox()
      assert.ok(head && head.y >= 0 && head.y < 100, `the head is at ${head?.y}`)
      await page.goto(`${new URL(page.url()).origin}/bills?carrier=${carrier.id}`)
      await rows.nth(24).waitFor()

      await page.getByLabel('Select Draft ROW-3', { exact: true }).check()
      await page.getByLabel('Select Draft ROW-4', { exact: true }).check()
      await page.getByText('2 selected · $502.00').waitFor()
      assert.equal(new URL(page.url()).pathname, '/bills')
      const row = rows.filter({ hasText: 'ROW-7' })
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        row.getByText('ROW-7').click({ button: 'middle' }),
      ])
      await tab.waitForURL(`**/bills/${bills[7]?.id}`)
      await tab.close()
      await row.getByText('ROW-7').click()
      await page.getByRole('heading', { name: 'Draft ROW-7' }).waitFor()
      await page.goBack()
      await page.getByText('2 selected · $502.00').waitFor()
      await assertGoodPage(page)
      await rows.filter({ hasText: 'ROW-9' }).getByRole('link').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Draft ROW-9' }).waitFor()
    },
  )

  test('a selection is saved, sent and paid, with a result for each bill; what has no amount is paid only when that is confirmed', async (t) => {
    const page = await visit(t, browser)
    const carrier = await newCarrier('Many Haulage')
    const of = (reference_number: string, content: object, ...moves: string[]) =>
      newBill({ partner_carrier_id: carrier.id, reference_number, ...content }, ...moves)
    const [draft, bare, zero, sent] = [
      await of('MANY-1', {}),
      await of('MANY-2', { currency_id: null, items: [] }),
      await of('MANY-3', { items: [{ unit_price: 0 }] }, 'save'),
      await of('MANY-4', {}, 'save', 'send'),
    ]
    await openConsole(page, 'member', `/bills?carrier=${carrier.id}`)
    const start = async (move: string) => {
      await page
        .getByRole('region', { name: 'Selected bills' })
        .getByRole('button', { name: move, exact: true })
        .click()
      return page.getByRole('dialog')
    }
    await page.getByLabel('Select all on this page').check()
    const saving = await start('Save')
    await saving.getByText('It has no currency yet.').waitFor()
    await saving.getByText('It is sent already.').waitFor()
    await assertGoodPage(page)
    // Somebody else deletes it while the dialog is open.
    await removeBill(bare.id)
    await saving.getByRole('button', { name: 'Save 1' }).click()
    await saving.getByRole('row', { name: /MANY-1.*Saved/ }).waitFor()
    await saving.getByRole('row', { name: /MANY-2.*Not done It has no currency yet/ }).waitFor()
    await assertGoodPage(page)
    await saving.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('3 selected').waitFor()
    assert.deepEqual(await Promise.all([draft, zero, sent].map(async ({ id }) => (await billNow(id)).status_id)), [
      'saved',
      'saved',
      'sent',
    ])

    await page.getByRole('button', { name: 'Clear selection' }).click()
    await page.getByLabel('Select all on this page').check()
    const paying = await start('Pay')
    await paying.getByRole('button', { name: 'Pay 3' }).click()
    await paying.getByText('Confirm this, or cancel').waitFor()
    assert.equal((await billNow(draft.id)).status_id, 'saved')
    await voidBill(zero.id)
    await paying.getByLabel('One of the bills has a total of 0. Pay it too.').check()
    await paying.getByRole('button', { name: 'Pay 3' }).click()
    await paying.getByRole('row', { name: new RegExp(`${zero.number}.*Not done This bill was voided`) }).waitFor()
    await paying.getByRole('button', { name: 'Close' }).last().click()
    assert.deepEqual(await Promise.all([draft, sent].map(async ({ id }) => (await billNow(id)).status_id)), [
      'paid',
      'paid',
    ])

    const { id } = await of('MANY-5', { items: [{ unit_price: 0 }] }, 'save')
    await page.goto(`${new URL(page.url()).origin}/bills/${id}`)
    await page.getByRole('main').getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByText('Confirm that a bill without an amount is to be paid.').waitFor()
    assert.equal((await billNow(id)).status_id, 'saved')
    await assertGoodPage(page)
    await page.getByLabel('The total is $0.00. Pay it all the same.').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
  })

  deepTest(
    'a large file is imported in the background: its progress survives a reload, and the rows that failed can be downloaded',
    async (t) => {
      const page = await visit(t, browser)
      await openConsole(page, 'member', '/bills/import')
      // One bill; all other rows are refused, because they are about the same.
      const text = `external_id,currency_id,reference_number\n${'large-1,usd,LARGE-1\n'.repeat(2001)}`
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
      await page.getByRole('button', { name: 'Check the file' }).click()
      await page.getByText('2,001 to be imported in the background').waitFor()
      await page.getByRole('button', { name: 'Import 2,001 rows' }).click()
      await page.getByRole('heading', { name: 'Imports and exports' }).waitFor()
      const row = page
        .getByRole('table', { name: 'Imports and exports' })
        .getByRole('row')
        .filter({ hasText: 'Import: Bills' })
        .first()
      await row.waitFor()
      await page.reload()
      await row.getByText('Done').waitFor()
      await row.getByText('1 created, 2,000 failed').waitFor()
      await assertGoodPage(page)
      const [failures] = await Promise.all([
        page.waitForEvent('download'),
        row.getByRole('button', { name: /^Download failed rows/ }).click(),
      ])
      assert.match(
        await readFile(await failures.path(), 'utf8'),
        /^external_id,currency_id,.*failed_line,failed_code.*\r\n.*large-1,.*duplicate_row/,
      )
    },
  )

  deepTest(
    'an export that is too large to be sent at once is made in the background, and downloaded when it is done',
    async (t) => {
      const page = await visit(t, browser)
      const carrier = await newCarrier('Background Freight')
      await newBill({ reference_number: 'BG-1', partner_carrier_id: carrier.id })
      await openConsole(page, 'member', '/bills')
      await choose(page, 'Carrier', carrier.name)
      await page.getByRole('row').filter({ hasText: 'BG-1' }).waitFor()
      const refusal = {
        error_code: 'too_many_rows',
        error_message: 'More than 10000 bills match.',
        details: [],
        request_id: 'x',
      }
      await page.route(/\/api\/v1\/bills\/export\?/, (route) =>
        route.fulfill({ status: 413, contentType: 'application/json', body: JSON.stringify(refusal) }),
      )
      await page.getByRole('button', { name: 'Export CSV' }).click()
      await page.getByRole('heading', { name: 'Imports and exports' }).waitFor()
      const row = page.getByRole('row').filter({ hasText: 'Export: Bills' }).first()
      await row.getByText('Done').waitFor()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        row.getByRole('button', { name: /^Download/ }).click(),
      ])
      const csv = await readFile(await file.path(), 'utf8')
      assert.deepEqual([csv.split('\r\n').filter(Boolean).length, csv.includes('BG-1')], [2, true])
    },
  )

  test('a CSV file is imported: columns are matched, every row is checked first, and wrong rows say what is wrong', async (t) => {
    const page = await visit(t, browser)
    const carrier = await newCarrier('Import Haulage')
    await newBill({ reference_number: 'OLD-1', partner_carrier_id: carrier.id })
    await openConsole(page, 'member', '/bills')
    await page.getByRole('link', { name: 'Import CSV' }).click()
    await page.getByRole('heading', { name: 'Import bills' }).waitFor()
    const file = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'bills.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await file('Invoice\n"never closed')
    await page.getByText('A quotation mark in the file is never closed.').waitFor()
    await file(
      `Invoice;Amount;Vendor;Key;Due;State\nIMP-1;1,850.10;${carrier.name};imp-1;12/01/2026;\nIMP-2;12.345;${carrier.name};imp-2;02/03/2027;\nIMP-3;5;Nobody;imp-3;tomorrow;lost\nIMP-4;7.50;;imp-4;46387;\nold 1;8;${carrier.name};imp-5;;\nOLD-1;9;${carrier.name};imp-6;;\n`,
    )
    const columns = page.getByRole('table', { name: 'Columns of the file' })
    await becomes(() => columns.getByLabel('Import Amount as').inputValue(), 'sub_total_amount')
    await page.getByText('No column is the external id.').waitFor()
    await columns.getByLabel('Import Key as').selectOption('External id')
    await page.getByText('No column is the external id.').waitFor({ state: 'detached' })
    await choose(page, 'Currency of rows that name none', 'USD')
    const check = page.getByRole('button', { name: 'Check the file' })
    assert.equal(await check.isDisabled(), true, 'no value says whether the day or the month comes first')
    await columns.getByLabel('Dates of Due').selectOption('Month first: 12/01/2026 is December 1, 2026')
    await assertGoodPage(page)
    await check.click()
    const preview = page.getByRole('table', { name: 'Rows of the file' })
    await preview.getByRole('row', { name: /^3 Error .*12\.345/ }).waitFor()
    await preview
      .getByRole('row', {
        name: /^4 Error .*Vendor: No carrier is called "Nobody".*Due: "tomorrow" is no date.*"State" cannot be "lost"/,
      })
      .waitFor()
    await preview.getByRole('row', { name: /^6 New Possible duplicate of Draft OLD-1 / }).waitFor()
    await preview
      .getByRole('row', { name: /^7 New Possible duplicate of Draft OLD-1, and of line 6 of this file/ })
      .waitFor()
    for (const line of [2, 5]) await preview.getByRole('row', { name: new RegExp(`^${line} New –`) }).waitFor()
    assert.doesNotMatch(String(await preview.textContent()), /due_date|status_id|partner_carrier_id/)
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Import 4 rows' }).click()
    await page.getByRole('heading', { name: '4 created, 0 updated' }).waitFor()
    const [failed] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the rows with errors' }).click(),
    ])
    assert.match(
      await readFile(await failed.path(), 'utf8'),
      /^\uFEFFInvoice,Amount,Vendor,Key,Due,State,Why it was not imported\r\nIMP-2,12\.345,.*\r\nIMP-3,5,Nobody,imp-3,tomorrow,lost,"?Vendor: No carrier/,
    )
    await preview.getByText('No carrier is called "Nobody"').waitFor()
    await assertGoodPage(page)
    await page.getByRole('link', { name: 'Go to the bills' }).click()
    await page.getByRole('searchbox').fill('imp-')
    await page.getByRole('navigation', { name: 'State' }).getByRole('link', { name: 'All 2' }).waitFor()
    const row = page.getByRole('table').getByRole('row').filter({ hasText: 'IMP-1' })
    await row.getByText('$1,850.10').first().waitFor()
    await row.getByText(carrier.name).waitFor()
    await row.getByText('Dec 1, 2026').waitFor()
    await becomes(() => page.getByRole('table').getByRole('row').count(), 3)

    const fileOf = async (click: () => Promise<void>) => {
      const [file] = await Promise.all([page.waitForEvent('download'), click()])
      return readFile(await file.path(), 'utf8')
    }
    const forPeople = await fileOf(() => page.getByRole('button', { name: 'Export CSV' }).click())
    assert.match(forPeople, /^\uFEFFNumber,.*,Currency\r\n/)
    assert.match(forPeople, /\r\nDraft,IMP-1,.*2026-12-01,.*Draft.*,1850\.10,.*,USD\r\n/)
    assert.doesNotMatch(forPeople, /_/, 'no names of the API')
    await page.getByRole('button', { name: 'Choose what to export' }).click()
    const forPrograms = await fileOf(() => page.getByRole('menuitem', { name: /^For programs/ }).click())
    assert.match(forPrograms, /^id,|,external_id,/)
    assert.match(forPrograms, /,imp-1,|,185010,/)
  })

  deepTest(
    'files are dropped on a bill, shown next to it, given a type, downloaded and removed; one that is not what it says is refused',
    async (t) => {
      const page = await visit(t, browser)
      const bill = await newBill({ currency_id: 'usd', reference_number: 'PAPERS-1', items: [{ unit_price: 100 }] })
      await openConsole(page, 'member', `/bills/${bill.id}`)
      const panel = page.getByRole('region', { name: 'Documents' })
      await panel.getByText('None yet. Drop files here').waitFor()
      const pdf = pdfOf('Proof of delivery', ['Received in full.'])
      const files = [
        { name: 'pod-1.pdf', type: 'application/pdf', bytes: pdf.toString('base64') },
        { name: 'seal.png', type: 'image/png', bytes: pictureOf(40, 30).toString('base64') },
        { name: 'fake.pdf', type: 'application/pdf', bytes: Buffer.from('<html>').toString('base64') },
      ]
      // As text: these files know nothing of what there is in a browser.
      const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      for (const { name, type, bytes } of ${JSON.stringify(files)})
        transfer.items.add(new File([Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0))], name, { type }))
      return transfer
    })()`)
      await panel.dispatchEvent('dragover', { dataTransfer: dropped })
      await panel.dispatchEvent('drop', { dataTransfer: dropped })
      const rowOf = (name: string) => panel.getByRole('row').filter({ hasText: name })
      await rowOf('pod-1.pdf').waitFor()
      await rowOf('seal.png').waitFor()
      await panel.getByRole('alert').filter({ hasText: 'The content of the file is of no type that is kept' }).waitFor()
      await assertGoodPage(page)
      await panel.getByRole('button', { name: 'Dismiss: fake.pdf' }).click()
      assert.equal(await page.getByRole('combobox', { name: 'Type of pod-1.pdf' }).inputValue(), 'Proof of delivery')
      await choose(page, 'Type of seal.png', 'Customs document')

      await panel.getByRole('button', { name: 'pod-1.pdf', exact: true }).click()
      const drawer = page.getByRole('dialog', { name: 'pod-1.pdf' })
      await drawer.locator('canvas[data-drawn=true]').waitFor()
      const dark = await page.evaluate<number>(`(() => {
      const canvas = document.querySelector('canvas[data-drawn=true]')
      const dots = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
      return dots.filter((value, index) => index % 4 === 0 && value < 128).length
    })()`)
      assert.ok(dark > 100, 'the text of the page was drawn')
      await assertGoodPage(page)
      await drawer.getByRole('button', { name: 'Close the preview' }).click()
      await panel.getByRole('button', { name: 'seal.png', exact: true }).click()
      await page.getByRole('img', { name: 'seal.png' }).waitFor()
      await becomes(() => page.evaluate<number>(`document.querySelector('img[alt="seal.png"]').naturalWidth`), 40)
      await page.getByRole('button', { name: 'Close the preview' }).click()

      const [download] = await Promise.all([
        page.waitForEvent('download'),
        panel.getByRole('button', { name: 'Download: pod-1.pdf' }).click(),
      ])
      assert.deepEqual(await readFile(await download.path()), pdf)
      await page.reload()
      await becomes(() => page.getByRole('combobox', { name: 'Type of seal.png' }).inputValue(), 'Customs document')
      await panel.getByRole('button', { name: 'Remove: seal.png' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await rowOf('seal.png').waitFor({ state: 'detached' })
    },
  )

  deepTest(
    'an admin requires a proof of delivery before bills of a carrier are paid, and a bill without one is refused with what is missing',
    async (t) => {
      const page = await visit(t, browser)
      const carrier = await newCarrier('Paperless Haulage')
      const bill = await newBill(
        { currency_id: 'usd', partner_carrier_id: carrier.id, items: [{ unit_price: 100 }] },
        'save',
      )
      await openConsole(page, 'admin', '/settings/document-rules')
      await page.getByRole('button', { name: 'New rule' }).click()
      const dialog = page.getByRole('dialog', { name: 'New rule' })
      await choose(page, 'Carrier', carrier.name)
      await assertGoodPage(page)
      await dialog.getByRole('button', { name: 'Create rule' }).click()
      const row = page.getByRole('row').filter({ hasText: carrier.name })
      await row.getByText('Proof of delivery').waitFor()
      await assertGoodPage(page)
      await page.goto(`${product().url}/bills/${bill.id}`)
      await page.getByRole('main').getByRole('button', { name: 'Pay', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Pay', exact: true }).click()
      await page.getByText(/lacks pod\. A rule asks for it before it is paid/).waitFor()
      await page.goto(`${product().url}/settings/document-rules`)
      await row.getByRole('button', { name: /^Delete/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await row.waitFor({ state: 'detached' })
    },
  )

  deepTest('a failed list can be asked for again, and a bill of nobody is not found', async (t) => {
    const page = await visit(t, browser)
    const path = '**/api/v1/bills?*'
    await page.route(path, (route) =>
      route.fulfill({
        status: 400,
        json: { error_code: 'odd', error_message: 'Odd.', details: [], request_id: 'r-2' },
      }),
    )
    await openConsole(page, 'member', '/bills?zzz=1')
    await page.getByText('r-2').waitFor()
    assert.equal(new URL(page.url()).search, '')
    await becomes(() => page.getByRole('button', { name: 'Clear filters' }).count(), 0)
    await assertGoodPage(page)
    await page.unroute(path)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table').waitFor()
    await page.goto(`${new URL(page.url()).origin}/bills/01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.goto(`${new URL(page.url()).origin}/settings`)
    await page.getByRole('heading', { level: 1, name: 'Organization' }).waitFor()
  })
})
