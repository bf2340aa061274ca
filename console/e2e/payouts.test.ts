import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { deepTest } from '../../server/test/depth.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { openConsole } from './console.ts'
import { billNow, newBill, newCarrier, newPayee } from './payables.ts'

const browser = await openBrowser()

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(option)
  await page.getByRole('option', { name: option }).first().click()
}

/** Opens a dialog, and confirms what it asks. */
async function act(page: Page, action: string, sum?: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: action, exact: true }).click()
  const dialog = page.getByRole('dialog')
  if (sum) await dialog.getByText(sum).waitFor()
  await dialog.getByRole('button', { name: action, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

describe('payees in the console', () => {
  test('one is entered by a clerk and approved by a second person, who sees its bank details; a change of it waits in the same way', async (t) => {
    const carrier = await newCarrier('Ridgeline Haulers')
    const page = await visit(t, browser)
    await openConsole(page, 'member', '/payees')
    await page.getByRole('main').getByRole('link', { name: 'New payee' }).first().click()
    await choose(page, 'Carrier', carrier.name)
    await becomes(() => page.getByLabel('Name of the account').inputValue(), carrier.name)
    await page.getByLabel('Routing number').fill('021000022')
    await page.getByLabel('Account number').fill('000123456789')
    await page.getByRole('button', { name: 'Create payee' }).click()
    await page.getByText(/must have nine digits/).waitFor()
    await page.getByLabel('Routing number').fill('021000021')
    await page.getByLabel('Remittance advices go to').fill('ar@ridgeline.example')
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Create payee' }).click()
    await page.getByRole('heading', { level: 1, name: carrier.name }).waitFor()
    const waiting = page.getByRole('region', { name: 'This payee waits for a second person' })
    await waiting.getByText('another person has to approve it').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Show bank details' }).count(), 0)
    await page.getByText('••••••••6789').first().waitFor()
    await assertGoodPage(page)

    const second = await visit(t, browser)
    await openConsole(second, 'admin', new URL(page.url()).pathname)
    await second.getByText(/Asked for by Mo Member/).waitFor()
    await second.getByRole('button', { name: 'Approve', exact: true }).click()
    const dialog = second.getByRole('dialog')
    await dialog.getByLabel('Note').fill('Called the number in our records')
    await assertGoodPage(second)
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await second.getByText('Active', { exact: true }).waitFor()
    await second.getByRole('region', { name: 'History' }).getByText('“Called the number in our records”').waitFor()
    await second.getByRole('button', { name: 'Show bank details' }).click()
    await dialog.getByRole('button', { name: 'Show', exact: true }).click()
    await dialog.getByText('000123456789').waitFor()
    await assertGoodPage(second)
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    await page.reload()
    await page.getByText('Active', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByRole('heading', { name: `Edit ${carrier.name}` }).waitFor()
    await choose(page, 'Paid by', 'Check')
    assert.equal(await page.getByLabel('Routing number').count(), 0)
    await page.getByLabel(/^Street and number/).fill('1 Dock Rd')
    await page.getByLabel(/^City/).fill('Toledo')
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('region', { name: 'A change waits for a second person' }).getByText('ACH → Check').waitFor()
    await second.reload()
    await second.getByRole('region', { name: 'A change waits for a second person' }).getByText('ACH → Check').waitFor()
    await assertGoodPage(second)
    await second.getByRole('button', { name: 'Reject' }).click()
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await second.getByText('Active', { exact: true }).waitFor()
    await second.getByRole('link', { name: 'Payees', exact: true }).first().click()
    await second.getByLabel('Search by name').fill('ridgeline')
    await second.getByRole('row', { name: /Ridgeline Haulers.*ACH •••• 6789/ }).waitFor()
    await assertGoodPage(second)
    await second.getByText('Waiting', { exact: true }).click()
    await second.getByText('No payee matches the search.').waitFor()
  })
})

describe('payment runs in the console', () => {
  test('one is chosen and looked through by one person, approved and issued by another, sent to the bank as a file; a payment of it comes back', async (t) => {
    const carrier = await newCarrier('Copper Canyon Freight')
    await newPayee({ partner_carrier_id: carrier.id, name: carrier.name, remittance_email: 'ar@copper.example' })
    const owed = { partner_carrier_id: carrier.id, due_date: '2026-01-05', bill_date: '2025-12-05' }
    const [bill, other] = [
      await newBill({ ...owed, reference_number: 'CC-1' }, 'save'),
      await newBill({ ...owed, reference_number: 'CC-2' }, 'save'),
    ]
    const page = await visit(t, browser)
    await openConsole(page, 'member', '/payment-runs')
    await page.getByRole('main').getByRole('button', { name: 'New payment run' }).first().click()
    await choose(page, 'Carriers', carrier.name)
    await page.getByRole('dialog').getByText(carrier.name).waitFor()
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Choose bills' }).click()
    const heading = page.getByRole('heading', { name: /^RUN-\d+/ })
    await heading.waitFor()
    const number = (await heading.textContent()) ?? ''
    await page.getByText('another person has to approve it').waitFor()
    const payment = page.getByRole('region', { name: carrier.name })
    await payment.getByText('$502.00').waitFor()
    await assertGoodPage(page)
    await payment.getByRole('button', { name: `Take out: ${other.number}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Take out' }).click()
    await payment.getByText('$251.00').first().waitFor()
    await becomes(() => payment.getByRole('link', { name: other.number as string }).count(), 0)

    const second = await visit(t, browser)
    await openConsole(second, 'admin', new URL(page.url()).pathname)
    await act(second, 'Approve', '$251.00')
    await act(second, 'Issue', '$251.00')
    const files = second.getByRole('region', { name: 'Files for the bank' })
    const [file] = await Promise.all([
      second.waitForEvent('download'),
      files.getByRole('button', { name: 'NACHA' }).click(),
    ])
    assert.equal(file.suggestedFilename(), `${number}.ach`)
    assert.match(await readFile(await file.path(), 'utf8'), /^622021000021000123456789 +0000025100/m)
    await act(second, 'Mail the advices')
    await second.getByRole('region', { name: 'Remittance advices' }).getByText('ar@copper.example').waitFor()
    await assertGoodPage(second)
    assert.equal((await billNow(bill.id)).status_id, 'paid')

    await second.getByRole('region', { name: carrier.name }).getByRole('link', { name: /^PAY-/ }).click()
    await second.getByRole('link', { name: number }).waitFor()
    await second.getByRole('button', { name: 'Returned by the bank' }).click()
    const dialog = second.getByRole('dialog')
    await dialog.getByLabel('Code of the bank').fill('R03')
    await dialog.getByLabel('Reason').fill('No account')
    await assertGoodPage(second)
    await dialog.getByRole('button', { name: 'Returned by the bank' }).click()
    await second.getByText('Voided', { exact: true }).first().waitFor()
    await second.getByRole('link', { name: number }).click()
    await second.getByText('One payment came back').waitFor()
    await second.getByText(/R03, No account/).waitFor()
    assert.equal((await billNow(bill.id)).status_id, 'saved')
    await second.getByRole('link', { name: 'Payment runs', exact: true }).first().click()
    await second.getByRole('row', { name: new RegExp(`${number}.*Issued`) }).waitFor()
    await assertGoodPage(second)
    await page.reload()
    await page.getByText('Admins and payers can download them').waitFor()
  })

  deepTest('the accounts that they are paid from are kept by admins, masked', async (t) => {
    const page = await visit(t, browser)
    await openConsole(page, 'admin', '/settings/paying-accounts')
    await page.getByRole('button', { name: 'New paying account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Currency').fill('EUR')
    await page.getByRole('option', { name: /^EUR/ }).click()
    await dialog.getByLabel('Name of the account').fill('Blue Ridge Europe')
    await dialog.getByLabel('Account number').fill('1')
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await dialog.getByText(/A paying account needs/).waitFor()
    await dialog.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00')
    await assertGoodPage(page)
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('row', { name: /EUR.*Blue Ridge Europe.*••••3000/ }).waitFor()
    await assertGoodPage(page)
    const other = await visit(t, browser)
    await openConsole(other, 'member', '/settings/paying-accounts')
    await other.getByText('Admins can change this.').waitFor()
    assert.equal(await other.getByRole('button', { name: 'Delete: EUR' }).count(), 0)
  })
})

/** The button cannot be clicked while they are being saved either. */
async function saveSettings(page: Page): Promise<void> {
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'PUT'),
    page.getByRole('button', { name: 'Save settings' }).click(),
  ])
  await page.getByRole('button', { name: 'Save settings', disabled: true }).waitFor()
}

describe('connections in the console', () => {
  deepTest('one is added, set, checked and synced; what fails says why and is tried again', async (t) => {
    // Far ahead, so that the documents of other tests stay as they are.
    const { id: partner_carrier_id } = await newCarrier('Ledger Line Freight')
    const bill = await newBill({ partner_carrier_id, bill_date: '2099-02-01', due_date: '2099-03-01' }, 'save')
    const page = await visit(t, browser)
    await openConsole(page, 'admin', '/settings/connections')
    await page.getByRole('row', { name: /QuickBooks of Blue Ridge.*Sign-in needed/ }).waitFor()
    await page.getByRole('button', { name: 'New connection' }).click()
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Add Journal file' }).click()
    await page.getByRole('heading', { level: 1, name: 'Journal file' }).waitFor()
    await page.getByLabel('Only documents dated from').fill('2099-01-01')
    await saveSettings(page)
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('Something is missing for 1 document.').waitFor()
    await page.getByRole('row', { name: /Settings.*Set "expense_account"/ }).waitFor()
    await page.getByRole('button', { name: 'Sync now' }).click()
    const syncs = page.getByRole('region', { name: 'Syncs' })
    await syncs.getByRole('row', { name: /Done.*1 failed/ }).waitFor()
    await syncs.getByRole('button', { name: 'Results' }).click()
    await syncs.getByRole('row', { name: new RegExp(`${bill.number}.*Failed.*expense_account`) }).waitFor()
    await assertGoodPage(page)
    await page.getByLabel('Account of lines of bills').fill('5000 Freight')
    await saveSettings(page)
    await syncs.getByRole('button', { name: 'Try again' }).click()
    await syncs.getByRole('row', { name: /Done.*1 created/ }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      syncs.getByRole('button', { name: 'File' }).click(),
    ])
    assert.match(await readFile(await download.path(), 'utf8'), new RegExp(`${bill.number},2099-02-01,5000 Freight`))
    const mappings = page.getByRole('region', { name: 'Mappings' })
    await mappings.getByText('Carriers', { exact: true }).click()
    await mappings.getByLabel('Search records').fill('Ledger Line')
    await mappings.getByLabel('Ledger Line Freight there').fill('LEDGER-1')
    await mappings.getByLabel('Ledger Line Freight there').blur()
    await page
      .getByRole('region', { name: 'History' })
      .getByText(/mapped/i)
      .first()
      .waitFor()
    await assertGoodPage(page)
    const other = await visit(t, browser)
    await openConsole(other, 'member', new URL(page.url()).pathname)
    await other.getByRole('region', { name: 'Syncs' }).getByRole('button', { name: 'Sync now' }).waitFor()
    assert.equal(await other.getByRole('button', { name: 'Save settings' }).count(), 0)
  })

  deepTest('a sign-in that was not allowed, or not begun here, says so', async (t) => {
    const page = await visit(t, browser)
    await openConsole(page, 'admin', '/settings/connections/callback?error=access_denied&state=x')
    await page.getByText('The accounting system did not allow the connection. Begin again.').waitFor()
    const { id } = await newCarrier('Nobody')
    const state = `${Buffer.from(JSON.stringify(['x', id, 'x', 1])).toString('base64url')}~v1.x.x`
    await page.goto(
      `${new URL(page.url()).origin}/settings/connections/callback?code=AB11&state=${state}&realmId=9130347957983216`,
    )
    await page.getByText(/begun by somebody else/).waitFor()
    await assertGoodPage(page)
  })
})
