import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { deepTest } from '../../server/test/depth.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { openConsole } from './console.ts'
import {
  billNow,
  newBill,
  newBills,
  newCarrier,
  newCredit,
  newCustomer,
  newInvoice,
  newPayment,
  newRate,
} from './payables.ts'

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

/** The page of a PDF is there, with all that is on it. */
async function drawn(page: Page, name: string): Promise<void> {
  await page.getByRole('img', { name }).and(page.locator('[data-drawn]')).waitFor()
}

/** The name of the PDF file that a button downloads. */
async function downloaded(page: Page, button: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()])
  assert.match(await readFile(await file.path(), 'latin1'), /^%PDF-/)
  return file.suggestedFilename()
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
    const heading = page.getByRole('heading', { name: /^INV-\d+/ })
    await heading.waitFor()
    const number = (await heading.textContent()) ?? ''
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const sending = page.getByRole('dialog', { name: `Send ${number}` })
    await sending.getByText('mailed to ap@customer.example with this PDF').waitFor()
    await drawn(page, `${number}, page 1 of 1`)
    await sending.getByLabel('Copy to').fill('nobody')
    await sending.getByRole('button', { name: 'Send' }).click()
    await sending.getByRole('alert').waitFor()
    await sending.getByLabel('Copy to').fill('dispatch@customer.example')
    await sending.getByLabel('Subject').fill('Oakland to Seattle')
    await assertGoodPage(page)
    await sending.getByRole('button', { name: 'Send' }).click()
    await sending.waitFor({ state: 'detached' })
    await page
      .getByRole('region', { name: 'Mailed' })
      .getByRole('row', { name: /ap@customer\.example, dispatch@customer\.example.*Oakland to Seattle/ })
      .waitFor()
    assert.equal(await downloaded(page, 'Download PDF'), `${number}.pdf`)
    await page.getByRole('region', { name: 'History' }).getByText('Sent', { exact: true }).first().waitFor()
    await assertGoodPage(page)
    await page.getByRole('link', { name: customer.name }).first().click()
    const ofCustomer = page.getByRole('region', { name: 'Invoices', exact: true })
    await ofCustomer.getByText('Open balance, USD').waitFor()
    await ofCustomer.getByRole('link', { name: number }).waitFor()
    await ofCustomer.getByRole('button', { name: 'Statement' }).click()
    const statement = page.getByRole('dialog', { name: 'Statement of Golden Gate Foods' })
    await statement.getByText('$2,400.00 is open').waitFor()
    await statement.getByRole('link', { name: number }).waitFor()
    await assertGoodPage(page)
    assert.match(await downloaded(page, 'Download PDF'), /^statement-CUST-\d+-[\d-]+\.pdf$/)
    await statement.getByRole('button', { name: 'Send' }).click()
    const sendingIt = page.getByRole('dialog', { name: 'Send statement of Golden Gate Foods' })
    await drawn(page, 'statement of Golden Gate Foods, page 1 of 1')
    await assertGoodPage(page)
    await sendingIt.getByRole('button', { name: 'Send' }).click()
    await page
      .getByRole('region', { name: 'Mailed' })
      .getByRole('row', { name: /ap@customer\.example.*Statement/ })
      .waitFor()
    await page.goto(`${new URL(page.url()).origin}/invoices?customer=${customer.id}`)
    const row = page.getByRole('row').filter({ hasText: number })
    await row.getByText('Golden Gate Foods').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    assert.match(await readFile(await file.path(), 'utf8'), /PO-4711/)
    await assertGoodPage(page)
  })

  deepTest('a file is imported by the names of customers, and what it made is selected and saved', async (t) => {
    const page = await visit(t, browser)
    const customer = await newCustomer('Import Foods')
    await newInvoice({ customer_id: customer.id, reference_number: 'IMI-0' }, 'save')
    await openConsole(page, 'member', '/invoices/import')
    const text = `Reference,Amount,Currency,Customer,External id\nIMI-1,125.50,USD,${customer.name},imi-1\nIMI-2,5,USD,Nobody,imi-2\n`
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'invoices.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
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
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await page.getByLabel('Select all on this page').check()
    await selected.getByRole('link', { name: 'Record one payment' }).click()
    await page.getByText('$525.50 allocated · $0.00 left on the payment').waitFor()
    await page.getByRole('button', { name: 'Record payment' }).click()
    await page.getByRole('heading', { name: /^PAY-/ }).waitFor()
    await page.getByText('Received from Import Foods').waitFor()
  })

  deepTest(
    'one that is wrong is corrected by a draft in its place, or voided; both keep their numbers and are found when asked for',
    async (t) => {
      const page = await visit(t, browser)
      const customer = await newCustomer('Void Foods')
      const wrong = await newInvoice({ customer_id: customer.id, reference_number: 'VOID-1' }, 'save')
      await openConsole(page, 'member', `/invoices/${wrong.id}`)
      const more = async (action: string, reason: string) => {
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByRole('menuitem', { name: action }).click()
        const dialog = page.getByRole('dialog', { name: new RegExp(`^${action} `) })
        await dialog.getByRole('button', { name: action, exact: true }).click()
        await dialog.getByText('Enter a reason.').waitFor()
        await dialog.getByLabel('Reason').fill(reason)
        await dialog.getByRole('button', { name: action, exact: true }).click()
        await dialog.waitFor({ state: 'detached' })
      }
      await more('Correct', 'The price was wrong')
      await page.getByRole('heading', { name: 'Draft VOID-1' }).waitFor()
      await act(page, 'Save')
      await more('Void', 'Sent twice')
      await page.getByText('It was voided and cannot be changed.').waitFor()
      await page.getByRole('region', { name: 'Details' }).getByText('Sent twice').waitFor()
      await becomes(() => page.getByRole('button', { name: 'Send', exact: true }).count(), 0)
      await assertGoodPage(page)
      await page.goto(`${new URL(page.url()).origin}/invoices?customer=${customer.id}`)
      await page.getByRole('heading', { name: 'No invoices found' }).waitFor()
      await page.getByRole('button', { name: 'More filters' }).click()
      await page.getByLabel('With those that were voided').check()
      await page
        .getByRole('row')
        .filter({ hasText: wrong.number ?? '' })
        .getByText('Voided', { exact: true })
        .waitFor()
      assert.match(page.url(), /voided=yes/)
      await assertGoodPage(page)
    },
  )
})

