import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { deepTest } from '../../server/test/depth.ts'
import { pngOf } from '../../server/test/png.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { openConsole } from './console.ts'
import { billNow, newBill, newCarrier, newStatement } from './payables.ts'

const browser = await openBrowser()

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).fill(option)
  await page.getByRole('option', { name: option }).first().click()
}

async function act(page: Page, action: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: action, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describe('statements in the console', () => {
  test("one of a payee's bills is sent and paid, and its bills follow", async (t) => {
    const page = await visit(t, browser)
    const carrier = await newCarrier('Statement Haulage')
    const content = {
      partner_carrier_id: carrier.id,
      bill_date: '2026-03-10',
      remit_to: { company_name: carrier.name },
    }
    const [first, second] = await Promise.all([newBill(content, 'save'), newBill(content, 'save')])
    const later = await newBill({ ...content, bill_date: '2026-04-02' }, 'save')
    await openConsole(page, 'member', '/statements/new')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByText('Choose the payee.').waitFor()
    await page.getByRole('combobox', { name: 'Payee' }).fill(carrier.name)
    await page.getByRole('option', { name: carrier.name }).click()
    await page.getByLabel('Period from').fill('2026-03-01')
    await page.getByLabel('Period to').fill('2026-03-31')
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { name: 'Draft statement' }).waitFor()
    const rows = page.getByRole('table', { name: 'Bills' }).getByRole('row')
    await becomes(() => rows.count(), 3)

    await page.getByRole('button', { name: 'Add bills' }).click()
    await page.getByLabel(`Select ${later.number}`).check()
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Add 1' }).click()
    await rows.nth(3).waitFor()
    await page.getByRole('button', { name: `Remove: ${later.number}` }).click()
    await rows.nth(3).waitFor({ state: 'detached' })
    await act(page, 'Save')
    await page.getByRole('heading', { name: /^STMT-\d+$/ }).waitFor()
    await act(page, 'Send')
    await act(page, 'Pay')
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await rows.getByText('Paid', { exact: true }).nth(1).waitFor()
    const history = page.getByRole('region', { name: 'History' })
    for (const what of ['Paid', 'Sent', 'Saved', 'Created'])
      await history.getByText(what, { exact: true }).first().waitFor()
    await history.getByText('by you').first().waitFor()
    await assertGoodPage(page)
    assert.deepEqual(await Promise.all([first, second, later].map(async ({ id }) => (await billNow(id)).status_id)), [
      'paid',
      'paid',
      'saved',
    ])
    await page.getByRole('link', { name: first.number ?? '' }).click()
    await page.getByRole('link', { name: /^On STMT-/ }).click()
    await page.getByRole('heading', { name: /^STMT-\d+$/ }).waitFor()
  })

  deepTest(
    'one with a number is voided with a reason, keeps its number and its bills on the page, and is found when asked for',
    async (t) => {
      const page = await visit(t, browser)
      const carrier = await newCarrier('Voided Haulage')
      const bill = await newBill({ partner_carrier_id: carrier.id }, 'save')
      const statement = await newStatement([bill.id], 'save')
      await openConsole(page, 'member', `/statements/${statement.id}`)
      await act(page, 'Change back to draft')
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Delete', exact: true }).count(), 0)
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Void' }).click()
      const dialog = page.getByRole('dialog', { name: `Void ${statement.number}` })
      await dialog.getByText('Its bills can be put on another statement.').waitFor()
      await dialog.getByLabel('Reason').fill('Gathered too early')
      await dialog.getByRole('button', { name: 'Void', exact: true }).click()
      await page.getByText('It was voided and cannot be changed.').waitFor()
      await page.getByRole('region', { name: 'Details' }).getByText('Gathered too early').waitFor()
      await page
        .getByRole('table', { name: 'Bills' })
        .getByRole('link', { name: bill.number ?? '' })
        .waitFor()
      assert.equal(await page.getByRole('button', { name: 'Add bills' }).count(), 0)
      await page.getByRole('region', { name: 'History' }).getByText('Voided', { exact: true }).first().waitFor()
      assert.equal((await billNow(bill.id)).consolidated_bill_id, null)
      await assertGoodPage(page)
      await page.goto(`${new URL(page.url()).origin}/statements?carrier=${carrier.id}`)
      await page.getByRole('heading', { name: 'No statements found' }).waitFor()
      await page.goto(`${new URL(page.url()).origin}/statements?carrier=${carrier.id}&voided=yes`)
      await page
        .getByRole('row')
        .filter({ hasText: statement.number ?? '' })
        .getByText('Voided', { exact: true })
        .waitFor()
      await assertGoodPage(page)
    },
  )

  deepTest('bills that are selected in the list become one', async (t) => {
    const page = await visit(t, browser)
    const carrier = await newCarrier('Chosen Haulage')
    const bills = await Promise.all([1, 2].map(() => newBill({ partner_carrier_id: carrier.id }, 'save')))
    await openConsole(page, 'member', `/bills?carrier=${carrier.id}`)
    await page.getByLabel('Select all on this page').check()
    await page.getByText('2 selected').waitFor()
    await page.getByText('$502.00').waitFor()
    await page.getByRole('link', { name: 'Create a statement' }).click()
    await page.getByRole('region', { name: '2 selected bills' }).waitFor()
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { name: 'Draft statement' }).waitFor()
    for (const { number } of bills) await page.getByRole('link', { name: number ?? '' }).waitFor()
    await act(page, 'Delete')
    await page.getByRole('heading', { name: 'Statements', level: 1 }).waitFor()
    await page.getByRole('table').waitFor()
    await assertGoodPage(page)
  })

  deepTest(
    'a mixed selection becomes one for each payee and currency, and says which bills cannot be on any',
    async (t) => {
      const page = await visit(t, browser)
      const word = `MIXED-${Date.now()}`
      const [one, other] = [await newCarrier('Mixed Haulage One'), await newCarrier('Mixed Haulage Other')]
      const of = (partner_carrier_id: string, content: object, ...moves: string[]) =>
        newBill({ partner_carrier_id, reference_number: word, ...content }, ...moves)
      const [first, second, euros, theirs] = [
        await of(one.id, {}, 'save'),
        await of(one.id, {}, 'save'),
        await of(one.id, { currency_id: 'eur' }, 'save'),
        await of(other.id, {}, 'save'),
      ]
      await of(other.id, {})
      await openConsole(page, 'member', `/bills?q=${word.toLowerCase()}`)
      await page.getByRole('table').getByRole('row').nth(5).waitFor()
      await page.getByLabel('Select all on this page').check()
      await page.getByText(/5 selected · .*€251\.00/).waitFor()
      await page.getByRole('button', { name: 'Create statements' }).click()
      const dialog = page.getByRole('dialog', { name: 'Create 3 statements' })
      await dialog.getByText('It is a draft. Save it first.').waitFor()
      await dialog.getByRole('row', { name: `${one.name} USD ${second.number}, ${first.number} $502.00` }).waitFor()
      await assertGoodPage(page)
      // Another clerk is faster with one of them.
      await newStatement([euros.id])
      await dialog.getByRole('button', { name: 'Create 3 statements' }).click()
      const done = page.getByRole('dialog', { name: 'Statements' })
      await done
        .getByRole('row', { name: new RegExp(`EUR.*Not created.*${euros.number} is on another statement`) })
        .waitFor()
      await assertGoodPage(page)
      await becomes(() => done.getByRole('link', { name: 'Open' }).count(), 2)
      await done.getByRole('button', { name: 'Close' }).last().click()
      await page.getByText('2 selected').waitFor()
      assert.ok((await billNow(theirs.id)).consolidated_bill_id)
      await page
        .getByRole('row')
        .filter({ hasText: theirs.number ?? '' })
        .click()
      await page.getByRole('link', { name: other.name }).first().click()
      // The carrier has its bills, and what is open in each currency.
      await page.getByText('Open balance, USD').waitFor()
      const balance = page.getByRole('region', { name: 'Bills', exact: true })
      await balance.getByText('$251.00').first().waitFor()
      await balance.getByText('1 bill', { exact: true }).waitFor()
      await assertGoodPage(page)
      await page.getByRole('link', { name: 'New bill for this carrier' }).click()
      await page
        .getByRole('combobox', { name: 'Carrier' })
        .and(page.locator(`[value="${other.name}"]`))
        .waitFor()
      await page.getByText(`Remit to: ${other.name}`).waitFor()
    },
  )
})

