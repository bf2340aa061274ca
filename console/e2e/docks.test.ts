import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { dockTimeOf, typedTimeIn } from '../src/app/values/dates.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { openConsole } from './console.ts'
import { newCarrier } from './payables.ts'
import { adminToken, call, newEmail, product } from './product.ts'

const browser = await openBrowser()

// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
type Json = Record<string, any>

async function make(path: string, body: object): Promise<Json> {
  const answer = await call<Record<string, Json>>(await adminToken(), 'POST', path, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return Object.values(answer.body)[0] as Json
}

/** Whoever looks is far from the docks. */
const abroad = { viewport: { width: 1440, height: 1000 }, timezoneId: 'Europe/Berlin' }

async function newOrder(deliver_by: string): Promise<Json> {
  const customer = await make('/customers', { name: 'Valley Farms' })
  return make('/orders', {
    ...{ customer_id: customer.id, equipment_type: 'reefer', weight: 18400, weight_unit: 'kg' },
    pickup: {
      company_name: 'Valley Packing',
      address_1: '9 Fig Street',
      city: 'Fresno',
      state: 'CA',
      country: 'US',
      latitude: 36.74,
      longitude: -119.79,
    },
    ...{ pickup_at: '2027-01-11T16:00:00Z', pickup_by: '2027-01-11T20:00:00Z' },
    delivery: {
      company_name: 'Great Lakes Foods',
      city: 'Toledo',
      state: 'OH',
      country: 'US',
      latitude: 41.65,
      longitude: -83.54,
    },
    deliver_by,
  })
}

describe('times at the dock', () => {
  test('what is planned says by the clocks of the docks when it is where, and what cannot work, on the board and in the drawer', async (t) => {
    const order = await newOrder('2027-01-12T15:00:00Z')
    const page = await visit(t, browser, abroad)
    await openConsole(page, 'member', '/dispatch')
    const orders = page.getByRole('region', { name: 'Orders to plan' })
    await orders.getByRole('searchbox', { name: 'Search orders' }).fill(order.full_id)
    const card = orders.getByRole('article', { name: order.full_id })
    await card.getByText('Jan 11, 08:00 PST').waitFor()
    assert.equal(await card.getByText('Jan 11, 08:00 PST').getAttribute('title'), 'Your time: Jan 11, 2027, 5:00 PM')
    await orders.getByRole('checkbox', { name: order.full_id }).check()
    await orders.getByRole('button', { name: 'New manifest' }).click()
    const drawer = page.getByRole('dialog')
    const stops = drawer.getByRole('region', { name: 'Stops' })
    await stops.getByText('Jan 11, 08:00 to 12:00 PST').waitFor()
    await stops.getByText('until Jan 12, 10:00 EST').waitFor()
    await stops.getByText(/Stop 2, Toledo, OH: 2,\d{3} miles .* take \d\d h/).waitFor()
    await page.getByText(/cannot work as planned/).waitFor()
    await assertGoodPage(page)
    const full_id = ((await drawer.getByRole('heading', { level: 2 }).first().textContent()) ?? '').split(
      ' ',
    )[0] as string
    await drawer.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('article', { name: full_id, exact: true }).getByText('Not enough time').waitFor()
  })

  test('a time of a stop is typed by the clock of its place, which comes from the address', async (t) => {
    const manifest = await make('/manifests', { reference_number: 'DOCK-1' })
    const page = await visit(t, browser, abroad)
    await openConsole(page, 'member', `/objects/manifest/${manifest.id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Add to stops' }).click()
    const stop = page.getByRole('group', { name: 'Stops 1', exact: true })
    await stop.getByRole('textbox', { name: 'State or province' }).fill('AZ')
    await stop.getByText('By the clock in MST.').first().waitFor()
    await stop.getByLabel('Window from').fill('2027-01-11T08:00')
    await stop.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Pickup' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('from Jan 11, 08:00 MST').waitFor()
    const { body } = await call<Json>(await adminToken(), 'GET', `/manifests/${manifest.id}`)
    assert.deepEqual(
      [body.manifest.stops[0].window_start, body.manifest.stops[0].time_zone],
      ['2027-01-11T15:00:00.000Z', 'America/Phoenix'],
    )
    await assertGoodPage(page)
  })

  test('the times of a manifest and of an order are shown and typed by the clocks of the first and the last stop, or of the organization', async (t) => {
    const stop = (kind: string, state: string) => ({ kind, address: { city: 'Somewhere', state, country: 'US' } })
    const manifest = await make('/manifests', {
      stops: [stop('pickup', 'AZ'), stop('delivery', 'OH')],
      start_at: '2027-01-11T15:00:00Z',
      end_at: '2027-07-12T15:00:00Z',
    })
    const page = await visit(t, browser, abroad)
    await openConsole(page, 'member', `/objects/manifest/${manifest.id}`)
    const details = page.getByRole('region', { name: 'Details' })
    await details.getByText('Jan 11, 2027, 08:00 MST').waitFor()
    await details.getByText('Jul 12, 2027, 11:00 EDT').waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await becomes(() => details.getByLabel('Starts').inputValue(), '2027-01-11T08:00')
    await details.getByText('By the clock in EDT.').waitFor()
    await details.getByLabel('Starts').fill('2027-01-11T09:30')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await details.getByText('Jan 11, 2027, 09:30 MST').waitFor()
    await page
      .getByRole('region', { name: 'History' })
      .getByText('Jan 11, 2027, 08:00 MST → Jan 11, 2027, 09:30 MST')
      .waitFor()
    const { body } = await call<Json>(await adminToken(), 'GET', `/manifests/${manifest.id}`)
    assert.equal(body.manifest.start_at, '2027-01-11T16:30:00.000Z')
    await assertGoodPage(page)

    const order = await newOrder('2027-01-12T15:00:00Z')
    const { organization } = (await call<Json>(await adminToken(), 'GET', '/organization')).body
    const home = dockTimeOf('2027-01-11T16:00:00Z', organization.time_zone, { locale: 'en-US', withYear: true })
    await openConsole(page, 'member', `/objects/order/${order.id}`)
    await details.getByText(home).waitFor()

    // A list has one time zone, and so has its file for people.
    await openConsole(page, 'member', `/objects/order?q=${order.full_id}&columns=pickupAt`)
    await page.getByRole('table', { name: 'Orders' }).getByText(home).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const head = `Pickup from (${organization.time_zone.replaceAll('_', ' ')})`
    const typed = typedTimeIn('2027-01-11T16:00:00Z', organization.time_zone).replace('T', ' ')
    // A search for the order's number also finds orders with a postal code that begins with it.
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
    assert.equal(lines[0], `\uFEFFId,${head}`)
    assert.ok(lines.includes(`${order.full_id},${typed}:00`), lines.join('\n'))
  })

  test('an offer shows the freight to both sides, though nobody entered a start or an end', async (t) => {
    const order = await newOrder('2027-01-16T15:00:00Z')
    const manifest = await make('/manifests', { order_ids: [order.id], currency_id: 'usd' })
    const carrier = await newCarrier('Dockside Lines')
    await make('/partner_portal/tenders', { manifest_id: manifest.id, partner_carrier_id: carrier.id, rate: 410000 })
    const page = await visit(t, browser, abroad)
    await openConsole(page, 'member', `/objects/manifest/${manifest.id}`)
    const freight = page.getByRole('region', { name: 'Tenders' }).getByRole('group', { name: 'Freight' })
    const said = [
      'Fresno, CA → Toledo, OH',
      'Pick up Jan 11, 08:00 to 12:00 PST',
      'Deliver until Jan 16, 10:00 EST',
      /^about 2,\d{3} miles .* · Reefer · 18,400 kg$/,
    ]
    for (const words of said) await freight.getByText(words).waitFor()
    await assertGoodPage(page)

    const email = newEmail()
    const { body } = await call<Json>(await adminToken(), 'POST', '/partner_portal/invitations', {
      email,
      name: 'Lee Park',
      partner_carrier_id: carrier.id,
    })
    const password = 'correct horse battery'
    assert.ok((await fetch(body.invitation_url, { method: 'POST', body: new URLSearchParams({ password }) })).ok)
    const portal = await visit(t, browser, { viewport: { width: 360, height: 740 }, timezoneId: 'Europe/Berlin' })
    await portal.goto(`${product().url}/portal`)
    await portal.getByLabel('E-mail').fill(email)
    await portal.getByLabel('Password').fill(password)
    await portal.getByRole('button', { name: 'Sign in' }).click()
    await portal.getByRole('heading', { name: 'Fresno, CA → Toledo, OH' }).waitFor()
    for (const words of [
      'Fresno, CA, Jan 11, 08:00 to 12:00 PST',
      'Toledo, OH, until Jan 16, 10:00 EST',
      /^about 2,\d{3} miles/,
      'Reefer',
      '18,400 kg',
    ])
      await portal.getByText(words, { exact: true }).waitFor()
    assert.equal(await portal.getByText('9 Fig Street').count(), 0)
    await assertGoodPage(portal)
    await portal.getByRole('button', { name: /^Accept / }).click()
    await portal
      .getByRole('region', { name: 'Your loads' })
      .getByText(/ · Jan 11, 2027, 08:00 PST$/)
      .waitFor()
  })
})