describe('the first page of the console', () => {
  deepTest('every figure leads to the list behind it, and every chart has its table', async (t) => {
    const page = await visit(t, browser)
    await openConsole(page, 'member', '/')
    const todo = page.getByRole('region', { name: 'To do' })
    for (const [figure, heading, address] of [
      ['Bills due in 7 days', 'Bills', /\/bills\?.*due_from=.*due_to=/],
      ['Bills overdue', 'Bills', /\/bills\?state=overdue/],
      ['Drafts of bills to finish', 'Bills', /\/bills\?state=draft/],
      ['Delivered, bill missing', 'Delivered and not billed', /\/reports\/accruals/],
      ['Invoices due in 7 days', 'Invoices', /\/invoices\?.*due_from=.*due_to=/],
      ['Invoices overdue', 'Invoices', /\/invoices\?state=overdue/],
      ['Drafts of invoices to finish', 'Invoices', /\/invoices\?state=draft/],
      ['Delivered, not invoiced', 'Delivered and not billed', /\/reports\/accruals/],
    ] as const) {
      await todo.getByRole('link', { name: new RegExp(`^${figure}`) }).click()
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      assert.match(page.url(), address)
      await page.goBack()
    }
    for (const [chart, report] of [
      ['You owe, by age', '/reports/payables-aging'],
      ['Customers owe, by age', '/reports/receivables-aging'],
    ] as const) {
      const panel = page.getByRole('region', { name: new RegExp(`^${chart}`) })
      await panel.getByRole('figure').waitFor()
      const rows = panel.getByRole('table').getByRole('row')
      await rows.filter({ hasText: /^Total/ }).waitFor()
      assert.equal(await rows.count(), 7)
      assert.equal(await panel.getByRole('link', { name: 'By party' }).getAttribute('href'), report)
    }
    const cash = page.getByRole('region', { name: /^Cash in and out by week/ })
    await cash.getByText('Figures').click()
    await cash.getByRole('columnheader', { name: 'Due out' }).waitFor()
    assert.ok((await cash.getByRole('table').getByRole('row').count()) > 4)
    await page.getByRole('region', { name: 'Recent activity' }).getByRole('listitem').first().waitFor()
    await assertGoodPage(page)
  })
})

