/** A call of the API; a refusal is thrown. */
export type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** What has to be done so that an event happens; answers the id of the record that it happens to. */
export type Recipe = (call: Call) => Promise<string>

const note = 'Made by lading trigger'
const objects = '/api/v2/platformModel/objects'
const statements = '/api/v1/consolidated_bills'

/** By the type of the event. Each makes records of its own, so that nothing that is there is touched. */
export const recipes: Record<string, Recipe> = {
  ...ofDocuments('bill'),
  ...ofDocuments('invoice'),
  ...ofDocuments('credit', { direction: 'in' }),
  'consolidated_bill.created': newStatement,
  'consolidated_bill.updated': (call) => thenPut(call, newStatement(call), statements, { notes: note }),
  'consolidated_bill.status_updated': (call) => movedStatement(call, 'save'),
  'consolidated_bill.voided': (call) => movedStatement(call, 'save', 'void'),
  'consolidated_bill.saved': (call) => movedStatement(call, 'save'),
  'consolidated_bill.sent': (call) => movedStatement(call, 'save', 'send'),
  'consolidated_bill.paid': (call) => movedStatement(call, 'save', 'send', 'pay'),
  'consolidated_bill.reopened': (call) => movedStatement(call, 'save', 'pay', 'reopen'),
  'consolidated_bill.deleted': (call) => thenDelete(call, newStatement(call), statements),
  ...ofRecords('bill_item_type', '/api/v1/bill_item_types', () => ({ name: named('Type') })),
  ...ofRecords('pay_term', '/api/v1/pay_terms', () => ({ name: named('Term'), number_of_days: 30 })),
  ...ofRecords('tax_rate', '/api/v1/tax_rates', () => ({
    name: named('Tax'),
    components: [{ name: 'GST', percent: '5' }],
  })),
  ...ofObjects('customer', () => ({})),
  ...ofObjects('partner', () => ({})),
  ...ofObjects('service', () => ({})),
  ...ofObjects('contact', () => ({})),
  ...ofObjects('leg', () => ({})),
  ...ofObjects('manifest', () => ({})),
  ...ofObjects('equipment', () => ({ unitNumber: named('Unit').slice(0, 30) })),
  ...ofObjects('order', async (call) => ({ customerId: await newObject(call, 'customer', {}) })),
  ...ofObjects('quote', async (call) => ({ customerId: await newObject(call, 'customer', {}) })),
  'payment.created': newPayment,
  'payment.updated': (call) => thenPut(call, newPayment(call), '/api/v1/payments', { reference_number: note }),
  'payment.voided': async (call) => moved(call, '/api/v1/payments', await newPayment(call), ['void']),
}

/** Created, changed and deleted: the three that every plain record has. */
function ofRecords(noun: string, path: string, content: () => { name: string }): Record<string, Recipe> {
  const make: Recipe = (call) => create(call, path, content())
  return {
    [`${noun}.created`]: make,
    [`${noun}.updated`]: (call) => thenPut(call, make(call), path, { name: named('Changed') }),
    [`${noun}.deleted`]: (call) => thenDelete(call, make(call), path),
  }
}

/** What happens to documents. `needed` is what a new one needs beyond what all have. */
function ofDocuments(noun: string, needed: object = {}): Record<string, Recipe> {
  const path = `/api/v1/${noun}s`
  const make: Recipe = (call) => newDocument(call, path, needed)
  const after = async (call: Call, ...moves: string[]) => moved(call, path, await make(call), moves)
  return {
    [`${noun}.created`]: make,
    [`${noun}.updated`]: (call) => thenPut(call, make(call), path, { reference_number: note }),
    [`${noun}.status_updated`]: (call) => after(call, 'save'),
    [`${noun}.saved`]: (call) => after(call, 'save'),
    [`${noun}.unsaved`]: (call) => thenPut(call, after(call, 'save'), path, { status_id: 'draft' }),
    [`${noun}.voided`]: (call) => after(call, 'save', 'void'),
    [`${noun}.sent`]: (call) => after(call, 'save', 'send'),
    [`${noun}.edited`]: async (call) =>
      thenPut(call, after(call, 'save', 'send'), path, { notes: `${note}, changed after sending` }),
    [`${noun}.paid`]: (call) => after(call, 'save', 'send', 'pay'),
    [`${noun}.reopened`]: (call) => after(call, 'save', 'pay', 'reopen'),
    [`${noun}.deleted`]: (call) => thenDelete(call, make(call), path),
  }
}

/** What happens to objects of a kind. `content` is what a new one needs besides its name. */
function ofObjects(kind: string, content: (call: Call) => object | Promise<object>): Record<string, Recipe> {
  const make: Recipe = async (call) => newObject(call, kind, await content(call))
  return {
    [`${kind}.created`]: make,
    [`${kind}.updated`]: (call) => thenPut(call, make(call), objects, { json: { name: named('Changed') } }),
    [`${kind}.deleted`]: (call) => thenDelete(call, make(call), objects),
    [`${kind}.restored`]: async (call) =>
      moved(call, objects, await thenDelete(call, make(call), objects), ['restore']),
  }
}

async function newObject(call: Call, objectKey: string, content: object): Promise<string> {
  return (await call<{ id: string }>('PATCH', objects, { objectKey, json: { name: named('Object'), ...content } })).id
}

async function newPayment(call: Call): Promise<string> {
  const partner_carrier_id = await newObject(call, 'partner', {})
  return create(call, '/api/v1/payments', { direction: 'out', partner_carrier_id, currency_id: 'usd', amount: 125_000 })
}

function newDocument(call: Call, path: string, needed: object = {}): Promise<string> {
  return create(call, path, {
    ...needed,
    currency_id: 'usd',
    notes: note,
    items: [{ description: 'Line haul', unit_price: 125_000 }],
  })
}

async function newStatement(call: Call): Promise<string> {
  const bill = await moved(call, '/api/v1/bills', await newDocument(call, '/api/v1/bills'), ['save'])
  return create(call, statements, { bill_ids: [bill] })
}

async function movedStatement(call: Call, ...moves: string[]): Promise<string> {
  return moved(call, statements, await newStatement(call), moves)
}

async function moved(call: Call, path: string, id: string, moves: readonly string[]): Promise<string> {
  for (const move of moves)
    await call('POST', `${path}/${id}/${move}`, move === 'reopen' || move === 'void' ? { reason: note } : {})
  return id
}

async function create(call: Call, path: string, body: object): Promise<string> {
  const made = await call<Record<string, { id: string }>>('POST', path, body)
  return Object.values(made).find((record) => typeof record?.id === 'string')?.id as string
}

async function thenPut(call: Call, made: Promise<string>, path: string, change: object): Promise<string> {
  const id = await made
  await call('PUT', `${path}/${id}`, change)
  return id
}

async function thenDelete(call: Call, made: Promise<string>, path: string): Promise<string> {
  const id = await made
  await call('DELETE', `${path}/${id}`)
  return id
}

/** Some names are unique in the organization. */
function named(what: string): string {
  return `${what} ${new Date().toISOString()} (${note.toLowerCase()})`
}
