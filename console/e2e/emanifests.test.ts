import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import { complete, decisionOn, fromCustoms, shipment } from '../../server/test/customs.ts'
import { deepTest } from '../../server/test/depth.ts'
import { assertGoodPage, openBrowser, visit } from './browser.ts'
import { openConsole } from './console.ts'
import { adminToken, call, product } from './product.ts'

const browser = await openBrowser()

type Made = { id: string; full_id: string; stops: { id: string }[] }

/** A manifest that crosses into the United States. */
async function newManifest(reference_number: string): Promise<Made> {
  const stops = [
    { kind: 'pickup', address: { city: 'Toronto', country: 'CA' } },
    { kind: 'border', address: { city: 'Blaine' } },
    { kind: 'delivery', address: { city: 'Seattle', country: 'US' } },
  ]
  const { status, body } = await call<{ manifest: Made }>(await adminToken(), 'POST', '/manifests', {
    reference_number,
    stops,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.manifest
}

async function fromBorder(text: string): Promise<void> {
  const headers = { authorization: `Bearer ${await adminToken()}`, 'content-type': 'application/edi-x12' }
  const answer = await fetch(`${product().url}/api/v1/emanifests/acknowledgements`, {
    method: 'POST',
    headers,
    body: text,
  })
  assert.equal(answer.status, 200, await answer.text())
}

describe('e-manifests in the console', () => {
  test('one is made from a manifest, what is missing is marked and entered, and it is submitted, accepted, amended and cancelled', async (t) => {
    const number = String(randomInt(100_000, 999_999))
    const trip = `CSCD${number}`
    const manifest = await newManifest(`BORDER-${number}`)
    const page = await visit(t, browser)
    await openConsole(page, 'member', '/emanifests')
    await page.getByRole('table', { name: 'E-manifests' }).waitFor()
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'New e-manifest' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Manifest' }).fill(`BORDER-${number}`)
    await page.getByRole('option', { name: new RegExp(`BORDER-${number}`) }).click()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: `E-manifest of ${manifest.full_id}` }).waitFor()
    await page.getByText('7 things are missing').waitFor()
    await page.getByRole('region', { name: 'Driver' }).getByText('The driver is missing.').waitFor()
    await page.getByRole('region', { name: 'Shipments' }).getByText('There is no shipment.').waitFor()
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Validate' }).click()
    await page.getByText('7 missing. See the marked places.').waitFor()

    const id = new URL(page.url()).pathname.split('/').at(-1)
    const rest = complete(trip, {
      port: null,
      shipments: [shipment('X', { control_number: null, loading_port: null })],
    })
    assert.equal((await call(await adminToken(), 'PUT', `/emanifests/${id}`, rest)).status, 200)
    await page.reload()
    await page.getByText('3 things are missing').waitFor()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByRole('heading', { name: `Edit ${trip}` }).waitFor()
    await page.getByText(/^Where it crosses is missing/).waitFor()
    await page.getByText(/^The control number of the shipment is missing/).waitFor()
    await assertGoodPage(page)
    await page.getByLabel('Port').fill('30x4')
    await page.getByLabel('Control number, shipment 1').fill('cscd0099321')
    await page.getByText(/^Where the shipment was loaded is missing: the 5 digits/).waitFor()
    await page.getByLabel('Loaded at, shipment 1').fill('12345')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('"port" must be a code of 3 or 4 digits', { exact: false }).waitFor()
    await page.getByLabel('Port').fill('3004')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { level: 1, name: trip }).waitFor()
    await page.getByText('CSCD0099321').first().waitFor()
    await page.getByRole('button', { name: 'Validate' }).click()
    await page.getByRole('button', { name: 'Submit', exact: true }).click()
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('table', { name: 'Filed with customs' }).getByText('Waiting').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download \d{9}$/ }).click(),
    ])
    assert.match(download.suggestedFilename(), /^\d{9}\.309$/)
    await assertGoodPage(page)

    await fromBorder(fromCustoms([decisionOn(trip)], { control: number.padStart(9, '1') }))
    await page.getByText('Accepted', { exact: true }).first().waitFor()
    await page.getByRole('region', { name: 'History' }).getByText('Accepted').first().waitFor()
    await page.getByRole('button', { name: 'Amend' }).click()
    await page.getByRole('heading', { name: `Edit ${trip}` }).waitFor()
    assert.equal(await page.getByLabel('Trip number').count(), 0)
    await page.getByLabel('Port').fill('0901')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Customs has an accepted version.').waitFor()
    await page.getByRole('button', { name: 'Cancel e-manifest' }).click()
    await dialog.getByText(/^Customs is asked to cancel it/).waitFor()
    await assertGoodPage(page)
    await dialog.getByRole('button', { name: 'Cancel e-manifest' }).click()
    await page.getByText('Customs was asked to cancel it.').waitFor()
  })

  deepTest('a border that is crossed without an accepted one is flagged on the page of the manifest', async (t) => {
    const manifest = await newManifest(`FLAG-${randomInt(100_000, 999_999)}`)
    const page = await visit(t, browser)
    await openConsole(page, 'member', `/objects/manifest/${manifest.id}`)
    await page.getByText('Stop 2, into the United States (ACE): there is no e-manifest yet.').waitFor()
    await page.getByRole('button', { name: 'Departed, stop 2' }).click()
    const asked = page.getByRole('dialog', { name: 'Departed from stop 2?' })
    await asked.getByText('1. Pickup').waitFor()
    await asked.getByRole('button', { name: 'Report it anyway' }).click()
    await page.getByText('Stop 2, into the United States (ACE): crossed without an accepted e-manifest').waitFor()
    await assertGoodPage(page)
  })
})
