/** How every form behaves: selects, numbers in the person's language, input that is not saved, and a server that does not answer. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { deepTest } from '../../server/test/depth.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { openConsole } from './console.ts'
import { billNow, newBill, newCarrier } from './payables.ts'
import { adminToken, call, product } from './product.ts'

const browser = await openBrowser()

type Types = { bill_item_types: { id: string; name: string }[] }

async function typeNamed(name: string): Promise<{ id: string; name: string }> {
  const { body } = await call<Types>(await adminToken(), 'GET', '/bill_item_types?limit=200')
  const found = body.bill_item_types.find((type) => type.name === name)
  if (found) return found
  const made = await call<{ bill_item_type: { id: string; name: string } }>(
    await adminToken(),
    'POST',
    '/bill_item_types',
    { name },
  )
  return made.body.bill_item_type
}

async function billsWith(reference: string): Promise<number> {
  return (await call<{ total: number }>(await adminToken(), 'GET', `/bills?reference_number=${reference}&limit=0`)).body
    .total
}

const focused = (page: Page) =>
  page.evaluate(
    'document.activeElement.getAttribute("aria-label") ?? document.activeElement.labels?.[0]?.textContent ?? ""',
  )

describe('a select', () => {
  deepTest('opens on intent, highlights the best match, and is used with the keyboard alone', async (t) => {
    const page = await visit(t, browser)
    const [haul] = await Promise.all([typeNamed('Line haul'), typeNamed('Lumper fee'), typeNamed('Fee, lumper')])
    const { id } = await newBill({
      items: [{ bill_item_type_id: haul.id, description: 'Toledo', unit_price: 100, quantity: 1 }],
    })
    await openConsole(page, 'member', `/bills/${id}`)
    await page.getByRole('button', { name: 'Edit: Toledo' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit the line' })
    const type = dialog.getByRole('combobox', { name: 'Type' })
    const list = page.getByRole('listbox')
    // It has the focus, and its list covers nothing.
    await page.locator('[role=combobox][value="Line haul"]:focus').waitFor()
    await becomes(() => list.count(), 0)
    await becomes(
      () => page.evaluate('[document.activeElement.selectionStart, document.activeElement.selectionEnd]'),
      [0, 'Line haul'.length],
    )
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await becomes(() => focused(page), 'Edit: Toledo')

    await page.keyboard.press('Enter')
    await type.waitFor()
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.type('fee')
    await page.getByRole('option', { name: 'Lumper fee' }).waitFor()
    const highlighted = () =>
      page.evaluate(
        'document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.textContent',
      )
    await becomes(() => highlighted(), 'Fee, lumper')
    const [listed, next] = [await list.boundingBox(), await dialog.getByLabel('Description').boundingBox()]
    assert.ok(listed && next && listed.x >= next.x + next.width, 'the list covers the next field')
    // The list of an open select is at the end of the page, outside of its landmarks, as in the library that draws it.
    await assertGoodPage(page, { except: ['region'] })
    await page.keyboard.press('Escape')
    await becomes(() => type.inputValue(), 'Line haul')
    await page.keyboard.type('lumper f')
    await page.keyboard.press('Tab')
    await type.and(page.locator('[value="Lumper fee"]')).waitFor()
    await becomes(() => list.count(), 0)
    assert.match(String(await focused(page)), /^Description/)

    await type.fill('no such type')
    await page.getByRole('status').getByText('Nothing found').waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await dialog.getByLabel('Description').click()
    await becomes(() => type.inputValue(), 'Lumper fee')
    // To have no type is a choice too, which nobody makes by accident.
    await type.fill('')
    await page.keyboard.press('Enter')
    await becomes(() => type.inputValue(), 'Lumper fee')
    await type.fill('')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await becomes(() => type.inputValue(), '')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Lumper fee' }).waitFor()
    await type.fill('lumper fee')
    await page.keyboard.press('Enter')
    await type.and(page.locator('[value="Lumper fee"]')).waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const [line] = (await billNow(id)).bill_items as unknown as { bill_item_type: { name: string } }[]
    assert.equal(line?.bill_item_type.name, 'Lumper fee')
  })

  deepTest('keeps the old carrier until another is taken, and its list does not cover its error', async (t) => {
    const page = await visit(t, browser)
    const [one, other] = await Promise.all([newCarrier('Keep Haulage'), newCarrier('Other Haulage of Kent')])
    const { id } = await newBill({ partner_carrier_id: one.id })
    await openConsole(page, 'member', `/bills/${id}`)
    await page.getByRole('button', { name: 'Edit details' }).click()
    const carrier = page.getByRole('combobox', { name: 'Carrier' })
    await carrier.and(page.locator('[value="Keep Haulage"]')).waitFor()
    // Pressed before the server has answered.
    await carrier.fill('other haulage of')
    await page.keyboard.press('Tab')
    await carrier.and(page.locator('[value="Other Haulage of Kent"]')).waitFor()
    await carrier.fill('keep')
    await page.getByRole('option', { name: one.name }).waitFor()
    await page.keyboard.press('Escape')
    await becomes(() => carrier.inputValue(), other.name)
    const details = [{ field: 'partner_carrier_id', code: 'x', message: 'This carrier is closed.' }]
    const refused = { status: 400, json: { error_code: 'invalid', error_message: 'Wrong.', details, request_id: 'r' } }
    await page.route('**/api/v1/bills/*', (route) =>
      route.request().method() === 'PUT' ? route.fulfill(refused) : route.continue(),
    )
    await page.getByRole('button', { name: 'Save changes' }).click()
    const error = page.getByText('This carrier is closed.')
    await error.waitFor()
    await carrier.click()
    await page.getByRole('listbox').waitFor()
    const [below, above] = [await page.getByRole('listbox').boundingBox(), await error.boundingBox()]
    assert.ok(
      below && above && below.y >= above.y + above.height,
      `the list at ${below?.y} covers the error at ${above?.y}`,
    )
  })
})

describe('input that is not saved', () => {
  deepTest(
    'is not lost without a question: on links, with the back button, when the tab or a dialog is closed',
    async (t) => {
      const page = await visit(t, browser)
      await newBill({ reference_number: 'LEAVE-1' })
      await openConsole(page, 'member', '/bills?reference=LEAVE-1')
      await page.getByRole('row').filter({ hasText: 'LEAVE-1' }).getByRole('link').first().click()
      const bills = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Bills' })
      const question = page.getByRole('dialog', { name: 'Leave without saving?' })
      const blocksClosing = () =>
        page.evaluate('!window.dispatchEvent(new Event("beforeunload", { cancelable: true }))')
      await page.getByRole('button', { name: 'Edit details' }).click()
      await becomes(blocksClosing, false)
      await page.getByRole('textbox', { name: 'Notes' }).fill('Typed and not saved')
      await becomes(blocksClosing, true)
      await bills.click()
      await question.getByRole('button', { name: 'Stay on this page' }).click()
      await page.goBack()
      await question.waitFor()
      await assertGoodPage(page)
      await page.keyboard.press('Escape')
      await becomes(() => page.getByRole('textbox', { name: 'Notes' }).inputValue(), 'Typed and not saved')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Keep editing' }).click()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('button', { name: 'Edit details' }).waitFor()
      await becomes(blocksClosing, false)

      await page.getByRole('button', { name: 'Add line' }).click()
      await page.getByRole('dialog').getByLabel('Description').fill('Typed in a dialog')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Keep editing' }).click()
      await becomes(() => page.getByRole('dialog').getByLabel('Description').inputValue(), 'Typed in a dialog')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('dialog').first().waitFor({ state: 'detached' })
      await page.locator('button:focus').filter({ hasText: 'Add line' }).waitFor()

      await page.goto(`${product().url}/bills/new`)
      await page.getByLabel('Reference number').fill('LEAVE-2')
      await bills.click()
      await question.getByRole('button', { name: 'Leave without saving' }).click()
      await page.getByRole('heading', { name: 'Bills', level: 1 }).waitFor()
    },
  )

  test('survives a lost connection and a slow server; repeated, it is saved once', async (t) => {
    const page = await visit(t, browser)
    await page.clock.install()
    await openConsole(page, 'member', '/bills/new')
    const reference = page.getByLabel('Reference number')
    const create = page.getByRole('button', { name: 'Create draft' })
    await reference.fill('OFFLINE-1')
    await page.context().setOffline(true)
    const bar = page.getByRole('status').filter({ hasText: 'No connection. What you typed is kept.' })
    await bar.waitFor()
    await create.click()
    await page.getByRole('alert').filter({ hasText: 'Could not reach the server' }).waitFor()
    await becomes(() => reference.inputValue(), 'OFFLINE-1')
    await assertGoodPage(page)
    await page.context().setOffline(false)
    await bar.waitFor({ state: 'detached' })

    // The server creates the bill, and its answer is lost on the way.
    const isCreate = (url: URL) => url.pathname === '/api/v1/bills'
    await page.route(isCreate, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort()
    })
    await create.click()
    await bar.waitFor()
    assert.equal(await billsWith('OFFLINE-1'), 1)
    await page.unroute(isCreate)

    let answer = () => {}
    const slow = new Promise<void>((done) => (answer = done))
    await page.route(isCreate, async (route) => {
      await slow
      await route.continue()
    })
    await create.click()
    await page.clock.fastForward(6000)
    await page.getByRole('status').filter({ hasText: 'The server takes longer than usual' }).waitFor()
    answer()
    await page.getByRole('heading', { name: 'Draft OFFLINE-1' }).waitFor()
    assert.equal(await billsWith('OFFLINE-1'), 1)
  })
})

/** Counts the inputs that React draws in its last commit, by the hook that its developer tools use. */
const countDrawnInputs = `globalThis.drawnInputs = 0
globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
  supportsFiber: true, isDisabled: false, renderers: new Map(), inject: () => 1, onCommitFiberUnmount() {}, onPostCommitFiberRoot() {},
  onCommitFiberRoot(_, root) {
    let drawn = 0
    const count = (now, before) => {
      if (now.type === 'input' && before && now.memoizedProps !== before.memoizedProps) drawn++
      if (now.child !== before?.child) for (let child = now.child; child; child = child.sibling) count(child, child.alternate)
    }
    count(root.current, root.current.alternate)
    globalThis.drawnInputs = Math.max(globalThis.drawnInputs, drawn)
  },
}`

