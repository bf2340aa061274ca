import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Type from 'typebox'
import { scopeNames } from '../src/platform/access/scopes.ts'
import { signToken } from '../src/platform/access/tokens/access-token.ts'
import { newId } from '../src/platform/core/values/ids.ts'
import { namesReader } from '../src/platform/http/input/body-names.ts'
import { documentText } from '../src/platform/http/openapi/openapi.ts'
import { type Books, bills, booksOf, type Json, openBooks } from './books/books.ts'
import { inPlace } from './described.ts'
import { personIn } from './people.ts'
import { newCaller, sharedService } from './service.ts'
import { watchDryRuns } from './trying.ts'

const service = await sharedService()
const strict = { prefer: 'handling=strict' }
const v2 = '/api/v2/platformModel'

type Schema = {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: unknown
  allOf?: Schema[]
  anyOf?: Schema[]
}
type Operation = {
  'x-right'?: string
  parameters?: { name?: string; in?: string; description?: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  operationId: string
}
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }

const document = inPlace<Document>(JSON.parse(documentText(service.app)))
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)
const writes = operations.filter(({ path, method }) => path.startsWith('/api/') && method !== 'get')

function schemaOf(schema: Schema): Schema {
  return schema.$ref ? schemaOf(document.components.schemas[schema.$ref.split('/').at(-1) as string] as Schema) : schema
}

/** A path with something in the place of its parameters. */
function filled(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => (/currency/i.test(name) ? 'usd' : newId()))
}

/** One letter too many, where no other name has it. */
function slip(name: string): string {
  return `${name[0]}x${name.slice(1)}`
}

/** The names of fields in every place of a body that has some. */
function misspelt(schema: Schema, place = ''): { place: string; names: string[] }[] {
  const { properties, items, additionalProperties } = schemaOf(schema)
  if (items) return misspelt(items, `${place}[0]`)
  if (!properties || additionalProperties !== undefined) return []
  const inner = Object.entries(properties).flatMap(([name, one]) =>
    misspelt(one, place === '' ? name : `${place}.${name}`),
  )
  return [{ place, names: Object.keys(properties) }, ...inner]
}