describe('payments and credits in the console', () => {
  test('one payment is of all the bills that were selected, wherever they stand among the open ones of the carrier; what was paid since is named', async (t) => {
    const page = await visit(t, browser)
    const carrier = await newCarrier('Thousand Haulage')
    await newBills(201, { partner_carrier_id: carrier.id, due_date: '2026-01-31' })
    const late = { partner_carrier_id: carrier.id, due_date: '2026-12-31', items: [{ unit_price: 10000, quantity: 1 }] }
    const selected = await Promise.all(
      ['LATE-1', 'LATE-2', 'LATE-3'].map((reference_number) => newBill({ ...late, reference_number }, 'save')),
    )
    const paid = await newBill({ ...late, reference_number: 'LATE-4' }, 'save')
    await openConsole(page, 'member', `/bills?carrier=${carrier.id}&q=LATE`)
    await page.getByLabel('Select all on this page').check()
    await page.getByText('4 selected · $400.00').waitFor()
    await newPayment({
      direction: 'out',
      partner_carrier_id: carrier.id,
      amount: 10000,
      allocations: [{ bill_id: paid.id, amount: 10000 }],
    })
    await page.getByRole('link', { name: 'Record one payment' }).click()
    await page.getByText('$300.00 allocated · $0.00 left on the payment').waitFor()
    const { search, hash } = new URL(page.url())
    assert.ok(
      !search.includes(paid.id) && hash.includes(paid.id),
      'some hundred ids would make an address that no server takes when the page is loaded again',
    )
    await page.reload()
    await page.getByText('$300.00 allocated · $0.00 left on the payment').waitFor()
    await page.getByText(`Nothing is left to pay on: ${paid.number}.`).waitFor()
    await page.getByText('These are the 200 that are due first, of 204.').waitFor()
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Show more' }).click()
    await becomes(() => page.getByRole('table', { name: 'Open bills' }).getByRole('row').count(), 205)
    await page.getByText('$300.00 allocated · $0.00 left on the payment').waitFor()
    await page.getByRole('button', { name: 'Record payment' }).click()
    await page.getByRole('heading', { name: /^PAY-\d+/ }).waitFor()
    assert.deepEqual(await Promise.all(selected.map(async ({ id }) => (await billNow(id)).amount_due)), [0, 0, 0])
  })

  test('one payment settles several bills, oldest first; one of them is taken back and allocated again; a bill is paid in part; and voiding the payment opens what it settled', async (t) => {
    const page = await visit(t, browser)
    const carrier = await newCarrier('Settled Haulage')
    const of = (reference_number: string, due_date: string) =>
      newBill({ partner_carrier_id: carrier.id, reference_number, due_date }, 'save')
    const [later, first] = [await of('SET-2', '2026-06-30'), await of('SET-1', '2026-01-31')]
    await openConsole(page, 'member', '/payments')
    await page.getByRole('link', { name: 'Record a payment' }).first().click()
    await page.getByRole('button', { name: 'Record payment' }).click()
    await page.getByText('Choose the carrier.').waitFor()
    await choose(page, 'Carrier', carrier.name)
    const open = page.getByRole('table', { name: 'Open bills' })
    await open.getByRole('row').nth(2).waitFor()
    await page.getByLabel('Amount, USD').fill('400')
    await open.getByLabel(`Amount for ${first.number}`).fill('251.01')
    await open.getByText('This is more than is left to pay.').waitFor()
    await page.getByRole('button', { name: 'Allocate oldest first' }).click()
    await page.getByText('$400.00 allocated · $0.00 left on the payment').waitFor()
    await becomes(
      () => Promise.all([first, later].map(({ number }) => open.getByLabel(`Amount for ${number}`).inputValue())),
      ['251.00', '149.00'],
    )
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Record payment' }).click()
    const heading = page.getByRole('heading', { name: /^PAY-\d+/ })
    await heading.waitFor()
    const settled = page.getByRole('table', { name: 'What it settles' })
    await settled
      .getByRole('row')
      .filter({ hasText: first.number ?? '' })
      .getByText('Paid', { exact: true })
      .waitFor()
    const payment = page.url()
    await assertGoodPage(page)
    const name = await heading.textContent()
    assert.equal(await downloaded(page, 'Remittance advice'), `${name}.pdf`)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const advice = page.getByRole('dialog', { name: `Send remittance advice ${name}` })
    await advice.getByText('goes to ap@carrier.example').waitFor()
    await drawn(page, `remittance advice ${name}, page 1 of 1`)
    await advice.getByRole('button', { name: 'Send' }).click()
    await page
      .getByRole('region', { name: 'Mailed' })
      .getByRole('row', { name: /ap@carrier\.example.*Remittance advice/ })
      .waitFor()

    await page.getByRole('button', { name: 'Take back: $149.00' }).click()
    await settled
      .getByRole('row')
      .filter({ hasText: later.number ?? '' })
      .waitFor({ state: 'detached' })
    assert.deepEqual([(await billNow(first.id)).status_id, (await billNow(later.id)).amount_due], ['paid', 25100])
    await page.getByRole('button', { name: 'Allocate $149.00' }).click()
    const again = page.getByRole('dialog', { name: /^Allocate PAY-/ })
    await again.getByRole('button', { name: 'Allocate oldest first' }).click()
    await assertGoodPage(page)
    await again.getByRole('button', { name: 'Allocate', exact: true }).click()
    await again.waitFor({ state: 'detached' })
    await settled.getByRole('link', { name: later.number ?? '' }).waitFor()

    await settled.getByRole('link', { name: later.number ?? '' }).click()
    await page.getByRole('region', { name: 'Lines' }).getByText('$102.00').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Pay', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount, USD').fill('$1,500.00')
    await dialog.getByRole('button', { name: 'Pay', exact: true }).click()
    await dialog.getByText('Only $102.00 is due.').waitFor()
    await dialog.getByLabel('Amount, USD').fill('$50')
    await choose(page, 'Method', 'Check')
    await dialog.getByLabel('Reference number').fill('CHK-77')
    await assertGoodPage(page)
    await dialog.getByRole('button', { name: 'Pay', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Lines' }).getByText('$52.00').waitFor()
    const paid = page.getByRole('table', { name: 'Payments' }).getByRole('row')
    await paid.filter({ hasText: 'CHK-77' }).getByText('$50.00').waitFor()
    await paid.filter({ hasText: 'Taken back' }).getByText('$149.00').waitFor()
    await assertGoodPage(page)

    await page.goto(payment)
    await act(page, 'Mark as cleared')
    await page.getByRole('button', { name: 'Void', exact: true }).click()
    await dialog.getByLabel('Reason').fill('The bank sent it back')
    await dialog.getByRole('button', { name: 'Void', exact: true }).click()
    await page.getByText('The payment was voided, so it settles nothing.').waitFor()
    assert.deepEqual([(await billNow(first.id)).status_id, (await billNow(later.id)).status_id], ['saved', 'saved'])
    await assertGoodPage(page)
  })

  deepTest('a document that was saved without an exchange rate is given one from its menu', async (t) => {
    const page = await visit(t, browser)
    const invoice = await newInvoice({ reference_number: 'NOK-1', currency_id: 'nok' }, 'save')
    await newRate('nok', 'usd', '0.0975')
    await openConsole(page, 'member', `/invoices/${invoice.id}`)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Update exchange rate' }).click()
    const dialog = page.getByRole('dialog', { name: `Update exchange rate ${invoice.number}` })
    await dialog.getByRole('button', { name: 'Update exchange rate' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Details' }).getByText('0.0975').waitFor()
    await page.getByRole('region', { name: 'History' }).getByText('Exchange rate updated').waitFor()
    await assertGoodPage(page)
  })

  deepTest('a credit of a carrier is applied to an open bill', async (t) => {
    const page = await visit(t, browser)
    const carrier = await newCarrier('Credit Haulage')
    const bill = await newBill({ partner_carrier_id: carrier.id, reference_number: 'CRB-1' }, 'save')
    const credit = await newCredit({ direction: 'out', partner_carrier_id: carrier.id, reference_number: 'CRD-1' })
    await openConsole(page, 'member', `/credits/carriers?carrier=${carrier.id}`)
    await page.getByRole('link', { name: credit.number ?? '' }).click()
    await page.getByRole('button', { name: 'Apply', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Apply ${credit.number}` })
    await dialog.getByRole('button', { name: 'Allocate oldest first' }).click()
    await dialog.getByText('$50.00 allocated · $0.00 left on the credit').waitFor()
    await assertGoodPage(page)
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Lines' }).getByText('Left to apply').waitFor()
    await page.goto(`${new URL(page.url()).origin}/bills/${bill.id}`)
    await page.getByRole('region', { name: 'Lines' }).getByText('$201.00').waitFor()
    const payments = page.getByRole('table', { name: 'Payments' })
    await payments.getByText('Credit', { exact: true }).waitFor()
    await assertGoodPage(page)
    await payments.getByRole('link', { name: credit.number ?? '' }).click()
    await page.getByRole('main').getByText('Used up', { exact: true }).first().waitFor()
    await payments.getByRole('link', { name: bill.number ?? '' }).waitFor()
    await payments.getByRole('button', { name: 'Take back: $50.00' }).click()
    await page.getByRole('dialog', { name: 'Take back $50.00' }).getByRole('button', { name: 'Take back' }).click()
    await payments.getByText('Taken back').waitFor()
    await payments.getByRole('link', { name: bill.number ?? '' }).click()
    await page.getByRole('region', { name: 'Lines' }).getByText('$251.00').first().waitFor()
    await becomes(() => payments.getByRole('button', { name: /^Take back/ }).count(), 0)
  })

  test('money on account is on the statement, is paid back from the page of the payment, and an invoice is written off', async (t) => {
    const page = await visit(t, browser)
    const customer = await newCustomer('Prepaying Foods')
    const invoice = await newInvoice({ customer_id: customer.id, reference_number: 'WO-1' }, 'save')
    const payment = await newPayment({ customer_id: customer.id, amount: 15000 })
    await openConsole(page, 'member', `/objects/customer/${customer.id}`)
    await page.getByRole('button', { name: 'Statement' }).click()
    const statement = page.getByRole('dialog', { name: 'Statement of Prepaying Foods' })
    await statement.getByText('$250.00 is open, after $150.00 paid on account.').waitFor()
    await assertGoodPage(page)
    await statement
      .getByRole('table', { name: 'Paid on account' })
      .getByRole('link', { name: payment.number ?? '' })
      .click()

    await page.getByRole('main').getByRole('button', { name: 'Refund' }).click()
    const refund = page.getByRole('dialog', { name: `Refund ${payment.number}` })
    await refund.getByLabel('Amount, USD').fill('200')
    await refund.getByRole('button', { name: 'Refund' }).click()
    await refund.getByText('Only $150.00 is left.').waitFor()
    await assertGoodPage(page)
    await refund.getByLabel('Amount, USD').fill('100')
    await refund.getByRole('button', { name: 'Refund' }).click()
    await refund.waitFor({ state: 'detached' })
    await page.getByRole('main').getByText('Pays back').waitFor()
    await assertGoodPage(page)
    await page.getByRole('link', { name: payment.number ?? '' }).click()
    await page.getByRole('region', { name: 'Paid back' }).getByText('$100.00').waitFor()
    assert.equal(await page.getByRole('main').getByRole('button', { name: 'Void', exact: true }).count(), 0)
    await assertGoodPage(page)

    await page.goto(`${new URL(page.url()).origin}/invoices/${invoice.id}`)
    await page.getByRole('main').getByRole('button', { name: 'Write off' }).click()
    const dialog = page.getByRole('dialog', { name: `Write off ${invoice.number}` })
    await dialog.getByRole('button', { name: 'Write off' }).click()
    await dialog.getByText('Enter a reason. The history will show it.').waitFor()
    await assertGoodPage(page)
    await dialog.getByLabel('Reason').fill('Insolvent')
    await dialog.getByRole('button', { name: 'Write off' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('main').getByText('Paid', { exact: true }).first().waitFor()
    await page.getByRole('region', { name: 'History' }).getByText('Written off').waitFor()
    await assertGoodPage(page)
  })

  test('a carrier has a statement of what it is owed', async (t) => {
    const page = await visit(t, browser)
    const carrier = await newCarrier('Statement Haulage')
    const bill = await newBill({ partner_carrier_id: carrier.id, reference_number: 'ST-1' }, 'save')
    await openConsole(page, 'member', `/objects/partner/${carrier.id}`)
    await page.getByRole('button', { name: 'Statement' }).click()
    const statement = page.getByRole('dialog', { name: 'Statement of Statement Haulage' })
    await statement.getByText('$251.00 is open').waitFor()
    await statement.getByRole('link', { name: bill.number ?? '' }).waitFor()
    assert.equal(await statement.getByRole('button', { name: 'Send' }).count(), 0)
    assert.match(await downloaded(page, 'Download PDF'), /^statement-PART-\d+-[\d-]+\.pdf$/)
    await assertGoodPage(page)
  })
})