describe('in another language', () => {
  deepTest(
    'amounts and numbers are read and shown as people there write them, and typing draws one input, not the whole form',
    async (t) => {
      const page = await visit(t, browser, { locale: 'de-DE' })
      await page.addInitScript(countDrawnInputs)
      await openConsole(page, 'member', '/bills/new')
      const notes = page.getByRole('textbox', { name: 'Notes' })
      await notes.fill('A')
      const reference = page.getByLabel('Reference number')
      await page.locator('form input').nth(20).waitFor({ state: 'attached' })
      // Lists that arrive meanwhile are drawn too, so this asks for a key that draws its own input and no other; a form that is drawn whole on every key
      // never has one.
      let drawn = Number.POSITIVE_INFINITY
      for (let keys = 0; drawn !== 1 && keys < 50; keys += 1) {
        await reference.fill('')
        await page.evaluate('globalThis.drawnInputs = 0')
        await reference.press('c')
        drawn = Number(await page.evaluate('globalThis.drawnInputs'))
      }
      assert.equal(drawn, 1)

      await page.getByRole('combobox', { name: 'Currency' }).fill('usd')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Add line' }).click()
      const price = page.getByLabel('Unit price, USD')
      for (const [typed, shown] of [
        ['1,50', '1,50'],
        ['1.50', '1,50'],
        ['1.850,1', '1850,10'],
        ['1.850', '1850,00'],
      ] as const) {
        await price.fill(typed)
        await page.getByLabel('Quantity').focus()
        await becomes(() => price.inputValue(), shown)
      }
      await page.getByRole('dialog').getByRole('button', { name: 'Add line' }).click()
      await page.getByRole('cell', { name: '1.850,00' }).first().waitFor()

      await page.getByRole('button', { name: 'Create draft' }).click()
      await page.getByRole('heading', { name: 'Draft c' }).waitFor()
      await page.goto(`${product().url}/objects/customer/new`)
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Zahlen GmbH')
      await page.getByRole('combobox', { name: 'Currency' }).fill('eur')
      await page.keyboard.press('Tab')
      await page.getByRole('textbox', { name: 'Credit limit' }).fill('1,50')
      await page.getByRole('button', { name: 'Create customer' }).click()
      await page.getByRole('heading', { name: 'Zahlen GmbH', level: 1 }).waitFor()
      const [customer] = (
        await call<{ customers: { credit_limit: number }[] }>(
          await adminToken(),
          'GET',
          '/customers?search_term=Zahlen',
        )
      ).body.customers
      assert.equal(customer?.credit_limit, 150)
    },
  )
})
