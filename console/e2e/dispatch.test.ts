import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { deepTest } from '../../server/test/depth.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { openConsole } from './console.ts'
import { adminToken, call } from './product.ts'

const browser = await openBrowser()

// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
type Json = Record<string, any>

async function make(path: string, body: Json): Promise<Json> {
  const { status, body: made } = await call<Json>(await adminToken(), 'POST', path, body)
  assert.ok(status === 200 || status === 201, `${path}: ${status} ${JSON.stringify(made)}`)
  return Object.values(made)[0] as Json
}

/** A word that nothing else in the organization contains, so that no test finds the records of another. */
function newWord(): string {
  return `Q${randomBytes(4).toString('hex')}`
}

const hour = 3_600_000
const at = (hours: number) => new Date(Date.now() + hours * hour).toISOString()

/** A customer, and a way to make orders from Oakland to Seattle, which are picked up in so many hours. */
async function shipper(word: string) {
  const customer = await make('/customers', { name: `${word} Foods` })
  const place = (city: string, latitude: number) => ({
    company_name: `${word} ${city}`,
    city,
    latitude,
    longitude: -122.3,
  })
  const order = (hours: number, until = hours + 20) =>
    make('/orders', {
      ...{ customer_id: customer.id, pickup: place('Oakland', 37.8), pickup_at: at(hours), pickup_by: at(hours + 2) },
      ...{
        delivery: place('Seattle', 47.6),
        deliver_at: at(until - 2),
        deliver_by: at(until),
        commodity: 'Peas',
        weight: 4000,
        weight_unit: 'kg',
      },
    })
  return { customer, order }
}

