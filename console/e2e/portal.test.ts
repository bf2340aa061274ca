import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deepTest } from '../../server/test/depth.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { anyone, openConsole } from './console.ts'
import { newCarrier } from './payables.ts'
import { adminToken, call, newEmail, newSession, type Person, product } from './product.ts'

const browser = await openBrowser()
const phone = { width: 360, height: 740 }
const file = { name: 'pod.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') }

async function make(path: string, body: object): Promise<string> {
  const answer = await call<Record<string, { id: string }>>(await adminToken(), 'POST', path, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return (Object.values(answer.body)[0] as { id: string }).id
}

/** Somebody of a carrier who has accepted the invitation. */
async function newPartner(partner_carrier_id: string): Promise<Person> {
  const person = { email: newEmail(), name: 'Lee Park', password: 'correct horse battery' }
  const { name, email, password } = person
  const { body } = await call<{ invitation_url: string }>(await adminToken(), 'POST', '/partner_portal/invitations', {
    email,
    name,
    partner_carrier_id,
  })
  const joined = await fetch(body.invitation_url, { method: 'POST', body: new URLSearchParams({ password }) })
  assert.ok(joined.ok)
  return person
}

const newManifest = (more: object = {}) =>
  make('/manifests', {
    currency_id: 'usd',
    status: 'dispatched',
    stops: [
      {
        kind: 'pickup',
        address: { company_name: 'Acme Foods', address_1: '1 Dock Road', city: 'Oakland', state: 'CA' },
      },
      {
        kind: 'delivery',
        address: { company_name: 'Corner Store', address_1: '2 Mill Lane', city: 'Seattle', state: 'WA' },
      },
    ],
    ...more,
  })

async function newBill(partner_carrier_id: string): Promise<string> {
  const items = [{ unit_price: 185000, description: 'Line haul' }]
  const id = await make('/bills', {
    partner_carrier_id,
    currency_id: 'usd',
    bill_date: '2026-11-01',
    due_date: '2099-12-01',
    items,
  })
  await call(await adminToken(), 'POST', `/bills/${id}/save`)
  return id
}

describe('the partner portal on a phone', () => {
  test('a carrier takes an offer, reports stops, sends a paper and an invoice, and asks about a bill, which a clerk answers', async (t) => {
    const carrier = await newCarrier('Summit Haulers')
    const person = await newPartner(carrier.id)
    await make('/partner_portal/tenders', {
      manifest_id: await newManifest(),
      partner_carrier_id: carrier.id,
      rate: 185000,
      message: 'Reefer at 2 °C',
    })
    const bill = await newBill(carrier.id)
    const page = await visit(t, browser, { viewport: phone })
    await page.goto(`${product().url}/portal`)
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Loads' }).waitFor()
    await page.getByText('Reefer at 2 °C').waitFor()
    assert.equal(await page.getByText('1 Dock Road').count(), 0)
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Ask for another rate' }).click()
    await page.getByLabel('Your rate in USD').fill('x')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText(/Enter an amount like/).waitFor()
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: /^Accept / }).click()
    await page
      .getByRole('region', { name: 'Your loads' })
      .getByRole('link', { name: /Oakland, CA → Seattle, WA/ })
      .click()
    await page.getByRole('heading', { name: /Pickup: Acme Foods, 1 Dock Road/ }).waitFor()
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'I have arrived' }).first().click()
    await page.getByRole('button', { name: 'I am leaving' }).click()
    await page.getByText('In transit').waitFor()
    await page.getByLabel('Take a photo').setInputFiles(file)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('list', { name: 'Sent documents' }).getByRole('button', { name: 'pod.pdf' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'pod.pdf')
    await assertGoodPage(page)

    await page.getByRole('link', { name: 'Invoice', exact: true }).click()
    await page.getByLabel('Invoice number').fill('INV-77')
    await page.getByLabel('Amount').fill('1850.00')
    await page.getByLabel('Take a photo or choose a file').setInputFiles(file)
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Send the invoice' }).click()
    await page.getByText('The invoice INV-77 was sent.').waitFor()

    await page.getByRole('link', { name: 'Bills', exact: true }).click()
    await page.getByText('INV-77').waitFor()
    await assertGoodPage(page)
    await page.getByRole('link', { name: /\$1,850\.00/ }).click()
    await page.getByText(/^Expected /).waitFor()
    await page.getByLabel('Your question').fill('Where is the detention?')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Lee Park, ').waitFor()
    await assertGoodPage(page)

    const clerk = await visit(t, browser)
    await openConsole(clerk, 'member', `/bills/${bill}`)
    const questions = clerk.getByRole('region', { name: 'Questions of the carrier' })
    await questions.getByText('Where is the detention?').waitFor()
    await questions.getByRole('textbox', { name: 'Answer' }).fill('It comes with the next bill.')
    await questions.getByRole('button', { name: 'Answer', exact: true }).click()
    await questions.getByText('Answered', { exact: true }).waitFor()
    await assertGoodPage(clerk)
    await page.reload()
    await page.getByText('It comes with the next bill.').waitFor()
  })

  test('a driver reports the next stop with one tap, is asked before another is, and takes a report back', async (t) => {
    const carrier = await newCarrier('Ordered Lines')
    const manifest = await newManifest({ partner_carrier_id: carrier.id })
    const { body } = await call<{ url: string }>(await adminToken(), 'POST', '/partner_portal/links', {
      manifest_id: manifest,
      expires_in: 3600,
    })
    const statusNow = async () =>
      (await call<{ manifest: { status: string } }>(await adminToken(), 'GET', `/manifests/${manifest}`)).body.manifest
        .status
    const page = await visit(t, browser, { viewport: phone })
    await page.goto(body.url)
    const stops = page
      .getByRole('list')
      .filter({ has: page.getByRole('heading', { name: /^Pickup/ }) })
      .getByRole('listitem')
    const [pickup, delivery] = [
      stops.filter({ hasText: 'Acme Foods' }).first(),
      stops.filter({ hasText: 'Corner Store' }).first(),
    ]
    await delivery.getByRole('button', { name: 'I have arrived' }).click()
    await delivery.getByText('1. Pickup, Oakland, CA').waitFor()
    await assertGoodPage(page)
    assert.equal(await page.getByRole('button', { name: 'I am leaving' }).count(), 0)
    await delivery.getByRole('button', { name: 'Go back' }).click()
    assert.equal(await statusNow(), 'dispatched')
    assert.equal(await page.locator('.stops button.main').count(), 1)
    await pickup.getByRole('button', { name: 'I have arrived' }).click()
    await pickup.getByRole('button', { name: 'I am leaving' }).click()
    await pickup.getByRole('button', { name: /^Undo the departure \(until .* P[SD]T\)$/ }).waitFor()
    assert.equal(await statusNow(), 'in_transit')
    await assertGoodPage(page)
    await pickup.getByRole('button', { name: /^Undo the departure/ }).click()
    await pickup.getByRole('button', { name: 'I am leaving' }).waitFor()
    await becomes(statusNow, 'dispatched')
    await delivery.getByRole('button', { name: 'I have arrived' }).click()
    await delivery.getByRole('button', { name: /although it is not the next$/ }).click()
    await delivery.getByRole('button', { name: /^Undo the arrival/ }).waitFor()
  })

  deepTest(
    'a link made on the page of a manifest shows it without an account, has no secret in the address, and ends when it is revoked',
    async (t) => {
      const carrier = await newCarrier('Delta Lines')
      const manifest = await newManifest({ partner_carrier_id: carrier.id })
      const clerk = await visit(t, browser)
      await openConsole(clerk, 'member', `/objects/manifest/${manifest}`)
      await clerk.getByRole('button', { name: 'Share link' }).click()
      const dialog = clerk.getByRole('dialog')
      await assertGoodPage(clerk)
      await dialog.getByRole('button', { name: 'Make the link' }).click()
      const url = (await dialog.locator('code').textContent()) as string
      assert.match(url, /\/portal\/link#\S{60,}$/)
      await dialog.getByRole('button', { name: 'Done' }).click()

      const page = await visit(t, browser, { viewport: phone })
      await page.goto(url)
      await page.getByRole('button', { name: 'I have arrived' }).first().click()
      await page.getByRole('button', { name: 'I am leaving' }).waitFor()
      assert.equal(new URL(page.url()).hash, '')
      await assertGoodPage(page)
      await page.reload()
      await page.getByRole('heading', { level: 1, name: 'Oakland, CA → Seattle, WA' }).waitFor()

      await clerk.goto(`${product().url}/settings/partner-portal`)
      const row = clerk.getByRole('region', { name: 'Signed links' }).getByRole('row').filter({ hasText: carrier.name })
      await row.getByRole('button', { name: 'Revoke' }).click()
      await assertGoodPage(clerk)
      await clerk.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await row.waitFor({ state: 'detached' })
      await page.reload()
      await page.getByRole('heading', { name: 'This link cannot be opened' }).waitFor()
      await page.getByText('This link was revoked.').waitFor()
      await assertGoodPage(page)
    },
  )

  deepTest('a manifest is offered in the console, the carrier asks for more, and gets it', async (t) => {
    const carrier = await newCarrier('Pioneer Transport')
    const manifest = await newManifest()
    const clerk = await visit(t, browser)
    await openConsole(clerk, 'member', `/objects/manifest/${manifest}`)
    const tenders = clerk.getByRole('region', { name: 'Tenders' })
    // Once, a click before the panel was complete opened no dialog.
    await tenders.getByText('It was not offered to anybody.').waitFor()
    await tenders.getByRole('button', { name: 'Offer to a carrier' }).click()
    const dialog = clerk.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Carrier' }).fill(carrier.name)
    await clerk.getByRole('option', { name: carrier.name }).first().click()
    await dialog.getByLabel('Rate in USD').fill('1500')
    await assertGoodPage(clerk)
    await dialog.getByRole('button', { name: 'Offer', exact: true }).click()
    await tenders.getByText('Waits for the carrier').waitFor()

    const page = await visit(t, browser, { viewport: phone })
    await page.context().addCookies(await newSession(await newPartner(carrier.id)))
    await page.goto(`${product().url}/portal`)
    await page.getByRole('button', { name: 'Ask for another rate' }).click()
    await page.getByLabel('Your rate in USD').fill('1700')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Waiting for their answer').waitFor()
    await clerk.reload()
    await tenders.getByRole('button', { name: 'Accept' }).click()
    const deciding = clerk.getByRole('dialog', { name: 'Accept what the carrier asks for' })
    await deciding.getByText('$1,700.00').waitFor()
    await assertGoodPage(clerk)
    await deciding.getByRole('button', { name: 'Accept' }).click()
    await deciding.getByText('Enter a reason.').waitFor()
    await deciding.getByLabel('Reason').fill('Nobody else has a truck')
    await deciding.getByRole('button', { name: 'Accept' }).click()
    await tenders.getByText('Accepted', { exact: true }).waitFor()
    await deciding.waitFor({ state: 'detached' })
    await assertGoodPage(clerk)
    await page.reload()
    await page.getByRole('region', { name: 'Your loads' }).getByRole('link').waitFor()
    await tenders.getByRole('button', { name: 'Cancel' }).click()
    const cancelling = clerk.getByRole('dialog', { name: 'Cancel the tender' })
    await cancelling.getByText('has accepted this load').waitFor()
    await cancelling.getByRole('button', { name: 'Cancel the tender' }).click()
    await cancelling.getByText('Enter a reason.').waitFor()
    await cancelling.getByLabel('Reason').fill('The shipper moved it')
    await cancelling.getByRole('button', { name: 'Cancel the tender' }).click()
    await tenders.getByText('Cancelled', { exact: true }).waitFor()
    await tenders.getByRole('button', { name: 'History' }).click()
    const history = clerk.getByRole('dialog', { name: 'History of the tender' })
    for (const reason of ['The shipper moved it', 'Nobody else has a truck']) await history.getByText(reason).waitFor()
    await assertGoodPage(clerk)
  })

  deepTest('is for carriers: they are led there from the console, and others are told so', async (t) => {
    const person = await newPartner((await newCarrier('Harbor Freight')).id)
    const page = await visit(t, browser, { viewport: phone })
    await openConsole(page, person, '/bills')
    await page.getByRole('heading', { level: 1, name: 'Loads' }).waitFor()
    await becomes(async () => new URL(page.url()).pathname, '/portal')
    const other = await visit(t, browser, { viewport: phone })
    await openConsole(other, await anyone('member'), '/portal')
    await other.getByRole('heading', { name: 'This page is for carriers' }).waitFor()
    await assertGoodPage(other)
    await other.goto(`${product().url}/portal/link#nothing`)
    await other.getByText('There is no such link.').waitFor()
  })
})