/** The value at a place of a body, such as `items[0]`. */
function within(place: string, value: unknown): unknown {
  const parts = place === '' ? [] : place.split(/\.|(?=\[)/)
  return parts.reduceRight((inner, part) => (part === '[0]' ? [inner] : { [part]: inner }), value)
}

/** An application that acts for itself, which no role holds up. */
async function newApplication() {
  const { keyring, settings } = service
  const { call, org } = await newCaller(service)
  const token = signToken(
    keyring,
    { issuer: settings.authUrl, audience: settings.audience },
    { sub: 'app', client_id: 'app', org_id: org, scopes: scopeNames },
  )
  return {
    org,
    call: (method: string, url: string, body?: unknown) =>
      call(method, url, body as object, { authorization: `Bearer ${token}` }),
  }
}

describe('fields that nobody knows', { concurrency: true }, () => {
  test('are named in X-Ignored-Fields, each with the known name that it comes close to, by every write that has a body', async () => {
    const application = await newApplication()
    const person = await personIn(service, application.org, 'admin')
    let seen = 0
    for (const { path, method, operation } of writes) {
      const schema = operation.requestBody?.content['application/json']?.schema
      if (!schema || path.startsWith('/api/v1/portal/')) continue
      for (const { place, names } of misspelt(schema))
        for (let from = 0; from < names.length; from += 10) {
          const some = names.slice(from, from + 10)
          const { call } = operation['x-right'] === 'approve' ? person : application
          const answer = await call(
            method.toUpperCase(),
            filled(path),
            within(place, Object.fromEntries(some.map((name) => [slip(name), 1]))),
          )
          const header = String(answer.headers['x-ignored-fields'] ?? '')
          for (const name of some) {
            const whole = [place, slip(name)].filter(Boolean).join('.')
            const named = name.length > 3 ? `${whole}; did you mean ${name}?` : whole
            assert.ok(header.includes(named), `${method} ${path}: ${named} is not in "${header}" ${answer.body}`)
            seen += 1
          }
        }
    }
    assert.ok(seen > 500, `only ${seen} fields`)
  })

  test('in strict handling are 400 by name, with what may be meant', async () => {
    const { call } = await newCaller(service)
    const [detail] = (await call('POST', bills, { items: [{ unit_prise: 3 }] }, strict)).json().details
    assert.deepEqual(
      [detail.field, detail.code, detail.allowed],
      ['items.0.unit_prise', 'unknown_field', ['unit_price']],
    )
  })

  test('stand next to those that are not the client’s to set, and those of rows and of objects are named too', async () => {
    const books = await openBooks(service)
    const { id } = await books.bill()
    const put = await books.call('PUT', `${bills}/${id}`, { id, revision: 3, ntoes: 'x' })
    assert.equal(put.headers['x-ignored-fields'], 'id, revision, ntoes; did you mean notes?')
    const many = await books.call('POST', `${bills}/bulk`, { bills: [{}, { items: [{ unit_prise: 1 }] }] })
    assert.equal(many.headers['x-ignored-fields'], 'bills[1].items[0].unit_prise; did you mean unit_price?')
    const customer = await books.call('POST', '/api/v1/customers', { name: 'A', exernal_id: 'x' })
    assert.equal(customer.headers['x-ignored-fields'], 'exernal_id; did you mean external_id?')
  })

  test('of any name and number make a header that ends, in time that grows with the body alone', async () => {
    const { call } = await newCaller(service)
    const odd = { 'a\r\nset-cookie: x': 1, ['x'.repeat(3000)]: 1 }
    const header = String((await call('POST', bills, odd)).headers['x-ignored-fields'])
    assert.match(header, /^a%0D%0Aset-cookie%3A%20x, x+\.\.\.$/)
    const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`f${index}`, 1]))
    const answer = await call('POST', bills, many)
    assert.equal(answer.statusCode, 201)
    assert.match(String(answer.headers['x-ignored-fields']), /, and 59990 more$/)
    assert.ok(String(answer.headers['x-ignored-fields']).length < 2000)
    assert.ok((await call('POST', bills, many, strict)).json().details.length <= 100)
    // The time of this thread alone, the least of several, since other work and collections only add to it. A name in a large object takes several times
    // as long: 700 times for a hundred times the names was seen. If each name were compared with all, it would be 10,000 times.
    const reader = namesReader(Type.Object({ notes: Type.String() }), () => undefined, 100)
    const microsFor = (names: number, times: number) => {
      const body = Object.fromEntries(Object.entries(many).slice(0, names))
      const rounds = Array.from({ length: 5 }, () => {
        const before = process.threadCpuUsage().user
        for (let time = 0; time < times; time++) reader?.(body)
        return (process.threadCpuUsage().user - before) / times
      })
      return Math.min(...rounds)
    }
    const [few, all] = [microsFor(600, 500), microsFor(60_000, 3)]
    assert.ok(all < 4_000 * Math.max(few, 1), `${few} µs for 600 names, ${all} µs for 60,000`)
  })
})

