import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { pdfOf } from '../../server/src/tools/demo/papers.ts'
import { deepTest } from '../../server/test/depth.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { openConsole } from './console.ts'
import {
  carrierInvoiceNow,
  changeCarrierInvoice,
  mailArrives,
  newCarrier,
  newCarrierInvoice,
  newTrip,
} from './payables.ts'
import { call, joinAs, otherToken } from './product.ts'

const browser = await openBrowser()

/** A carrier with a trip for each of these invoices, whose line haul is as given: 1,000.00 was agreed. */
async function newInvoices(name: string, lineHauls: Record<string, number>) {
  const carrier = await newCarrier(name)
  const made = Object.entries(lineHauls).map(async ([number, lineHaul]) => {
    await newTrip(carrier.id, `T-${number}`)
    return newCarrierInvoice(carrier.id, number, lineHaul)
  })
  return { carrier, invoices: await Promise.all(made) }
}

function paneOf(page: Page, number: string) {
  return page.getByRole('region', { name: `Carrier invoice ${number}` })
}

describe('the payables inbox', () => {
  test('goes from one exception to the next with keys, and decides with a note', async (t) => {
    const page = await visit(t, browser)
    const { invoices } = await newInvoices('Keyboard Haulage', { 'KEY-1': 110000, 'KEY-2': 120000, 'KEY-3': 130000 })
    await openConsole(page, 'member', '/payables?term=KEY-')
    await page.getByText('Nothing found').waitFor()
    await page.getByRole('heading', { name: 'Payables inbox' }).click()
    await page.keyboard.press('e')
    await page
      .getByRole('navigation', { name: 'Inbox' })
      .locator('[aria-current=page]')
      .getByText('Exceptions')
      .waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('KEYBOARD haul')
    const list = page.getByRole('table', { name: 'Exceptions' })
    await becomes(() => list.getByRole('row').count(), 4)
    const order = await list.getByRole('link').allTextContents()
    assert.deepEqual(order.toSorted(), ['KEY-1', 'KEY-2', 'KEY-3'])
    const [first = '', second = '', third = ''] = order
    await paneOf(page, first).waitFor()
    // What is typed into the search is no key.
    await page.getByRole('searchbox').press('j')
    await page.getByRole('searchbox').fill('keyboard haul')
    await becomes(() => list.getByRole('row').count(), 4)
    await page.getByRole('heading', { name: 'Payables inbox' }).click()
    await page.keyboard.press('j')
    await paneOf(page, second).waitFor()
    await page.keyboard.press('j')
    await paneOf(page, third).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await paneOf(page, second)
      .getByText(/over the 1,000.00 USD agreed\.$/)
      .waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Previous').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await assertGoodPage(page)

    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog', { name: `Accept ${second}` })
    await dialog.getByRole('button', { name: 'Accept' }).click()
    await dialog.getByText('Enter a note.').waitFor()
    await dialog.getByLabel('Note').fill('Agreed by phone')
    await dialog.getByRole('button', { name: 'Accept' }).click()
    // The one that took its place in the list is shown.
    await paneOf(page, third).waitFor()
    await paneOf(page, third).getByRole('button', { name: 'Pay short' }).click()
    const short = page.getByRole('dialog', { name: `Pay short ${third}` })
    await becomes(() => short.getByLabel('Amount to pay, USD').inputValue(), '1280.00')
    await short.getByLabel('Amount to pay, USD').fill('1250')
    await short.getByLabel('Note').fill('Late by a day')
    await short.getByRole('button', { name: 'Pay short' }).click()
    await page.getByText(`${third}: paid short. It is now under To approve.`).waitFor()
    await paneOf(page, first).getByRole('button', { name: 'Dispute' }).click()
    await page.getByRole('dialog').getByLabel('Note').fill('Asked for the contract')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page
      .getByRole('dialog', { name: 'Discard what you typed?' })
      .getByRole('button', { name: 'Keep editing' })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Dispute' }).click()
    await paneOf(page, first).getByText('Disputed by you').waitFor()
    await page.getByRole('link', { name: /^To approve/ }).click()
    const waiting = page.getByRole('table', { name: 'To approve' })
    await page.getByRole('searchbox').fill('Keyboard')
    await becomes(
      async () => (await waiting.getByRole('link').allTextContents()).toSorted(),
      [second, third].toSorted(),
    )
    const states = await Promise.all(invoices.map(async ({ id }) => (await carrierInvoiceNow(id)).state))
    assert.deepEqual(states.toSorted(), ['approved', 'approved', 'exception'])
    await waiting.getByRole('link', { name: third }).click()
    await paneOf(page, third)
      .getByText(/^\$1,250\.00 of \$/)
      .waitFor()
    await paneOf(page, third).getByText('Accepted in part').waitFor()
    await paneOf(page, third).getByRole('button', { name: 'Approve' }).click()
    await page
      .getByRole('dialog', { name: `Approve ${third}` })
      .getByText(/^Amount: \$1,250\.00 of \$/)
      .waitFor()
  })

  deepTest('approves many at once with a result for each, and a bill leads back to its invoice', async (t) => {
    const page = await visit(t, browser)
    const { invoices } = await newInvoices('Batch Haulage', { 'BATCH-1': 100000, 'BATCH-2': 100000, 'BATCH-3': 100000 })
    await openConsole(page, 'member', '/payables?tab=approve&term=BATCH-')
    const list = page.getByRole('table', { name: 'To approve' })
    await becomes(() => list.getByRole('row').count(), 4)
    await list.getByLabel('Select all on this page').check()
    const selected = page.getByRole('region', { name: 'Selected' })
    await selected.getByText('$3,840.00').waitFor()
    // Somebody else changes one of them meanwhile.
    await changeCarrierInvoice(invoices[2]?.id ?? '', { notes: 'Wait for the POD' })
    await selected.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve 3' }).click()
    const dialog = page.getByRole('dialog', { name: 'Approve: 2 of 3 done' })
    await dialog.getByRole('row').filter({ hasText: 'BATCH-3' }).getByText('Not done').waitFor()
    await assertGoodPage(page)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await becomes(() => list.getByRole('row').count(), 2)
    await selected.getByText('1 selected').waitFor()
    const { state, bill_id } = await carrierInvoiceNow(invoices[0]?.id ?? '')
    assert.equal(state, 'billed')
    await page.goto(`${new URL(page.url()).origin}/bills/${bill_id}`)
    await page.getByRole('link', { name: 'BATCH-1' }).click()
    await page.getByRole('heading', { name: 'Carrier invoice BATCH-1' }).waitFor()
    await page
      .getByRole('region', { name: 'Details' })
      .getByRole('link', { name: /^BILL-/ })
      .waitFor()
    await assertGoodPage(page)
  })

  deepTest('what is to be approved is gone through with keys, and what is to be paid is paid from there', async (t) => {
    const page = await visit(t, browser)
    const { carrier } = await newInvoices('Approval Haulage', { 'APPR-1': 100000, 'APPR-2': 100000 })
    await openConsole(page, 'member', '/payables?tab=approve')
    await page.getByRole('table', { name: 'To approve' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('APPR-')
    const list = page.getByRole('table', { name: 'To approve' })
    await becomes(() => list.getByRole('row').count(), 3)
    const [first = '', second = ''] = await list.getByRole('link').allTextContents()
    await page.getByRole('heading', { name: 'Payables inbox' }).click()
    await page.keyboard.press('j')
    await paneOf(page, second).waitFor()
    await page.keyboard.press('k')
    await paneOf(page, first).waitFor()
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog', { name: `Approve ${first}` })
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await paneOf(page, second).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('a')
    await page
      .getByRole('dialog', { name: `Approve ${second}` })
      .getByRole('button', { name: 'Approve' })
      .click()
    await page.getByText('Nothing found').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('e')
    await page
      .getByRole('navigation', { name: 'Inbox' })
      .locator('[aria-current=page]')
      .getByText('Exceptions')
      .waitFor()

    await page.getByRole('link', { name: /^To pay/ }).click()
    await page.getByRole('searchbox').fill('APPR-')
    const payable = page.getByRole('table', { name: 'To pay' })
    await becomes(() => payable.getByRole('row').count(), 3)
    const bill = page.getByRole('region', { name: /^Bill BILL-/ })
    await bill.getByRole('region', { name: 'Lines' }).getByText('$1,000.00').waitFor()
    await bill.getByRole('link', { name: carrier.name }).first().waitFor()
    await assertGoodPage(page)
    await payable.getByLabel('Select all on this page').check()
    const selected = page.getByRole('region', { name: 'Selected' })
    await selected.getByText('2 selected').waitFor()
    await selected.getByText('$2,560.00').waitFor()
    await selected.getByRole('link', { name: 'Record one payment' }).click()
    await page.getByRole('button', { name: 'Record payment' }).click()
    await page.getByRole('heading', { name: /^PAY-/ }).waitFor()
    await page.getByRole('link', { name: 'Inbox', exact: true }).first().click()
    await page.getByRole('link', { name: /^To pay/ }).click()
    await page.getByRole('searchbox').fill('APPR-')
    await page.getByText('Nothing found').waitFor()
  })

  test('a mail that does not say all becomes an invoice that is completed next to its document', async (t) => {
    const page = await visit(t, browser)
    const carrier = await newCarrier('Mailing Haulage')
    await newTrip(carrier.id, 'T-MAIL-77')
    const content = pdfOf('Invoice MAIL-77', ['Mailing Haulage', 'Line haul 1,000.00', 'Fuel surcharge 280.00'])
    const { id } = await mailArrives('billing@mailing.example', 'Papers of last week', 'Please find it attached.', {
      name: 'mail-77.pdf',
      content,
    })
    await openConsole(page, 'member', '/payables?term=Papers')
    await paneOf(page, 'Papers of last week')
      .getByText('does not say beyond doubt what its invoice number and its total is')
      .waitFor()
    assert.equal(await page.getByRole('button', { name: 'Audit' }).count(), 0)
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.getByRole('img', { name: 'mail-77.pdf, page 1 of 1' }).waitFor()
    assert.equal(await page.getByLabel('Invoice number').inputValue(), '')
    await page.getByRole('button', { name: 'Save and audit' }).click()
    await page.getByText('Enter the number of the invoice.').waitFor()
    await assertGoodPage(page)
    await page.getByRole('combobox', { name: 'Carrier' }).fill(carrier.name)
    await page.getByRole('option', { name: carrier.name }).click()
    await page.getByLabel('Invoice number').fill('MAIL-77')
    await page.getByLabel('Load', { exact: true }).fill('T-MAIL-77')
    await page.getByLabel('Type of line 1').fill('Line haul')
    await page.getByLabel('Amount of line 1').fill('1000')
    await page.getByRole('button', { name: 'Add a line' }).click()
    await page.getByLabel('Type of line 2').fill('Fuel surcharge')
    await page.getByLabel('Amount of line 2').fill('280')
    await page.getByRole('button', { name: 'Save and audit' }).click()
    await page.getByRole('heading', { name: 'Carrier invoice MAIL-77' }).waitFor()
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    assert.equal((await carrierInvoiceNow(id)).state, 'matched')
  })

  deepTest('a file becomes an invoice that is entered next to it, matched by a proposal and changed', async (t) => {
    const page = await visit(t, browser)
    const carrier = await newCarrier('Upload Haulage')
    await newTrip(carrier.id, 'UP-TRIP')
    await openConsole(page, 'member', '/payables')
    const buffer = pdfOf('Invoice UP-1', ['Upload Haulage', 'Line haul 1,000.00'])
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'up-1.pdf', mimeType: 'application/pdf', buffer })
    await page.getByRole('heading', { name: 'New carrier invoice' }).waitFor()
    await page.getByRole('img', { name: 'up-1.pdf, page 1 of 1' }).waitFor()
    await page.getByRole('button', { name: 'Save and audit' }).click()
    await page.getByText('Enter the number of the invoice.').waitFor()
    await page.getByRole('combobox', { name: 'Carrier' }).fill(carrier.name)
    await page.getByRole('option', { name: carrier.name }).click()
    await page.getByLabel('Invoice number').fill('UP-1')
    await page.getByLabel('Type of line 1').fill('Line haul')
    await page.getByLabel('Amount of line 1').fill('1000')
    await page.getByRole('button', { name: 'Add a line' }).click()
    await page.getByLabel('Type of line 2').fill('Fuel surcharge')
    await page.getByLabel('Quantity of line 2').fill('400')
    await page.getByLabel('Unit price of line 2').fill('0.70')
    await page.getByText('the sum of the lines, $1,280.00').waitFor()
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Save and audit' }).click()
    await page.getByRole('heading', { name: 'Carrier invoice UP-1' }).waitFor()
    await page
      .getByText('The invoice is matched with no manifest, so there is nothing to hold it against.')
      .first()
      .waitFor()
    await page.getByRole('img', { name: 'up-1.pdf, page 1 of 1' }).waitFor()
    await page.getByText('The amounts are the same.').waitFor()
    await assertGoodPage(page)
    await page.getByRole('button', { name: /^Match with MAN-/ }).click()
    await page.getByRole('button', { name: 'Approve' }).waitFor()

    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Amount of line 1').fill('1100')
    await page.getByRole('button', { name: 'Save and audit' }).click()
    await page.getByText('Line haul is 1,100.00 USD, 100.00 USD over the 1,000.00 USD agreed.').first().waitFor()
    await page.getByRole('button', { name: 'Accept' }).waitFor()
    await page.getByRole('region', { name: 'History' }).getByText('Audited').first().waitFor()
  })

  deepTest('has a page of its own for a record on a phone, and says when something is empty or fails', async (t) => {
    const page = await visit(t, browser, { viewport: { width: 390, height: 800 } })
    await newInvoices('Phone Haulage', { 'PHONE-1': 140000 })
    await openConsole(page, 'member', '/payables?tab=exceptions&term=PHONE-1')
    await page.getByRole('link', { name: 'PHONE-1' }).click()
    await page.getByRole('heading', { name: 'Carrier invoice PHONE-1' }).waitFor()
    await page
      .getByText(/^Line haul is 1,400.00 USD/)
      .first()
      .waitFor()
    await assertGoodPage(page)
    await page.route('**/api/v1/carrier_invoices?*', (route) =>
      route.fulfill({ status: 500, json: { error_code: 'internal', error_message: 'Broken.' } }),
    )
    await page.getByRole('link', { name: '← Inbox' }).click()
    await page.getByRole('link', { name: 'PHONE-1' }).waitFor()
    await page.getByRole('link', { name: /^To approve/ }).click()
    await page.getByText('Could not load the inbox').waitFor()
  })
})