describe('dispatch in the console', () => {
  test('orders are chosen and planned, stops are put in order, a driver is assigned, and the manifest is moved by its menu and by dragging', async (t) => {
    const word = newWord()
    const { order } = await shipper(word)
    const [one, two] = [await order(4), await order(5)]
    const page = await visit(t, browser, { viewport: { width: 1440, height: 900 } })
    await openConsole(page, 'member', `/dispatch?q=${word}`)
    const orders = page.getByRole('region', { name: 'Orders to plan' })
    await orders.getByRole('searchbox', { name: 'Search orders' }).fill(word)
    await orders.getByRole('checkbox', { name: one.full_id }).check()
    await orders.getByRole('button', { name: 'New manifest' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Move to dispatched' }).waitFor()
    await drawer.getByRole('textbox', { name: 'Driver', exact: true }).fill(`${word} Ortiz`)
    await drawer.getByRole('button', { name: 'Close' }).click()
    await page
      .getByRole('dialog', { name: 'Discard what you typed?' })
      .getByRole('button', { name: 'Keep editing' })
      .click()
    await drawer.getByRole('button', { name: 'Assign' }).click()
    await page.getByText(/was assigned\.$/).waitFor()
    await drawer.getByRole('button', { name: 'Close' }).click()

    await orders.getByRole('checkbox', { name: two.full_id }).check()
    await orders.getByRole('combobox', { name: 'Add to manifest' }).click()
    await page.getByRole('option').first().click()
    await orders.getByText('No order matches.').waitFor()
    await page.getByRole('region', { name: 'Planned' }).getByRole('button', { name: /^MAN-/ }).click()
    await drawer.getByText(`4. Delivery, ${word} Seattle`).waitFor()
    const lines = drawer.getByRole('region', { name: 'Stops' }).getByRole('listitem')
    await drawer.getByRole('button', { name: 'Move stop 1 down' }).click()
    await becomes(async () => (await lines.nth(0).textContent())?.includes('1. Pickup'), true)
    // The delivery of an order cannot come before its pickup.
    await drawer.getByRole('button', { name: 'Move stop 3 up' }).click()
    await becomes(
      async () =>
        (await lines.nth(1).textContent())?.includes('Delivery') || (await drawer.getByRole('alert').count()) > 0,
      true,
    )
    await assertGoodPage(page)
    const manifest = /MAN-\d+/.exec((await drawer.getByRole('heading').first().textContent()) ?? '')?.[0] as string
    const pdf = page.waitForEvent('download')
    await drawer.getByRole('button', { name: 'Rate confirmation' }).click()
    assert.match((await pdf).suggestedFilename(), /\.pdf$/)
    await drawer.getByRole('button', { name: 'Close' }).click()

    const card = page.getByRole('article', { name: manifest })
    // In view by itself: scrolling in between would end the drag.
    const heading = { x: 60, y: 14 }
    const column = (name: string) => page.getByRole('region', { name, exact: true })
    await card.getByRole('button', { name: `Move ${manifest}` }).click()
    await page.getByRole('menuitem', { name: 'Move to dispatched' }).click()
    // While it is under way it has no menu, and cannot be dragged.
    await column('Dispatched')
      .getByRole('button', { name: `Move ${manifest}` })
      .waitFor()
    await card.dragTo(column('In transit'), { targetPosition: heading })
    await page
      .getByRole('dialog', { name: `Move ${manifest} to in transit` })
      .getByRole('button', { name: 'Report departure' })
      .click()
    await column('In transit')
      .getByRole('button', { name: `Move ${manifest}` })
      .waitFor()
    // Its pickup is the first now.
    await page.getByText(`${two.full_id} is in transit.`).waitFor()
    await card.getByRole('button', { name: `Move ${manifest}` }).click()
    await page.getByRole('menuitem', { name: 'Move to completed' }).click()
    const completing = page.getByRole('dialog', { name: `Move ${manifest} to completed` })
    await completing.getByText('Stops before it were not departed from:').waitFor()
    // Of the four stops, what is between the first and the last.
    await becomes(
      () =>
        completing
          .getByRole('listitem')
          .allTextContents()
          .then((lines) => lines.map((line) => line.slice(0, 2))),
      ['2.', '3.'],
    )
    await assertGoodPage(page)
    await completing.getByRole('button', { name: 'Cancel' }).click()
    // It does not go back: the server says why, and the card stays where it was.
    await card.dragTo(column('Planned'), { targetPosition: heading })
    await page.getByText(`${manifest} was not moved`).waitFor()
    await column('In transit').getByRole('article', { name: manifest }).waitFor()
    await assertGoodPage(page)
  })

  deepTest(
    'a driver who is on another manifest at that time is refused, and the other manifest is named',
    async (t) => {
      const word = newWord()
      const { order } = await shipper(word)
      const driver_name = `${word} Ortiz`
      const first = await make('/dispatch/manifests', { order_ids: [(await order(40)).id], driver_name })
      const second = await make('/dispatch/manifests', { order_ids: [(await order(41)).id] })
      const page = await visit(t, browser)
      await openConsole(page, 'member', `/dispatch?q=${word}&open=${second.id}`)
      const drawer = page.getByRole('dialog')
      await drawer.getByRole('textbox', { name: 'Driver', exact: true }).fill(driver_name)
      await drawer.getByRole('button', { name: 'Assign' }).click()
      await drawer.getByText(`The driver is taken by ${first.full_id}`).waitFor()
      await assertGoodPage(page)
    },
  )

  deepTest('what others do is shown at once; a filter is kept in the address and in a board', async (t) => {
    const word = newWord()
    const { order } = await shipper(word)
    const carrier = await make('/partner_carriers', { name: `${word} Carriers` })
    const page = await visit(t, browser, { viewport: { width: 1440, height: 900 } })
    await openConsole(page, 'member', `/dispatch?carrier=${carrier.id}`)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Manifests by state' }).waitFor()
    const planned = page.getByRole('region', { name: 'Planned', exact: true })
    assert.equal(await planned.getByRole('article').count(), 0)
    const made = await make('/dispatch/manifests', { order_ids: [(await order(4)).id], partner_carrier_id: carrier.id })
    await planned.getByRole('article', { name: made.full_id }).waitFor()
    await page.getByRole('button', { name: 'Boards' }).click()
    await page.getByRole('menuitem', { name: 'Save as board …' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(`${word} board`)
    await page.getByRole('button', { name: 'Save board' }).click()
    await page.getByRole('button', { name: `${word} board` }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await becomes(async () => new URL(page.url()).search, '')
    await page.getByRole('button', { name: 'Boards' }).click()
    await page.getByRole('menuitem', { name: `${word} board` }).click()
    await becomes(async () => new URL(page.url()).searchParams.get('carrier'), carrier.id)
    await becomes(async () => page.getByRole('article', { name: /^MAN-/ }).count(), 1)
  })

  test('while the name of the unit is read, the drawer does not look as if there were none', async (t) => {
    const word = newWord()
    const { order } = await shipper(word)
    const unit = await make('/equipment', { unit_number: `${word}-7` })
    const trip = await make('/dispatch/manifests', { order_ids: [(await order(4)).id], equipment_id: unit.id })
    const page = await visit(t, browser)
    const held = Promise.withResolvers<void>()
    await page.route('**/objects/search', (route) => void held.promise.then(() => route.continue()))
    await openConsole(page, 'member', `/dispatch?q=${word}&open=${trip.id}`)
    const drawer = page.getByRole('dialog')
    const equipment = drawer.getByRole('combobox', { name: 'Equipment' })
    await drawer.getByLabel('Loading', { exact: true }).waitFor()
    assert.equal(await equipment.getAttribute('placeholder'), '')
    await assertGoodPage(page)
    held.resolve()
    await becomes(async () => (await equipment.inputValue()).startsWith(`${word}-7`), true)
  })

  test('a position reaches the map within seconds, and says of when it is', async (t) => {
    const word = newWord()
    const { order } = await shipper(word)
    const trip = await make('/dispatch/manifests', { order_ids: [(await order(-2)).id] })
    const report = async (position: Json) => {
      const { body } = await call<Json>(await adminToken(), 'POST', `/manifests/${trip.id}/positions`, position)
      assert.equal(body.recorded, 1)
    }
    await report({ at: at(-1), latitude: 38.5, longitude: -122.2 })
    const page = await visit(t, browser, { viewport: { width: 1440, height: 900 } })
    await openConsole(page, 'member', `/dispatch?q=${word}&view=map`)
    const marker = page
      .getByRole('group', { name: 'Map of manifests' })
      .getByRole('button', { name: new RegExp(`^${trip.full_id}, `) })
    const title = async () => (await marker.locator('title').first().textContent())?.replace(/^.*, /s, '')
    await becomes(title, '1 h ago')
    await page.getByText(/^Positions were read at /).waitFor()
    const before = await marker.locator('..').getAttribute('transform')
    await report({ at: at(0), latitude: 44.05, longitude: -123.09 })
    // On a slow machine some minutes may have passed.
    await becomes(async () => /^(?:just now|\d+ min ago)$/.test((await title()) ?? ''), true)
    assert.notEqual(await marker.locator('..').getAttribute('transform'), before)
    await assertGoodPage(page)
    await marker.focus()
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .getByText(/^Position of .*, (?:just now|\d+ min ago)/)
      .waitFor()
  })

  deepTest(
    'the timeline shows who is taken when, and the map where manifests are and which are late; nothing is asked of other servers',
    async (t) => {
      const word = newWord()
      const { order } = await shipper(word)
      const unit = await make('/equipment', { unit_number: `${word}-7` })
      const fields = { driver_name: `${word} Ortiz`, equipment_id: unit.id }
      const late = await make('/dispatch/manifests', { order_ids: [(await order(-10, 2)).id], ...fields })
      const { body } = await call<Json>(await adminToken(), 'POST', `/manifests/${late.id}/positions`, {
        latitude: 38.5,
        longitude: -122.2,
      })
      assert.equal(body.recorded, 1)
      const waiting = await make('/dispatch/manifests', { order_ids: [(await order(40)).id] })
      const page = await visit(t, browser, { viewport: { width: 1440, height: 900 } })
      await openConsole(page, 'member', `/dispatch?q=${word}&view=timeline`)
      const timeline = page.getByRole('region', { name: 'Timeline' })
      await timeline
        .getByRole('button', { name: new RegExp(`^${word} Ortiz: ${late.full_id} .*, late(?:,|$)`) })
        .waitFor()
      await timeline.getByRole('button', { name: new RegExp(`^${word}-7: ${late.full_id} `) }).waitFor()
      await assertGoodPage(page)
      await timeline.getByRole('button', { name: new RegExp(`^${word}-7: `) }).click()
      await page
        .getByRole('dialog')
        .getByText(/ late$/)
        .first()
        .waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

      await page.getByText('Map', { exact: true }).click()
      const map = page.getByRole('group', { name: 'Map of manifests' })
      const marker = map.getByRole('button', { name: new RegExp(`^${late.full_id}, .* late$`) })
      await marker.waitFor()
      await map.getByRole('button', { name: new RegExp(`^${waiting.full_id}, `) }).waitFor()
      // Those of the states and of the countries around.
      assert.ok((await map.locator('path').count()) > 10)
      await page.getByRole('button', { name: 'Zoom in' }).click()
      await page.getByRole('button', { name: 'Show all' }).click()
      await assertGoodPage(page)
      await marker.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByText(late.full_id).first().waitFor()
    },
  )
})