describe('other names', { concurrency: true }, () => {
  test('of the filters by state and by currency are understood, and one name is in the reference', async () => {
    const { get } = await newCaller(service)
    const searches = operations.filter(
      ({ path, method }) => method === 'get' && path.startsWith('/api/v1/') && !path.includes('{'),
    )
    const names = (operation: Operation) =>
      (operation.parameters ?? []).flatMap(({ name, in: place }) => (place === 'query' && name ? [name] : []))
    const byState = searches.filter(({ operation }) => names(operation).includes('status_ids'))
    assert.ok(byState.length > 20)
    for (const { path, operation } of searches) {
      const other = names(operation).filter(
        (name) =>
          ['statuses', 'states', 'currency', 'currencies'].includes(name) ||
          (name === 'status' && !path.endsWith('/request_log')),
      )
      assert.deepEqual(other, [], path)
    }
    for (const { path } of byState.filter(({ path }) => !/portal|export$/.test(path)))
      for (const name of ['status_ids', 'statuses', 'states', 'status', 'states[]', 'statuses[0]']) {
        const answer = await get(`${path}?${name}=nothing`)
        assert.equal(answer.headers['x-ignored-parameters'], undefined, `${path} ${name}`)
        assert.match(answer.body, /status_ids|"total":0/, `${path} ${name}`)
      }
    const byCurrency = searches.filter(
      ({ path, operation }) => names(operation).includes('currency_ids') && !/portal|export$/.test(path),
    )
    assert.ok(byCurrency.length > 5)
    for (const { path } of byCurrency)
      for (const name of ['currency', 'currencies', 'currency_id'])
        assert.equal((await get(`${path}?${name}=usd`, strict)).statusCode, 200, `${path} ${name}`)
    assert.equal((await get('/api/v1/customers?currency=usd', strict)).statusCode, 200)
    const both = (await get(`${bills}?status=sent&status_ids=paid`)).json()
    assert.deepEqual([both.error_code, both.details[0].field], ['repeated', 'status'])
  })

  test('of the currency keep a statement to it too', async () => {
    const books = await openBooks(service)
    const { id: customer_id } = await books.make('/api/v1/customers', { name: 'A' })
    for (const currency_id of ['usd', 'cad']) {
      const { id } = await books.make('/api/v1/invoices', { customer_id, currency_id, items: [{ unit_price: 5 }] })
      assert.equal((await books.call('POST', `/api/v1/invoices/${id}/save`)).statusCode, 200)
    }
    for (const name of ['currency_id', 'currency', 'currencies', 'currency_ids']) {
      const { statement } = (await books.get(`/api/v1/customers/${customer_id}/statement?${name}=cad`)).json()
      assert.deepEqual(
        statement.currencies.map(({ currency_id }: Json) => currency_id),
        ['cad'],
        name,
      )
    }
  })

  test('of the currency are in nothing of v1 that the reference has', () => {
    const named = (schema: unknown, seen = new Set<string>()): string[] => {
      if (typeof schema !== 'object' || schema === null) return []
      const { $ref, properties } = schema as Schema
      if ($ref) {
        const name = $ref.split('/').at(-1) as string
        if (seen.has(name)) return []
        seen.add(name)
        return named(document.components.schemas[name], seen).map((found) => `${name} ${found}`)
      }
      const own = properties?.currency && !properties.currency.$ref ? ['currency'] : []
      return [...own, ...Object.values(schema).flatMap((inner) => named(inner, seen))]
    }
    const v1 = operations.filter(({ path }) => path.startsWith('/api/v1/'))
    assert.ok(v1.length > 100)
    for (const { operation } of v1) assert.deepEqual(named(operation), [], operation.operationId)
  })

  test('of the currency are understood of objects, which answer with one name', async () => {
    const books = await openBooks(service)
    const { id: customer_id } = await books.make('/api/v1/customers', { name: 'A' })
    for (const many of ['customers', 'orders', 'manifests', 'services', 'partner_carriers']) {
      const path = `/api/v1/${many}`
      const made = await books.make(path, { name: 'A', ...(many === 'orders' && { customer_id }), currency: 'CAD' })
      assert.deepEqual([made.currency_id, 'currency' in made], ['cad', false], many)
      const put = async (body: object) => {
        const answer = await books.call('PUT', `${path}/${made.id}`, body, strict)
        assert.equal(answer.statusCode, 200, answer.body)
        return (Object.values(answer.json())[0] as Json).currency_id
      }
      assert.equal(await put({ currency: 'usd' }), 'usd')
      assert.equal(await put({ currency_id: null, currency: 'eur' }), 'eur')
      assert.equal(await put({ currency: null }), null)
      const both = (await books.call('PUT', `${path}/${made.id}`, { ...made, currency: 'usd' })).json()
      assert.deepEqual([both.error_code, both.details[0].field], ['repeated', 'currency'])
      assert.equal(await put({ ...made, revision: undefined }), 'cad')
      for (const name of ['currency_ids', 'currency', 'currencies', 'currency_id'])
        assert.equal((await books.get(`${path}?${name}=CAD`, strict)).json().total, 1, `${many} ${name}`)
      assert.equal((await books.get(`${path}?sort=-currency_id`)).statusCode, 200)
    }
    const order = await books.make('/api/v1/orders', { customer_id })
    const planned = await books.call(
      'POST',
      '/api/v1/dispatch/manifests',
      { order_ids: [order.id], currency: 'usd' },
      strict,
    )
    assert.equal(planned.statusCode, 201, planned.body)
    assert.equal((await books.get('/api/v1/manifests?currency_ids=usd')).json().total, 1)
  })

  test('of the currency, the lines and the street are understood in bodies', async () => {
    const books = await openBooks(service)
    const made = await books.call(
      'POST',
      bills,
      { currency: 'usd', lines: [{ unit_price: 5 }], bill_to: { address1: 'A 1' } },
      strict,
    )
    assert.equal(made.statusCode, 201, made.body)
    const { bill } = made.json()
    assert.deepEqual([bill.currency_id, bill.total_amount, bill.bill_to.address_1], ['usd', 5, 'A 1'])
    const invoice = await books.make('/api/v1/carrier_invoices', {
      invoice_number: 'A',
      currency: 'usd',
      items: [{ description: 'Linehaul', amount: 7 }],
    })
    assert.equal((invoice.lines as unknown[]).length, 1)
    const { id: manifest_id } = await books.make('/api/v1/manifests', {})
    const { id } = await books.make('/api/v1/emanifests', { manifest_id, border: 'ace' })
    const put = (shipments: unknown) => books.call('PUT', `/api/v1/emanifests/${id}`, { shipments }, strict)
    const goods = [{ currency: 'CAD' }, { currency_id: 'CAD' }]
    const named = await put([{ shipper: { name: 'A', address1: 'Main 1', address2: 'Dock 4' }, commodities: goods }])
    assert.equal(named.statusCode, 200, named.body)
    const { shipments, revision } = named.json().emanifest
    const { shipper, commodities } = shipments[0]
    for (const one of commodities) assert.deepEqual([one.currency_id, 'currency' in one], ['cad', false])
    assert.deepEqual([shipper.address_1, shipper.address_2, 'address1' in shipper], ['Main 1', 'Dock 4', false])
    assert.equal((await put(shipments)).json().emanifest.revision, revision)
    const twice = (await put([{ shipper: { ...shipper, address1: 'Main 2' } }])).json()
    assert.deepEqual([twice.error_code, twice.details[0].field], ['repeated', 'address1'])
    const both = (await books.call('POST', bills, { currency: 'usd', currency_id: 'cad' })).json()
    assert.deepEqual([both.error_code, both.details[0].field], ['repeated', 'currency'])
    assert.equal((await books.call('POST', bills, { currency: 'usd', currency_id: 'usd' })).statusCode, 201)
  })
})