describe('settings of the books in the console', () => {
  deepTest('a bill item type is created, changed, refused while it is in use, and deleted', async (t) => {
    const page = await visit(t, browser)
    const name = `Lumper ${Date.now()}`
    await openConsole(page, 'member', '/settings/bill-item-types')
    await page.getByRole('button', { name: 'New type' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Create type' }).click()
    await page.getByRole('button', { name: `Edit: ${name}` }).click()
    await page.getByRole('dialog').getByLabel('Class').fill('accessorial')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('row').filter({ hasText: name }).getByText('accessorial').waitFor()
    await page.getByRole('button', { name: `History: ${name}` }).click()
    const history = page.getByRole('dialog', { name: `History of ${name}` })
    await history.getByText('(empty) → accessorial').waitFor()
    await history.getByText('Created', { exact: true }).waitFor()
    await assertGoodPage(page)
    await page.keyboard.press('Escape')
    await history.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete: Line haul' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('alert').getByText('is used by lines of bills').waitFor()
    await assertGoodPage(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `Delete: ${name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('row').filter({ hasText: name }).waitFor({ state: 'detached' })
  })

  deepTest('a pay term is created with its id in another system', async (t) => {
    const page = await visit(t, browser)
    const name = `Net ${Date.now()}`
    await openConsole(page, 'member', '/settings/pay-terms')
    await page.getByRole('button', { name: 'New pay term' }).click()
    const field = page.getByRole('dialog').getByLabel('Name')
    await field.fill('Net 30')
    await page.getByLabel('Days').fill('ten')
    await page.getByRole('button', { name: 'Create pay term' }).click()
    await page.getByText('Enter a whole number of days, 0 or more.').waitFor()
    await page.getByLabel('Days').fill('10')
    await page.getByRole('button', { name: 'Add connector' }).click()
    await page.getByLabel('Connector 1', { exact: true }).fill('quickbooks')
    await page.getByLabel('Id at connector 1').fill('NET10')
    await page.getByRole('button', { name: 'Create pay term' }).click()
    // The server alone knows that there is one of this name.
    await page.locator('.mantine-InputWrapper-error').filter({ hasText: 'unique in the organization' }).waitFor()
    await assertGoodPage(page)
    await field.fill(name)
    await page.getByRole('button', { name: 'Create pay term' }).click()
    await page.getByRole('row').filter({ hasText: name }).getByText('quickbooks: NET10').waitFor()
    await page.getByLabel('Search by name').fill(name)
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
    assert.match(page.url(), /q=Net/)
    await page.getByRole('button', { name: `History: ${name}` }).click()
    await page.getByRole('dialog').getByText('by you').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await assertGoodPage(page)
  })

  deepTest(
    'exchange rates are imported, used to convert, changed and ended, and the organization has a home currency',
    async (t) => {
      const page = await visit(t, browser)
      const logos: string[] = []
      page.on(
        'request',
        (request) =>
          request.method() === 'GET' && request.url().endsWith('/organization/logo') && logos.push(request.url()),
      )
      await openConsole(page, 'admin', '/settings/organization')
      await page.getByRole('progressbar', { name: 'Files of documents' }).waitFor({ state: 'attached' })
      await page.getByText('There is no logo.').waitFor()
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pngOf(40, 20) })
      await page.getByRole('img', { name: 'The logo' }).waitFor()
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.getByText('There is no logo.').waitFor()
      // The picture is asked for only where there is one.
      assert.equal(logos.length, 1)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await choose(page, 'Home currency', 'USD')
      await page.getByLabel('City, address').fill('Asheville')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('region', { name: 'Details' }).getByText('Asheville').waitFor()
      await page.getByRole('button', { name: 'Edit arrival times and bookings' }).click()
      await page.getByRole('textbox', { name: 'Detour factor' }).fill('0.5')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Enter a number from 1 to 5').waitFor()
      await page.getByRole('textbox', { name: 'Detour factor' }).fill('1.4')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('region', { name: 'Arrival times and bookings' }).getByText('1.4', { exact: true }).waitFor()
      await assertGoodPage(page)

      await page.getByRole('link', { name: 'Exchange rates' }).click()
      // Until this page is there, the only place for a file is that of the logo.
      await page.getByRole('heading', { name: 'Exchange rates' }).waitFor()
      const text =
        'from_currency_id,to_currency_id,rate,starts_on\nisk,usd,0.0072,2026-01-01\nisk,usd,many,2026-02-01\n'
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
      const report = page.getByRole('dialog', { name: '1 created, 0 updated' })
      await report.getByText(/^Line 3: /).waitFor()
      await page.keyboard.press('Escape')
      await choose(page, 'From', 'ISK')
      await page.getByRole('textbox', { name: 'Amount' }).fill('10000')
      await page.getByRole('button', { name: 'Convert' }).click()
      await page.getByText('$72.00').waitFor()
      await page.getByRole('button', { name: 'Edit: ISK to USD from 2026-01-01' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Rate').fill('0')
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      await dialog.getByText('A rate is above 0.').waitFor()
      await dialog.getByLabel('Rate').fill('0.0073')
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      const row = page.getByRole('row').filter({ hasText: 'ISK' })
      await row.getByText('0.0073').waitFor()
      await page.getByRole('button', { name: 'End: ISK to USD from 2026-01-01' }).click()
      await dialog.getByRole('button', { name: 'End', exact: true }).click()
      await row.getByText('Open').waitFor({ state: 'detached' })
      await assertGoodPage(page)
    },
  )

  deepTest('a tax rate of two components is given to a line, and the document has its tax', async (t) => {
    const page = await visit(t, browser)
    const name = `GST and PST ${Date.now()}`
    await openConsole(page, 'member', '/settings/tax-rates')
    await page.getByRole('button', { name: 'New tax rate' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').first().fill(name)
    for (const [at, part, percent] of [
      ['1', 'GST', '5'],
      ['2', 'PST', '7.25'],
    ] as const) {
      await dialog.getByRole('button', { name: 'Add component' }).click()
      await dialog.getByLabel(`Name of component ${at}`).fill(part)
      await dialog.getByLabel(`Percent of component ${at}`).fill(percent)
    }
    await assertGoodPage(page)
    await dialog.getByRole('button', { name: 'Create tax rate' }).click()
    await page.getByRole('row').filter({ hasText: name }).getByText('12.25 %').waitFor()
    await assertGoodPage(page)
    const bill = await newBill({ reference_number: 'TAX-1' })
    await page.goto(`${new URL(page.url()).origin}/bills/${bill.id}`)
    await page.getByRole('button', { name: /^Edit: / }).click()
    await choose(page, 'Tax rate', name)
    await dialog.getByRole('button', { name: 'Save line' }).click()
    await dialog.waitFor({ state: 'detached' })
    const lines = page.getByRole('region', { name: 'Lines' })
    // 12.25 % of 251.00.
    await lines.getByRole('row').filter({ hasText: name }).getByText('$30.75').waitFor()
    await lines.getByText('$281.75').waitFor()
    await assertGoodPage(page)
  })

  deepTest('an accounting period is created, closed, and reopened with a reason', async (t) => {
    const page = await visit(t, browser)
    await openConsole(page, 'admin', '/settings/accounting-periods')
    await page.getByRole('button', { name: 'New period' }).click()
    const dialog = page.getByRole('dialog')
    // Long before anything that other tests write.
    await dialog.getByLabel('First day').fill('2001-01-01')
    await dialog.getByLabel('Last day').fill('2000-01-31')
    await dialog.getByRole('button', { name: 'Create period' }).click()
    await dialog.getByText('The last day is before the first day.').waitFor()
    await dialog.getByLabel('Last day').fill('2001-01-31')
    await dialog.getByRole('button', { name: 'Create period' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Jan 1, 2001' })
    await row.getByRole('button', { name: /^Close: / }).click()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await row.getByText('Closed').waitFor()
    await assertGoodPage(page)
    await row.getByRole('button', { name: /^Reopen: / }).click()
    await dialog.getByRole('button', { name: 'Reopen', exact: true }).click()
    await dialog.getByText('Enter a reason.').waitFor()
    await dialog.getByLabel('Reason').fill('A late bill')
    await dialog.getByRole('button', { name: 'Reopen', exact: true }).click()
    await row.getByText('Open', { exact: true }).waitFor()
    await assertGoodPage(page)
  })
})

describe('reports in the console', () => {
  deepTest('what is owed is shown by age, as of a day, and downloaded', async (t) => {
    const page = await visit(t, browser)
    const carrier = await newCarrier('Aged Haulage')
    await newBill({ partner_carrier_id: carrier.id, due_date: '2020-01-31' }, 'save')
    await openConsole(page, 'member', '/reports')
    const row = page.getByRole('table', { name: 'Report' }).getByRole('row').filter({ hasText: carrier.name })
    await row.getByText('$251.00').first().waitFor()
    await page.getByRole('figure', { name: 'Open in USD' }).waitFor()
    await assertGoodPage(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    assert.match(await readFile(await file.path(), 'utf8'), /Aged Haulage/)
    await page.getByLabel('As of').fill('2020-06-30')
    await page.getByRole('heading', { name: 'Nothing to report' }).waitFor()
    assert.match(page.url(), /as_of=2020-06-30/)
    await page.getByRole('link', { name: 'Margin' }).click()
    await page.getByRole('heading', { name: 'Margin by order' }).waitFor()
    await assertGoodPage(page)
  })
})
