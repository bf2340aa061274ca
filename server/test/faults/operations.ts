import { ask, type Caller, write } from './asking.ts'

const bills = '/api/v1/bills'
const statements = '/api/v1/consolidated_bills'
const objects = '/api/v2/platformModel/objects'
const searches = [
  `${bills}?limit=20`,
  `${bills}/totals`,
  `${statements}?limit=5`,
  `${objects}?objectKey=customer&limit=20`,
  '/api/v1/bill_item_types?limit=20',
]

/** Lists grow to this length; then another takes their place. */
const longest = 100
const listsEach = 3

/** Out of ten, so often; the mixed load. */
const share: [number, (caller: Caller, others: readonly string[]) => Promise<unknown>][] = [
  [3, append],
  [1, readList],
  [1.5, makeBill],
  [0.7, makeStatement],
  [1, makeItemType],
  [1, makeObject],
  [1.5, (caller) => ask(caller, { method: 'GET', path: pick(searches) })],
  [0.3, readForeign],
]

/** One thing that a client does. `others` are bills of other organizations. */
export async function operate(caller: Caller, others: readonly string[]): Promise<void> {
  if (caller.organization.lists.length < listsEach) return makeList(caller)
  let left = Math.random() * share.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, operation] of share) {
    left -= weight
    if (left <= 0) return void (await operation(caller, others))
  }
}

async function makeList(caller: Caller): Promise<void> {
  const mark = caller.newMark()
  const { id } = await write(caller, 'bill', mark, {
    method: 'POST',
    path: bills,
    body: { currency_id: 'usd', external_id: mark },
  })
  if (id) caller.organization.lists.push(id)
}

/** Half of them only if nobody was quicker. */
async function append(caller: Caller): Promise<void> {
  const list = pick(caller.organization.lists)
  const etag = Math.random() < 0.5 ? await readList(caller, list) : undefined
  if (etag === null) return
  const mark = caller.newMark()
  const body = {
    unit_price: 1 + Math.floor(Math.random() * 900),
    quantity: 1 + Math.floor(Math.random() * 3),
    description: mark,
  }
  await write(
    caller,
    'line',
    mark,
    { method: 'POST', path: `${bills}/${list}/items`, body, ...(etag && { headers: { 'if-match': etag } }) },
    list,
  )
}

/** Its revision, or null where there was no good answer. */
async function readList(caller: Caller, other?: unknown): Promise<string | null> {
  const { lists } = caller.organization
  const list = typeof other === 'string' ? other : pick(lists)
  const began = performance.now()
  const { status, headers, body } = await ask(caller, { method: 'GET', path: `${bills}/${list}` })
  if (status !== 200) return null
  const marks = JSON.parse(body).bill_items.map(({ description }: { description: string }) => description)
  caller.history.reads.push({ list, marks, began, ended: performance.now() })
  if (marks.length >= longest && lists.includes(list)) lists.splice(lists.indexOf(list), 1)
  return headers.etag ?? null
}

/** A bill with lines and tax, saved: it gets a number. */
async function makeBill(caller: Caller): Promise<void> {
  const mark = caller.newMark()
  const items = [{ unit_price: 1250 }, { unit_price: Math.floor(Math.random() * 5000), quantity: 2 }]
  const body = {
    currency_id: 'usd',
    external_id: mark,
    partner_carrier_id: caller.organization.partner,
    is_tax_on: true,
    tax_amount: 7,
    items,
  }
  const { id } = await write(caller, 'bill', mark, { method: 'POST', path: bills, body })
  if (!id) return
  const saved = await ask(caller, {
    method: 'POST',
    path: `${bills}/${id}/save`,
    headers: { 'idempotency-key': `save-${id}` },
  })
  if (saved.status !== 200) return
  const [bill] = Object.values(JSON.parse(saved.body)) as { number: string }[]
  caller.history.numbers.push({ org: caller.organization.id, bill: id, number: bill?.number ?? 'none' })
  caller.organization.saved.push(id)
}

/** Of two saved bills; every other one is paid, and its bills with it. */
async function makeStatement(caller: Caller): Promise<void> {
  const bill_ids = caller.organization.saved.splice(0, 2)
  if (bill_ids.length < 2) return
  const mark = caller.newMark()
  const { id } = await write(caller, 'statement', mark, {
    method: 'POST',
    path: statements,
    body: { bill_ids, external_id: mark },
  })
  if (!id || Math.random() < 0.5) return
  const saved = await ask(caller, { method: 'POST', path: `${statements}/${id}/save` })
  if (saved.status === 200) await ask(caller, { method: 'POST', path: `${statements}/${id}/pay` })
}

async function makeItemType(caller: Caller): Promise<void> {
  const mark = caller.newMark()
  await write(caller, 'bill item type', mark, {
    method: 'POST',
    path: '/api/v1/bill_item_types',
    body: { name: mark, external_id: mark },
  })
}

async function makeObject(caller: Caller): Promise<void> {
  const mark = caller.newMark()
  const json = { name: mark, currency: 'usd' }
  await write(caller, 'object', mark, { method: 'PATCH', path: objects, body: { objectKey: 'customer', json } })
}

/** A bill of another organization is not there. */
async function readForeign(caller: Caller, others: readonly string[]): Promise<void> {
  if (others.length > 0) await ask(caller, { method: 'GET', path: `${bills}/${pick(others)}` })
}

function pick<T>(all: readonly T[]): T {
  return all[Math.floor(Math.random() * all.length)] as T
}
