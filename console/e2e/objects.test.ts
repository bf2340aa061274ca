import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { deepTest } from '../../server/test/depth.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { openConsole } from './console.ts'
import { adminToken, product } from './product.ts'

const browser = await openBrowser()

type Made = { id: string; fullId: string; version: number }

async function ask<Answer>(method: string, path: string, body: unknown): Promise<Answer> {
  const headers = { authorization: `Bearer ${await adminToken()}`, 'content-type': 'application/json' }
  const response = await fetch(`${product().url}/api/v2/platformModel${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
  })
  assert.ok(response.ok, `${method} ${path} answered ${response.status}`)
  return (await response.json()) as Answer
}

function make(objectKey: string, json: object): Promise<Made> {
  return ask('PATCH', '/objects', { objectKey, json })
}

/** A word that nothing else in the organization contains, so that no test finds the objects of another. */
function newWord(): string {
  return `Q${randomBytes(4).toString('hex')}`
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

describe('objects in the console', () => {
  test('a manifest is dispatched with the stops of its order, reported stop by stop with one click, undone, and called', async (t) => {
    const word = newWord()
    const customer = await make('customer', { name: `${word} Foods` })
    const place = (city: string, latitude: number) => ({
      companyName: `${word} ${city}`,
      city,
      latitude,
      longitude: -122.3,
    })
    const order = await make('order', {
      customerId: customer.id,
      referenceNumber: `${word}-PO`,
      pickup: place('Oakland', 37.8),
      delivery: place('Seattle', 47.6),
      deliverBy: '2026-01-05T12:00:00Z',
    })
    const manifest = await make('manifest', { referenceNumber: `${word}-T`, orderIds: [order.id] })
    const page = await visit(t, browser)
    await openConsole(page, 'member', `/objects/manifest/${manifest.id}`)
    const stops = page.getByRole('region', { name: 'Stops' })
    await stops.getByRole('button', { name: 'Dispatch' }).click()
    await page.getByText(`${manifest.fullId} is dispatched.`).waitFor()
    await stops.getByRole('button', { name: 'Arrived, stop 1' }).click()
    await stops.getByRole('button', { name: 'Undo, stop 1' }).waitFor()
    await stops.getByRole('button', { name: 'Departed, stop 1' }).click()
    await page.getByText(`${order.fullId} is in transit.`).waitFor()
    // The way from Oakland is known, and the window long over.
    await stops
      .getByText(/ h.* late$/)
      .first()
      .waitFor()
    await stops.getByRole('button', { name: 'Undo, stop 1' }).click()
    await page.getByText(`${order.fullId} is planned.`).waitFor()
    await stops.getByRole('button', { name: 'Departed, stop 1' }).click()
    await stops.getByRole('button', { name: 'Departed, stop 2' }).click()
    await page.getByText(`${order.fullId} is delivered.`).waitFor()

    const calls = page.getByRole('region', { name: 'Positions and check calls' })
    await calls.getByRole('textbox', { name: 'Coordinates' }).fill('44.05')
    await calls.getByText('Latitude and longitude, with a comma between them.').waitFor()
    await calls.getByRole('textbox', { name: 'Coordinates' }).fill('44.05, -123.09')
    await calls.getByRole('textbox', { name: 'Note' }).fill('Unloaded')
    await calls.getByRole('button', { name: 'Record check call' }).click()
    await calls.getByRole('cell', { name: 'Unloaded' }).waitFor()
    await calls.getByText('44.0500, -123.0900').waitFor()
    await assertGoodPage(page)

    await page.getByRole('button', { name: 'Edit' }).click()
    const second = page.getByRole('group', { name: 'Stops 2' })
    await second.getByRole('textbox', { name: 'City' }).fill('Tacoma')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await stops.getByText(`${word} Seattle · Tacoma`).waitFor()
  })

  test('a customer and an order that refers to it are created; the customer cannot be deleted before the order, and is restored', async (t) => {
    const word = newWord()
    const page = await visit(t, browser)
    await openConsole(page, 'member', '/objects/customer')
    await page.getByRole('table', { name: 'Customers' }).waitFor()
    await page.getByRole('link', { name: 'New customer' }).click()
    await page.getByRole('button', { name: 'Create customer' }).click()
    await page.getByText('Name is required.').waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`${word} Foods`)
    await page.getByRole('textbox', { name: 'E-mail' }).fill('nobody at home')
    await page.getByRole('combobox', { name: 'Currency' }).fill('USD')
    await page.getByRole('option', { name: 'US Dollar (USD)' }).click()
    await page.getByRole('textbox', { name: 'Credit limit' }).fill('25,000.50')
    await page.getByRole('button', { name: 'Create customer' }).click()
    await page.getByText('E-mail must be an e-mail address').waitFor()
    await assertGoodPage(page)
    await page.getByRole('textbox', { name: 'E-mail' }).fill('ap@foods.example')
    await page.getByRole('button', { name: 'Create customer' }).click()
    await page.getByRole('heading', { name: `${word} Foods`, level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Details' }).getByText('$25,000.50').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Credit limit' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    const customer = page.url()

    await page.getByRole('navigation').getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('link', { name: 'New order' }).click()
    await page.getByRole('combobox', { name: 'Customer' }).fill(word.toLowerCase())
    await page.getByRole('option', { name: `${word} Foods` }).click()
    await page.getByRole('textbox', { name: 'Reference number' }).fill(`${word}-1`)
    await page.getByRole('region', { name: 'Pickup' }).getByLabel('City').fill('Oakland')
    await page.getByRole('button', { name: 'Create order' }).click()
    await page.getByRole('heading', { name: `${word}-1`, level: 1 }).waitFor()
    await page
      .getByRole('region', { name: 'Details' })
      .getByRole('link', { name: `${word} Foods` })
      .click()
    await page.getByRole('heading', { name: `${word} Foods`, level: 1 }).waitFor()
    assert.equal(page.url(), customer)

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 of kind order refer to it').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('region', { name: 'Orders' }).getByRole('link', { name: /^ORD-/ }).click()
    await page.getByRole('heading', { name: `${word}-1`, level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('heading', { name: `${word}-1`, level: 1 }).waitFor()
    await page.getByRole('region', { name: 'History' }).getByText('Restored').waitFor()
    await assertGoodPage(page)
  })

  deepTest(
    'where somebody else changed the object first, nothing typed is lost, and what changed is in the history',
    async (t) => {
      const word = newWord()
      const { id } = await make('customer', { name: `${word} Foods`, city: 'Oakland', loyalty: { tier: 'gold' } })
      const page = await visit(t, browser)
      await openConsole(page, 'admin', `/objects/customer/${id}`)
      const others = page.getByRole('region', { name: 'Other fields' })
      await others.getByText('"tier": "gold"').waitFor()
      assert.ok(!(await others.textContent())?.includes('city'))
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByRole('region', { name: 'Details' }).getByLabel('City').fill('Reno')
      await page.getByRole('textbox', { name: 'Phone' }).fill('+1 775 555 0100')
      await ask('PUT', `/objects/${id}`, { json: { city: 'Berkeley', state: 'CA' } })
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Somebody else changed this object').waitFor()
      await page.getByRole('button', { name: 'Load the new version and keep my changes' }).click()
      await page.getByText('Both of you changed: City.').waitFor()
      await becomes(
        () => page.getByRole('region', { name: 'Details' }).getByLabel('State or province').inputValue(),
        'CA',
      )
      await becomes(() => page.getByRole('region', { name: 'Details' }).getByLabel('City').inputValue(), 'Reno')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Version 3').waitFor()
      await page.getByRole('region', { name: 'History' }).getByText('Berkeley → Reno').waitFor()
    },
  )

  deepTest('a list is searched, filtered, sorted and kept as a board; all of it is in the address', async (t) => {
    const word = newWord()
    const customers = [
      { name: `${word} North`, city: 'Oakland', creditLimit: 100_000 },
      { name: `${word} South`, city: 'Reno', creditLimit: 300_000 },
      { name: `${word} West`, city: 'Oakland', creditLimit: 500_000 },
    ]
    for (const customer of customers) await make('customer', customer)
    const page = await visit(t, browser)
    await openConsole(page, 'member', '/objects/customer')
    await page.getByRole('searchbox', { name: 'Search customers' }).fill(word)
    await page.getByText('3 customers').waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    await choose(page, 'Field 1', 'City')
    await choose(page, 'Comparison 1', 'is')
    await page.getByRole('textbox', { name: 'Value 1' }).fill('Reno')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await choose(page, 'Field 2', 'Credit limit')
    await choose(page, 'Comparison 2', 'is at least')
    await page.getByRole('textbox', { name: 'Value 2' }).fill('4,000.00')
    await page.getByText('any condition').click()
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('2 customers').waitFor()
    await choose(page, 'Sort by', 'Name')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Credit limit' }).check()
    await page.keyboard.press('Escape')
    const shown = () => page.getByRole('cell', { name: new RegExp(`^${word}`) }).allTextContents()
    await page.getByRole('columnheader', { name: 'Credit limit' }).waitFor()
    await page.reload()
    await page.getByText('2 customers').waitFor()
    await page.getByRole('columnheader', { name: 'Credit limit' }).waitFor()
    await becomes(shown, [`${word} South`, `${word} West`])

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    assert.deepEqual([lines.length, lines[1]?.includes(`${word} South`)], [3, true])
    assert.match(lines[0] ?? '', /^Id,.*Credit limit/, 'the columns of the list')

    await page.getByRole('button', { name: 'Boards' }).click()
    await page.getByRole('menuitem', { name: 'Save as board' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(`${word} board`)
    await page.getByRole('button', { name: 'Save board' }).click()
    await page.getByRole('button', { name: `${word} board` }).waitFor()
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Remove: City is Reno' }).click()
    await page.getByText('1 customer', { exact: true }).waitFor()
    await page.getByRole('button', { name: `${word} board` }).click()
    await page.getByRole('menuitem', { name: `${word} board`, exact: true }).click()
    await page.getByRole('button', { name: 'Remove: City is Reno' }).waitFor()
    await page.getByRole('button', { name: `${word} board` }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(`${word} renamed`)
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('button', { name: `${word} renamed` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete board' }).click()
    await page.getByRole('button', { name: 'Boards' }).waitFor()
  })

  deepTest('a manifest’s payment items become its carrier’s bill, once', async (t) => {
    const word = newWord()
    const { id: partnerId } = await make('partner', { name: `${word} Carriers`, currency: 'usd' })
    const { id } = await make('manifest', { partnerId, referenceNumber: word, currency: 'usd' })
    const page = await visit(t, browser)
    const defined = page.waitForResponse('**/definitions/manifest')
    await openConsole(page, 'member', `/objects/manifest/${id}`)
    await page.getByRole('button', { name: 'Create bill' }).click()
    await page.getByText('This manifest has no payment items').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Add to payment items' }).click()
    const item = page.getByRole('group', { name: 'Payment items 1' })
    await item.getByLabel('Type').fill('Line haul')
    await item.getByLabel('Unit price').fill('1850')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Version 2').waitFor()
    await page.getByRole('button', { name: 'Create bill' }).click()
    await page.getByRole('table', { name: 'Payment items' }).getByText('$1,850.00').waitFor()
    const [paper] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Rate confirmation' }).click(),
    ])
    assert.match(paper.suggestedFilename(), /^Rate confirmation MAN-\d+\.pdf$/)
    await page.getByRole('link', { name: 'Draft bill' }).click()
    await page.getByRole('heading', { name: /^Draft/, level: 1 }).waitFor()
    await page
      .getByRole('link', { name: `${word} Carriers` })
      .first()
      .waitFor()
    await assertGoodPage(page)
    await page.getByRole('link', { name: /^MAN-/ }).click()
    await page.getByRole('link', { name: 'Draft bill' }).waitFor()
    await defined
    await assertGoodPage(page)
    // What the server tells of a manifest is no field that nobody defined.
    await becomes(() => page.getByRole('heading', { name: 'Other fields' }).count(), 0)
    await page.getByRole('button', { name: 'Edit' }).click()
    await item.getByLabel('Unit price').fill('1')
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click()
    await page.getByRole('button', { name: 'Stay on this page' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('alert').getByText('payment items, carrier and currency').waitFor()
    // The list shows where the bill stands, and is narrowed by it.
    const drafts = JSON.stringify({ field: 'billStatusId', op: 'eq', value: 'draft' })
    await page.goto(`${product().url}/objects/manifest?q=${word}&filter=${encodeURIComponent(drafts)}`)
    await page.getByText('Bill status is Draft').waitFor()
    await page.getByRole('row', { name: /Draft/ }).waitFor()
    await assertGoodPage(page)
  })

  deepTest('an order shows its legs and manifests, and a new leg for it is filled in', async (t) => {
    const word = newWord()
    const { id: customerId } = await make('customer', { name: `${word} Foods` })
    const order = await make('order', {
      customerId,
      referenceNumber: word,
      pickup: { city: 'Oakland' },
      delivery: { city: 'Reno' },
      pickupAt: '2026-11-16T08:00:00Z',
    })
    const manifest = await make('manifest', { referenceNumber: `${word} trip`, orderIds: [order.id] })
    const page = await visit(t, browser)
    await openConsole(page, 'member', `/objects/order/${order.id}`)
    await page.getByRole('region', { name: 'Manifests' }).getByRole('link', { name: manifest.fullId }).waitFor()
    await page.getByRole('region', { name: 'Legs' }).getByText('None yet.').waitFor()
    await assertGoodPage(page)
    const [paper] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Bill of lading' }).click(),
    ])
    assert.equal(paper.suggestedFilename(), `Bill of lading ${order.fullId}.pdf`)
    await page.getByRole('link', { name: 'New leg for this order' }).click()
    await page
      .getByRole('combobox', { name: 'Order' })
      .and(page.locator(`[value^="${word}"]`))
      .waitFor()
    await becomes(() => page.getByRole('region', { name: 'Origin' }).getByLabel('City').inputValue(), 'Oakland')
    await becomes(() => page.getByRole('region', { name: 'Destination' }).getByLabel('City').inputValue(), 'Reno')
    await page.getByRole('button', { name: 'Create leg' }).click()
    await page.getByRole('heading', { name: /^LEG-/, level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Details' }).getByRole('link', { name: word }).click()
    await page.getByRole('region', { name: 'Legs' }).getByRole('row').filter({ hasText: 'LEG-' }).waitFor()
  })

  deepTest(
    'an admin defines a kind and its fields, hides one and brings it back; the server’s refusals are shown',
    async (t) => {
      const word = newWord()
      const page = await visit(t, browser)
      await openConsole(page, 'admin', '/settings/objects')
      await page.getByRole('link', { name: 'Customers' }).nth(1).waitFor()
      await assertGoodPage(page)
      await page.getByRole('link', { name: 'New kind' }).click()
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`${word} check`)
      await page.getByRole('textbox', { name: 'Prefix of ids' }).fill('CUST')
      await page.getByRole('button', { name: 'Create kind' }).click()
      await page.getByText('not that of a built-in kind').waitFor()
      await page.getByRole('textbox', { name: 'Prefix of ids' }).fill(word.toUpperCase())
      await page.getByRole('button', { name: 'Create kind' }).click()
      const add = async (name: string, more?: () => Promise<void>) => {
        await page.getByRole('button', { name: 'Add field' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
        await more?.()
        await dialog.getByRole('button', { name: 'Add field' }).click()
        return dialog
      }
      await (await add('Inspector')).waitFor({ state: 'detached' })
      await (await add('Inspector')).getByText('There is a field "inspector" already').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Discard' }).click()
      const dialog = await add('Result', () => choose(page, 'Type', 'One of several options'))
      await dialog.getByText('Enter at least one option.').waitFor()
      await dialog.getByLabel('Options').fill('pass')
      await page.keyboard.press('Enter')
      await assertGoodPage(page)
      await dialog.getByRole('button', { name: 'Add field' }).click()
      await dialog.waitFor({ state: 'detached' })

      await page
        .getByRole('navigation')
        .getByRole('link', { name: new RegExp(word) })
        .click()
      await page.getByRole('heading', { name: /^No .* yet$/ }).waitFor()
      await page.getByRole('link', { name: /^New / }).first().click()
      await page.getByRole('textbox', { name: 'Inspector' }).fill('Sam Ortiz')
      await choose(page, 'Result', 'Pass')
      await page.getByRole('button', { name: /^Create / }).click()
      await page.getByRole('heading', { name: `${word.toUpperCase()}-1`, level: 1 }).waitFor()

      await page.goto(`${product().url}/settings/objects`)
      await page
        .getByRole('table')
        .getByRole('link', { name: new RegExp(word) })
        .click()
      await page.getByRole('button', { name: 'Hide Inspector' }).click()
      await page.getByRole('button', { name: 'Show Inspector' }).click()
      await page.getByRole('button', { name: 'Hide Inspector' }).waitFor()
      await assertGoodPage(page)
      await page.getByRole('button', { name: 'Delete kind' }).click()
      await page.getByRole('textbox').fill(`${word} check`)
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page
        .getByRole('alert')
        .getByText(/1 object/i)
        .waitFor()
    },
  )
})