describe('a dry run by the query', { concurrency: true }, () => {
  test('is in the reference for every write that takes one', () => {
    for (const { path, operation } of writes) {
      const names = (operation.parameters ?? []).map(({ name }) => name)
      const prefers = (operation.parameters ?? []).some(
        ({ name, description }) => name === 'Prefer' && description?.includes('dry-run'),
      )
      if (prefers) assert.ok(names.includes(path.startsWith(v2) ? 'dryRun' : 'dry_run'), operation.operationId)
    }
  })

  test('answers as the write would, keeps nothing, and is no part of what is kept', async () => {
    const { tried } = await watchDryRuns(service)
    const { call, org, get } = await newCaller(service)
    const made = await tried((method, url, body) => call(method, url, body), org, 'POST', `${bills}?dry_run=true`, {
      currency_id: 'usd',
    })
    assert.deepEqual(
      [made.statusCode, made.headers['preference-applied'], made.headers['x-ignored-parameters']],
      [201, 'dry-run', undefined],
    )
    for (const query of ['dryRun=true', 'dry_run=true'])
      assert.equal(
        (await call('PATCH', `${v2}/objects?${query}`, { objectKey: 'customer', json: { name: 'A' } })).headers[
          'preference-applied'
        ],
        'dry-run',
      )
    assert.deepEqual([(await get(bills)).json().total, (await get('/api/v1/customers')).json().total], [0, 0])
    for (const query of ['dry_run=yes', 'dry_run=1', 'dry_run=true&dry_run=true']) {
      const answer = await call('POST', `${bills}?${query}`, {})
      assert.deepEqual([answer.statusCode, answer.json().details[0].field], [400, 'dry_run'], query)
    }
    assert.equal((await get(bills)).json().total, 0)
    const done = await call('POST', `${bills}?dry_run=false`, {})
    assert.deepEqual([done.statusCode, done.headers['preference-applied']], [201, undefined])
    assert.equal((await call('POST', `${bills}/exports?dry_run=false&status_ids=draft`)).statusCode, 202)
    assert.equal((await get('/api/v1/transfers')).json().total, 1)
  })

  test('is understood in every spelling, and nothing is done where it is neither yes nor no', async () => {
    const { call, get } = await newCaller(service)
    const names = [
      'DRY_RUN',
      'dryrun',
      'dry-run',
      'Dry-Run',
      'dry_run[]',
      'dry_run[0]',
      'dry_run%5B%5D',
      'dry+run',
      '_dryRun',
    ]
    const applied = async (url: string, headers = {}) => {
      const { statusCode, headers: answered } = await call('POST', url, {}, headers)
      return [statusCode, answered['preference-applied'], answered['x-ignored-parameters']]
    }
    for (const name of names)
      assert.deepEqual(await applied(`${bills}?${name}=true`), [201, 'dry-run', undefined], name)
    for (const prefer of ['dry_run', 'dryrun', 'DRY-RUN', 'dryRun=true', 'dry-run="true"', 'dry-run='])
      assert.deepEqual(await applied(bills, { prefer }), [201, 'dry-run', undefined], prefer)
    const refused = async (url: string, headers = {}) => {
      const answer = await call('POST', url, {}, headers)
      return [answer.statusCode, answer.json().error_code, answer.json().details?.[0].field]
    }
    for (const query of ['dry_run', 'dry_run=', 'DRY_RUN=', 'dry-run=1', 'dry_run=TRUE', 'dry_run[]='])
      assert.deepEqual(await refused(`${bills}?${query}`), [400, 'wrong_type', 'dry_run'], query)
    for (const query of ['dry_run=true&dry-run=false', 'dry_run=false&dry_run[]=true', 'dry_run=&dry_run='])
      assert.deepEqual(await refused(`${bills}?${query}`), [400, 'repeated', 'dry_run'], query)
    for (const prefer of ['dry-run=maybe', 'dry_run=0'])
      assert.deepEqual(await refused(bills, { prefer }), [400, 'wrong_type', 'Prefer'], prefer)
    const application = await newApplication()
    for (const [query, code] of [
      ['dry-run=true', 'dry_run_not_possible'],
      ['DRYRUN[]=true', 'dry_run_not_possible'],
      ['dry_run', 'wrong_type'],
    ] as const)
      assert.equal((await application.call('POST', `/api/v1/webhooks?${query}`, {})).json().error_code, code, query)
    const csv = { 'content-type': 'text/csv' }
    for (const name of names)
      assert.equal(
        (await call('POST', `${bills}/import?${name}=true`, 'external_id\nE1\n', csv)).json().dry_run,
        true,
        name,
      )
    assert.equal((await call('POST', `${bills}/import?dry_run=`, 'external_id\nE1\n', csv)).statusCode, 400)
    assert.equal((await get(bills)).json().total, 0)
    assert.deepEqual(await applied(bills, { prefer: 'dry-run=false' }), [201, undefined, undefined])
    assert.deepEqual(await applied(`${bills}?dry-run=false`), [201, undefined, undefined])
    assert.equal((await get(`${bills}?dry_run=`, { prefer: 'dry-run=maybe' })).json().total, 2)
  })

  test('with the key of a request that was done is answered as that was', async () => {
    const { call } = await newCaller(service)
    const key = { 'idempotency-key': newId() }
    const done = await call('POST', `${bills}?x=1`, { notes: 'once' }, key)
    for (const query of ['x=1&dry_run=true', 'DRY-RUN[0]=true&x=1', 'x=1&dry%5Frun%5B%5D=true']) {
      const again = await call('POST', `${bills}?${query}`, { notes: 'once' }, key)
      assert.deepEqual(
        [again.statusCode, again.headers['idempotent-replayed'], again.json()],
        [201, 'true', done.json()],
        query,
      )
    }
  })
})