describe('approvals', () => {
  /** Bills of the other organization, in which they are approved: one that anybody may approve, one that two people have to, and one that only Sam may. */
  async function newDesk() {
    const token = await otherToken()
    const made = async <Answer>(method: string, path: string, body: object): Promise<Answer> => {
      const answer = await call<Answer>(token, method, path, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    await made('PUT', '/organization', { approvals: 'on' })
    const [sam, avery] = await Promise.all([
      joinAs(token, 'Sam Ortega', 'approver'),
      joinAs(token, 'Avery Brooks', 'approver'),
    ])
    const bill = async (reference_number: string, unit_price: number, more: object = {}) => {
      const content = { currency_id: 'usd', reference_number, items: [{ unit_price }], ...more }
      const { id } = (await made<{ bill: { id: string } }>('POST', '/bills', content)).bill
      return (await made<{ bill: { id: string; number: string } }>('POST', `/bills/${id}/save`, {})).bill
    }
    return { made, sam, avery, bill }
  }

  deepTest(
    'many bills are approved at once with a result for each; who is away delegates their approvals, and takes it back',
    async (t) => {
      const { made, sam, avery, bill } = await newDesk()
      await made('POST', '/approval_rules', {
        name: 'Two people',
        min_amount: 500_00,
        currency_id: 'usd',
        needed_approvals: 2,
      })
      const { partner_carrier } = await made<{ partner_carrier: { id: string } }>('POST', '/partner_carriers', {
        name: 'Delegated Haulage',
      })
      await made('POST', '/approval_rules', {
        name: 'Sam alone',
        partner_carrier_id: partner_carrier.id,
        approver_user_ids: [sam.id],
      })
      const [small, large] = [await bill('DESK-1', 100_00), await bill('DESK-2', 600_00)]
      const held = await bill('DESK-3', 100_00, { partner_carrier_id: partner_carrier.id })
      const page = await visit(t, browser)
      await openConsole(page, avery, '/payables?tab=approve&term=DESK-')
      const list = page.getByRole('table', { name: 'To approve' })
      await becomes(() => list.getByRole('row').count(), 4)
      await list.getByLabel('Select all on this page').check()
      await page.getByRole('region', { name: 'Selected' }).getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Approve 3' }).click()
      const results = page.getByRole('dialog', { name: 'Approve: 2 of 3 done' })
      await results.getByRole('row').filter({ hasText: small.number }).getByText('Approved').waitFor()
      await results.getByRole('row').filter({ hasText: large.number }).getByText('Waits for another person').waitFor()
      await results.getByRole('row').filter({ hasText: held.number }).getByText('Not done').waitFor()
      await assertGoodPage(page)

      const away = await visit(t, browser)
      await openConsole(away, sam, '/settings/approvals')
      await away.getByRole('region', { name: 'Rules' }).getByText('Two people').waitFor()
      assert.equal(await away.getByRole('button', { name: 'New rule' }).count(), 0)
      await away.getByRole('button', { name: 'Delegate your approvals' }).click()
      const dialog = away.getByRole('dialog', { name: 'Delegate your approvals' })
      await dialog.getByRole('button', { name: 'Delegate', exact: true }).click()
      await dialog.getByText('Choose a person.').waitFor()
      await dialog.getByRole('combobox', { name: 'Given by' }).click()
      await becomes(() => away.getByRole('option', { name: 'Sam Ortega' }).count(), 0)
      await away.getByRole('option', { name: 'Avery Brooks' }).click()
      await dialog.getByLabel('Until the end of').fill('2199-12-31')
      await assertGoodPage(away)
      await dialog.getByRole('button', { name: 'Delegate', exact: true }).click()
      const row = away
        .getByRole('table', { name: 'Delegations' })
        .getByRole('row', { name: /Sam Ortega \(you\).*Avery Brooks/ })
      await row.waitFor()
      await assertGoodPage(away)

      await page.goto(`${new URL(page.url()).origin}/settings/approvals`)
      const given = page
        .getByRole('table', { name: 'Delegations' })
        .getByRole('row', { name: /Sam Ortega.*Avery Brooks \(you\)/ })
      await given.waitFor()
      assert.equal(await given.getByRole('button').count(), 0)
      await page.goto(`${new URL(page.url()).origin}/bills/${held.id}`)
      const approval = page.getByRole('region', { name: 'Approval' })
      await approval.getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
      await approval.getByText(/Approved by Avery Brooks for Sam Ortega/).waitFor()

      await row.getByRole('button', { name: 'End: delegation to Avery Brooks' }).click()
      await away.getByRole('dialog').getByRole('button', { name: 'End' }).click()
      await away.getByText('Nobody approves in the place of somebody else.').waitFor()
    },
  )
})

describe('audit policies', () => {
  deepTest('are made, changed and deleted, with a preview of what they would have done', async (t) => {
    const page = await visit(t, browser)
    const { carrier } = await newInvoices('Policy Haulage', {
      'POLICY-1': 100000,
      'POLICY-2': 104000,
      'POLICY-3': 120000,
    })
    await openConsole(page, 'admin', '/settings/audit-policies')
    await page.getByRole('button', { name: 'New policy' }).click()
    const dialog = page.getByRole('dialog', { name: 'New audit policy' })
    await dialog.getByRole('combobox', { name: 'Carrier' }).fill(carrier.name)
    await page.getByRole('option', { name: carrier.name }).click()
    await dialog.getByLabel('Most over, percent').fill('many')
    await dialog.getByRole('button', { name: 'Create policy' }).click()
    await dialog.getByText('Enter a percent like 2.5.').waitFor()
    await dialog.getByLabel('Most over, percent').fill('5')
    const preview = dialog.getByRole('table', { name: 'Preview' })
    /** How many more it would have approved than there are now. */
    const more = async () => {
      const cells = await preview
        .getByRole('row')
        .filter({ hasText: 'Approved automatically' })
        .getByRole('cell')
        .locator('b')
        .allTextContents()
      const [now, tried] = cells.map(Number)
      return now === undefined || tried === undefined ? null : tried - now
    }
    await becomes(more, 0)
    await dialog.getByLabel('Approve invoices without findings automatically').check()
    // Two of the three are inside of this tolerance.
    await becomes(more, 2)
    await dialog.getByLabel('Most over, percent').fill('1')
    await becomes(more, 1)
    await assertGoodPage(page)
    await dialog.getByRole('button', { name: 'Create policy' }).click()
    const row = page.getByRole('table', { name: 'Audit policies' }).getByRole('row').filter({ hasText: carrier.name })
    await row.getByText('1 %').waitFor()
    await row.getByRole('button', { name: `Edit: ${carrier.name}` }).click()
    await page.getByLabel('Most over, amount').fill('25')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await row.getByText('1 % and 25.00').waitFor()
    await assertGoodPage(page)
    await row.getByRole('button', { name: `Delete: ${carrier.name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
  })
})