describe('a record', { concurrency: true }, () => {
  const books = booksOf
  const setUp = async () => {
    const own: Books = books(await newCaller(service))
    const carrier = await own.make('/api/v1/partner_carriers', { name: 'Cascade', external_id: 'CAR,1' })
    const customer = await own.make('/api/v1/customers', { name: 'Acme', external_id: 'ACME' })
    const type = await own.make('/api/v1/bill_item_types', { name: 'Linehaul', external_id: 'LH' })
    const order = await own.make('/api/v1/orders', { customer_id: 'ext:ACME', external_id: 'SO-1' })
    const manifest = await own.make('/api/v1/manifests', {
      partner_carrier_id: 'ext:CAR,1',
      order_ids: ['external_id:SO-1'],
      external_id: 'TRIP',
    })
    return { ...own, carrier, customer, type, order, manifest }
  }

  test('is named by its external id in the bodies of documents, payments, statements and carrier invoices, in one query', async () => {
    const { make, call, carrier, customer, type, order, manifest } = await setUp()
    assert.deepEqual(
      [manifest.partner_carrier_id, manifest.order_ids, order.customer_id],
      [carrier.id, [order.id], customer.id],
    )
    const items = [{ unit_price: 9, bill_item_type_id: 'ext:LH', manifest_id: 'ext:TRIP' }]
    const bill = await make(bills, {
      currency_id: 'usd',
      external_id: 'B1',
      partner_carrier_id: 'ext:CAR,1',
      master_trip_id: 'external_id:TRIP',
      items,
    })
    assert.deepEqual([bill.partner_carrier_id, bill.master_trip_id], [carrier.id, manifest.id])
    const [line] = (await call('GET', `${bills}/${bill.id}/items`)).json().bill_items
    assert.deepEqual([line.bill_item_type_id, line.manifest_id], [type.id, manifest.id])
    const rows = [
      { external_id: 'B2', currency_id: 'usd', partner_carrier_id: 'ext:CAR,1', sub_total_amount: 4 },
      { partner_carrier_id: 'ext:none' },
    ]
    const bulk = (await call('POST', `${bills}/bulk`, { bills: rows })).json()
    assert.deepEqual([bulk.results[0].status, bulk.results[1].error.error_code], ['created', 'unknown_reference'])
    for (const id of ['ext:B1', 'ext:B2']) assert.equal((await call('POST', `${bills}/${id}/save`)).statusCode, 200)
    const payment = await make('/api/v1/payments', {
      ...{ direction: 'out', currency_id: 'usd', partner_carrier_id: 'ext:CAR,1', amount: 2, method: 'check' },
      allocations: [{ bill_id: 'ext:B1', amount: 2 }],
    })
    assert.equal((payment.allocations as Json[])[0]?.bill_id, bill.id)
    const statement = await make('/api/v1/consolidated_bills', { bill_ids: ['ext:B2'] })
    assert.equal((statement.bill_ids as string[]).length, 1)
    const invoice = await make('/api/v1/invoices', {
      currency_id: 'usd',
      customer_id: 'ext:ACME',
      items: [{ unit_price: 1, order_id: 'ext:SO-1' }],
    })
    assert.equal(invoice.customer_id, customer.id)
    const carrierInvoice = await make('/api/v1/carrier_invoices', {
      invoice_number: '7',
      currency_id: 'usd',
      partner_carrier_id: 'ext:CAR,1',
      manifest_ids: ['ext:TRIP'],
    })
    assert.deepEqual([carrierInvoice.partner_carrier_id, carrierInvoice.manifest_ids], [carrier.id, [manifest.id]])
  })

  test('that nothing is called so is 400 by its field, also of another organization', async () => {
    const { call } = await newCaller(service)
    const other = await openBooks(service)
    await other.make('/api/v1/partner_carriers', { name: 'A', external_id: 'theirs' })
    for (const [url, body, field] of [
      [bills, { partner_carrier_id: 'ext:theirs' }, 'partner_carrier_id'],
      [bills, { items: [{ unit_price: 1, bill_item_type_id: 'ext:none' }] }, 'items.0.bill_item_type_id'],
      ['/api/v1/consolidated_bills', { bill_ids: ['ext:none'] }, 'bill_ids.0'],
      ['/api/v1/orders', { customer_id: 'ext:none' }, 'customer_id'],
    ] as const) {
      const { error_code, details } = (await call('POST', url, body)).json()
      assert.deepEqual([error_code, details[0].field], ['unknown_reference', field], url)
    }
    assert.deepEqual((await call('POST', bills, { partner_carrier_id: 'nonsense' })).json().error_code, 'bad_uuid')
    const filter = (await call('GET', `${bills}?partner_carrier_ids=ext:theirs`)).json()
    assert.deepEqual([filter.error_code, filter.details[0].field], ['unknown_reference', 'partner_carrier_ids.0'])
  })

  test('is named by its external id in filters, commas and all', async () => {
    const { make, get, carrier, customer, order, manifest } = await setUp()
    await make(bills, { partner_carrier_id: carrier.id, items: [{ unit_price: 1, manifest_id: manifest.id }] })
    await make(bills, {})
    await make('/api/v1/invoices', { customer_id: customer.id })
    const total = async (url: string) => (await get(url)).json().total
    const comma = encodeURIComponent('ext:CAR,1')
    assert.deepEqual(
      [
        await total(`${bills}?partner_carrier_ids[]=${comma}`),
        await total(`${bills}?in_manifest_ids=ext:TRIP`),
        await total(`${bills}?in_manifest_ids=${manifest.full_id},${newId()}`),
        await total('/api/v1/invoices?customer_ids=ext:ACME'),
        await total('/api/v1/orders?customer_ids=external_id:ACME'),
        await total(`/api/v1/orders?ids=${order.full_id}`),
        await total('/api/v1/manifests?order_ids=ext:SO-1'),
      ],
      [1, 1, 1, 1, 1, 1, 1],
    )
  })

  test('is named by its external id and its number wherever documents are listed, summed or exported, and next to its type', async () => {
    const { call, get, make, carrier } = await setUp()
    await make(bills, { external_id: 'B,1', currency_id: 'usd', partner_carrier_id: carrier.id, sub_total_amount: 7 })
    const bill = (await call('POST', `${bills}/ext:B,1/save`)).json().bill
    const payment = await make('/api/v1/payments', {
      ...{ direction: 'out', currency_id: 'usd', partner_carrier_id: carrier.id, amount: 9, external_id: 'P1' },
      ...{ method: 'check', paid_at: '2026-11-01' },
    })
    await call('POST', `/api/v1/payments/${payment.number}/refund`, { amount: 1 })
    const named = [`ids[]=${encodeURIComponent('ext:B,1')}`, `ids=${bill.number}`, `ids=${bill.id}`]
    for (const query of named) {
      assert.equal((await get(`${bills}?${query}`)).json().total, 1, query)
      assert.equal((await get(`${bills}/totals?${query}`)).json().totals.length, 1, query)
      assert.match((await get(`${bills}/export?format=csv&${query}`)).body, new RegExp(bill.id), query)
      assert.equal((await call('POST', `${bills}/exports?${query}`)).statusCode, 202, query)
    }
    for (const name of [payment.number, 'ext:P1'])
      assert.equal((await get(`/api/v1/payments?refund_of_ids=${name}`)).json().total, 1, String(name))
    for (const name of [bill.number, encodeURIComponent('ext:B,1')]) {
      const found = (await get(`/api/v1/events?subject_type=bill&subject_id=${name}&limit=1`)).json().events
      assert.equal(found[0].subject.id, bill.id)
      assert.equal((await get(`/api/v1/mails?record_type=bill&record_id=${name}`)).statusCode, 200)
    }
    const carriers = (await get(`/api/v1/events?subject_type=partner&subject_id=${carrier.full_id}`)).json().events
    assert.equal(carriers[0].subject.id, carrier.id)
    assert.equal((await get(`/api/v1/events?subject_type=invoice&subject_id=${bill.number}`)).statusCode, 400)
    assert.equal((await get(`/api/v1/events?subject_id=${bill.number}`)).statusCode, 400)
  })

  test('with a number is named by it in paths, in bodies and in the filter', async () => {
    const own = await openBooks(service)
    const { call, get, make } = own
    const bill = await own.bill('saved', { partner_carrier_id: newId() })
    const { number } = bill
    for (const name of [number, String(number).toLowerCase(), 'BILL-1'])
      assert.equal((await get(`${bills}/${name}`)).json().bill.id, bill.id)
    assert.equal((await call('PUT', `${bills}/${number}`, { notes: 'by number' })).statusCode, 200)
    for (const part of ['items', 'history', 'payments'])
      assert.equal((await get(`${bills}/${number}/${part}`)).statusCode, 200, part)
    assert.equal((await get(`${bills}?number=${number}`)).json().bills[0].id, bill.id)
    assert.equal((await get(`${bills}?number=BILL-000077`)).json().total, 0)
    assert.equal((await get(`${bills}?number=INV-000001`)).statusCode, 400)
    assert.deepEqual(
      [
        (await get(`${bills}/BILL-000077`)).statusCode,
        (await get(`${bills}/INV-000001`)).statusCode,
        (await get(`${bills}/BILL-`)).statusCode,
      ],
      [404, 400, 400],
    )
    const statement = await own.statement([{ id: String(number) }])
    await call('POST', `/api/v1/consolidated_bills/${statement.id}/save`)
    assert.equal((await get('/api/v1/consolidated_bills/STMT-000001')).json().consolidated_bill.id, statement.id)
    assert.equal((await get('/api/v1/consolidated_bills?number=STMT-000001')).json().total, 1)
    assert.equal((await call('PUT', '/api/v1/consolidated_bills/STMT-000001', { notes: 'x' })).statusCode, 200)
    const invoice = await make('/api/v1/invoices', { currency_id: 'usd', sub_total_amount: 5, customer_id: newId() })
    await call('POST', `/api/v1/invoices/${invoice.id}/save`)
    assert.equal((await call('POST', '/api/v1/invoices/INV-000001/pay')).statusCode, 200)
    assert.equal((await get('/api/v1/payments/PAY-000001')).json().payment.number, 'PAY-000001')
    assert.equal((await get('/api/v1/payments?number=PAY-000001')).json().total, 1)
    const credit = await make('/api/v1/credits', {
      direction: 'in',
      currency_id: 'usd',
      sub_total_amount: 5,
      customer_id: newId(),
    })
    await call('POST', `/api/v1/credits/${credit.id}/save`)
    assert.equal((await get('/api/v1/credits/CR-000001')).json().credit.id, credit.id)
    assert.equal((await get('/api/v1/payment_runs/RUN-000001')).statusCode, 404)
    assert.equal((await get('/api/v1/payment_runs?number=RUN-000001')).json().total, 0)
  })

  test('of the object model is named by its full id in paths of v1 and v2', async () => {
    const { call, get, customer, manifest } = await setUp()
    const name = String(customer.full_id)
    assert.equal((await get(`/api/v1/customers/${name}`)).json().customer.id, customer.id)
    assert.equal((await call('PUT', `/api/v1/customers/${name}`, { city: 'Oakland' })).statusCode, 200)
    assert.equal((await get(`/api/v1/customers/${name}/history`)).json().total, 2)
    assert.equal((await get(`/api/v1/customers?number=${name}`)).json().total, 1)
    assert.equal((await get(`/api/v1/manifests/${manifest.full_id}/track`)).statusCode, 200)
    assert.equal(
      (
        await call('POST', `/api/v1/manifests/${manifest.full_id}/positions`, {
          positions: [{ at: '2026-11-01T00:00:00Z', latitude: 1, longitude: 2 }],
        })
      ).statusCode,
      201,
    )
    assert.equal((await get(`${v2}/objects/${name}`)).json().id, customer.id)
    assert.equal((await call('PUT', `${v2}/objects/${name}`, { json: { city: 'Reno' } })).statusCode, 200)
    assert.deepEqual(
      [(await get('/api/v1/customers/CUST-99')).statusCode, (await get(`${v2}/objects/CUST-99`)).statusCode],
      [404, 404],
    )
    assert.equal((await get(`/api/v1/orders/${name}`)).statusCode, 404)
    assert.equal((await call('DELETE', `${v2}/objects/${manifest.full_id}`)).statusCode, 204)
  })
})
