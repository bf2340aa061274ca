import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, callerIn, newCaller, newItemTypes, sharedService } from '../../../test/service.ts'
import { csvLine, readCsv } from '../../platform/core/tables/csv.ts'
import { createDefinition } from '../definitions/actions.ts'

const service = await sharedService()
const base = '/api/v2/platformModel'

type Json = Record<string, unknown>
type Result = {
  line: number
  status: string
  id: string
  externalId: string
  version: number
  error?: { code: string; statusCode: number; details: { field: string }[] }
}
type Report = { counts: Record<string, number>; results: Result[]; unknownColumns: string[]; ignoredColumns: string[] }

async function exported({ get }: Pick<Caller, 'get'>, objectKey: string, query = ''): Promise<string> {
  const answer = await get(`${base}/objects/export?objectKey=${objectKey}${query}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.body
}

async function imported({ call }: Pick<Caller, 'call'>, objectKey: string, csv: string, query = ''): Promise<Report> {
  const answer = await call('POST', `${base}/objects/import?objectKey=${objectKey}${query}`, csv, {
    'content-type': 'text/csv',
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function make({ call }: Pick<Caller, 'call'>, objectKey: string, ...rows: Json[]): Promise<string[]> {
  const answer = await call('POST', `${base}/objects/bulk`, {
    mode: 'all_or_nothing',
    objects: rows.map((json) => ({ objectKey, json })),
  })
  assert.equal(answer.json().applied, true, answer.body)
  return answer.json().results.map(({ id }: Result) => id)
}

const tableOf = async (csv: string) => {
  const [header, ...rows] = (await Array.fromAsync(readCsv([Buffer.from(csv)]))).map(({ cells }) => cells)
  return rows.map((cells) => Object.fromEntries((header as string[]).map((name, index) => [name, cells[index]])))
}

/** An object of every type of field, with everything that a file could bend. */
const odd = {
  name: '=1+1',
  externalId: "'tis",
  city: ' ',
  notes: 'two\r\nlines, "quoted"',
  creditLimit: -250,
  latitude: 12.5e-7,
  tags: ['a', 'ä;b', ''],
  billingAddress: { city: 'Linz', postal: '04020', latitude: 48.3, dock: { door: 7 } },
  etaDelayNotifyEnabled: true,
  loyalty: { tier: 'gold', since: [2019, null] },
  phone: '',
}

describe('GET /objects/export and POST /objects/import', { concurrency: true }, () => {
  test('an export that is imported again changes nothing; imported into another organization it creates the same objects', async () => {
    const caller = await newCaller(service)
    const [first, second] = await make(caller, 'customer', odd, { name: 'Plain', externalId: 'P', status: 'inactive' })
    await caller.call('PUT', `${base}/objects/${second}`, { json: { city: null, website: 'x' } })
    const csv = await exported(caller, 'customer')
    const again = await imported(caller, 'customer', csv)
    assert.deepEqual(again.counts, { created: 0, updated: 0, unchanged: 2, failed: 0 }, JSON.stringify(again.results))
    assert.deepEqual(again.unknownColumns, [])
    const elsewhere = await newCaller(service)
    assert.equal((await imported(elsewhere, 'customer', csv)).counts.created, 2)
    const own = async ({ get }: Pick<Caller, 'get'>, externalId: string) => {
      const answer = await get(`${base}/objects/customer/${encodeURIComponent(externalId)}/external`)
      const { id, orgId, fullId, source, version, createdAt, createdBy, updatedAt, updatedBy, ...fields } =
        answer.json()
      return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
    }
    for (const externalId of [odd.externalId, 'P'])
      assert.deepEqual(await own(elsewhere, externalId), await own(caller, externalId))
    assert.equal(
      (
        await elsewhere.get(
          `${base}/objects?objectKey=customer&filter=${encodeURIComponent('{"field":"source","op":"eq","value":"import"}')}`,
        )
      ).json().total,
      2,
    )
    assert.ok(first)
    await newItemTypes(caller, 'Line haul')
    const manifests = await make(
      caller,
      'manifest',
      {
        referenceNumber: 'T-1',
        paymentItems: [{ type: 'Line haul', unitPrice: 5 }],
        startAt: '2026-11-16T06:00:00+02:00',
      },
      {},
    )
    const [unnamed] = (await tableOf(await exported(caller, 'manifest', '&sort=createdAt'))).slice(1)
    assert.deepEqual([unnamed?.id, unnamed?.name, unnamed?.fullId], [manifests[1], null, 'MAN-2'])
    assert.equal((await imported(caller, 'manifest', await exported(caller, 'manifest'))).counts.unchanged, 2)
  })

  test('an export has the filters and the order of a search, as CSV or NDJSON, and of nothing it is a header', async () => {
    const caller = await newCaller(service)
    await make(
      caller,
      'customer',
      ...['Ann', 'Bo', 'Cy'].map((name) => ({ name, city: name === 'Bo' ? 'Reno' : 'Oakland' })),
    )
    const filter = `&filter=${encodeURIComponent('{"field":"city","op":"eq","value":"Oakland"}')}`
    assert.deepEqual(
      (await tableOf(await exported(caller, 'customer', `${filter}&sort=-name`))).map(({ name }) => name),
      ['Cy', 'Ann'],
    )
    const lines = (await exported(caller, 'customer', '&format=ndjson&sort=name'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const list = (await caller.get(`${base}/objects?objectKey=customer&sort=name`)).json().objects
    assert.deepEqual(lines, list)
    const byAccept = await caller.get(`${base}/objects/export?objectKey=customer&q=bo`, {
      accept: 'application/x-ndjson',
    })
    assert.deepEqual([byAccept.headers['content-type'], byAccept.body.split('\n').length], ['application/x-ndjson', 2])
    assert.match(
      await exported(caller, 'order'),
      /^id,externalId,fullId,status,name,customerId,[^\n]*pickup\.city,[^\n]*otherFields,[^\n]*\r\n$/,
    )
    for (const [query, status] of [
      ['objectKey=nonsense', 400],
      ['objectKey=customer&sort=x', 400],
      ['objectKey=customer&format=xml', 400],
      ['', 400],
    ] as const)
      assert.equal((await caller.get(`${base}/objects/export?${query}`)).statusCode, status)
    assert.equal(
      (await caller.get(`${base}/objects/export?objectKey=customer`, { accept: 'image/png' })).statusCode,
      406,
    )
    const narrow = callerIn(service, caller.org, ['orders'])
    assert.equal((await narrow.get(`${base}/objects/export?objectKey=customer`)).statusCode, 403)
    assert.equal(
      (
        await narrow.call('POST', `${base}/objects/import?objectKey=customer`, 'name\nx\n', {
          'content-type': 'text/csv',
        })
      ).statusCode,
      403,
    )
  })

  test('a row changes the object it names and only its columns; what is wrong is said of its line and column; a dry run keeps nothing', async () => {
    const caller = await newCaller(service)
    const [ann] = await make(
      caller,
      'customer',
      { name: 'Ann', externalId: 'A', city: 'Reno', billingAddress: { city: 'Linz', postal: '4020' } },
      { name: 'Bo' },
    )
    const file = [
      ['id', 'externalId', 'name', 'creditLimit', 'latitude', 'billingAddress.city', 'tags', 'colour', 'version'],
      [null, 'A', 'Ann', '700', '1.5', 'Wels', '["x"]', 'red', '9'],
      [null, 'B', 'Bea', null, null, null, null, null, null],
      [null, 'C', null, null, null, null, null, null, null],
      [null, 'D', 'Di', '1.5', 'north', null, null, null, null],
      [null, 'E', 'Ed', null, null, null, '{', null, null],
      [null, 'B', 'Bea again', null, null, null, null, null, null],
    ]
    const csv = file.map((cells) => csvLine(cells)).join('')
    const said = ({ results }: Report) =>
      results.map(({ line, status, error }) => [
        line,
        status,
        error?.code,
        error?.details.map(({ field }) => field).join(),
      ])
    const wrong = [
      [4, 'failed', 'required', 'name'],
      [5, 'failed', 'invalid_request', 'creditLimit,latitude'],
      [6, 'failed', 'malformed_json', 'tags'],
      [7, 'failed', 'duplicate_row', 'externalId'],
    ]
    const tried = await imported(caller, 'customer', csv, '&dryRun=true')
    assert.deepEqual(said(tried), [
      [2, 'would_update', undefined, undefined],
      [3, 'would_create', undefined, undefined],
      ...wrong,
    ])
    assert.equal((await caller.get(`${base}/objects?objectKey=customer`)).json().total, 2)
    const done = await imported(caller, 'customer', csv)
    assert.deepEqual(said(done), [[2, 'updated', undefined, undefined], [3, 'created', undefined, undefined], ...wrong])
    assert.deepEqual([done.unknownColumns, done.ignoredColumns], [['colour'], ['version']])
    const after = (await caller.get(`${base}/objects/${ann}`)).json()
    assert.deepEqual(
      [after.city, after.creditLimit, after.billingAddress, after.tags, after.version],
      ['Reno', 700, { city: 'Wels', postal: '4020' }, ['x'], 2],
    )
    const byId = await imported(caller, 'customer', `id,externalId,city\n${ann},A2,\n`)
    assert.deepEqual(said(byId), [[2, 'updated', undefined, undefined]])
    const moved = (await caller.get(`${base}/objects/${ann}`)).json()
    assert.deepEqual([moved.externalId, moved.city], ['A2', null])
    const strict = await caller.call('POST', `${base}/objects/import?objectKey=customer`, csv, {
      'content-type': 'text/csv',
      prefer: 'handling=strict',
    })
    assert.deepEqual([strict.statusCode, strict.json().details[0].field], [400, 'colour'])
    for (const [body, type, status] of [
      ['name\n"x', 'text/csv', 400],
      ['', 'text/csv', 400],
      ['nothing\nx', 'text/csv', 400],
      ['{}', 'application/json', 415],
    ] as const)
      assert.equal(
        (await caller.call('POST', `${base}/objects/import?objectKey=customer`, body, { 'content-type': type }))
          .statusCode,
        status,
        body,
      )
  })

  test('a kind of the organization’s own is exported and imported by its definition, in several lots, with its references', async () => {
    const caller = await newCaller(service)
    const fields = [
      { key: 'customerId', name: 'Customer', type: 'reference', objectKey: 'customer' },
      { key: 'checked', name: 'Checked', type: 'boolean' },
      { key: 'grades', name: 'Grades', type: 'multi-select', options: ['a', 'b'] },
    ]
    await createDefinition(caller.ctx, { objectKey: 'inspection', name: 'Inspection', prefix: 'INSP', fields } as never)
    const [customer] = await make(caller, 'customer', { name: 'Ann' })
    const rows = Array.from(
      { length: 600 },
      (_, index) => `I${index},${index % 2 ? customer : ''},${index % 3 === 0},"[""a""]"`,
    )
    const report = await imported(
      caller,
      'inspection',
      `externalId,customerId,checked,grades\n${rows.join('\n')}\nlast,${caller.org},true,\n`,
    )
    assert.deepEqual(report.counts, { created: 600, updated: 0, unchanged: 0, failed: 1 })
    assert.deepEqual([report.results.at(-1)?.line, report.results.at(-1)?.error?.code], [602, 'unknown_reference'])
    assert.equal((await imported(caller, 'inspection', await exported(caller, 'inspection'))).counts.unchanged, 600)
  })

  test('a cell is stored as it is or refused: duplicate keys, numbers that no double holds, otherFields that are no object', async () => {
    const caller = await newCaller(service)
    const cells: [string, string, string, string?][] = [
      ['otherFields', '"{""a"":{""b"":1,""b"":2}}"', 'duplicate_key', 'otherFields.a.b'],
      ['otherFields', '"{""n"":12345678901234567890}"', 'inexact_number', 'otherFields.n'],
      ['otherFields', '"{""n"":1e999}"', 'inexact_number', 'otherFields.n'],
      ['otherFields', '[1]', 'wrong_type'],
      ['otherFields', '"{""__proto__"":1}"', 'bad_key', 'otherFields.__proto__'],
      ['latitude', '0.12345678901234567890123', 'inexact_number'],
      ['latitude', '1e999', 'inexact_number'],
      ['latitude', '.', 'wrong_type'],
      ['creditLimit', '12345678901234567890', 'wrong_type'],
      ['tags', '[1]', 'wrong_type', 'tags.0'],
      ['boardId', 'x', 'bad_uuid'],
    ]
    for (const [column, cell, code, field = column] of cells) {
      const { results } = await imported(caller, 'customer', `name,${column}\nx,${cell}\n`)
      assert.deepEqual([results[0]?.error?.code, results[0]?.error?.details[0]?.field], [code, field], cell)
    }
    const good = ['+.5', '5.', '1.50e1', '-0.0', ' 12 ']
    const { results } = await imported(
      caller,
      'customer',
      `name,latitude\n${good.map((cell) => `x,${cell}`).join('\n')}\n`,
    )
    const read = await Promise.all(
      results.map(async ({ id }) => (await caller.get(`${base}/objects/${id}`)).json().latitude),
    )
    assert.deepEqual(read, [0.5, 5, 15, 0, 12])
  })

  test('a file can refer to objects by external id and fullId, also to those of its own rows; a reference to nothing is refused with its column', async () => {
    const caller = await newCaller(service)
    const fields = [
      { key: 'customerId', name: 'Customer', type: 'reference', objectKey: 'customer' },
      { key: 'afterId', name: 'After', type: 'reference', objectKey: 'inspection' },
      {
        key: 'stops',
        name: 'Stops',
        type: 'list',
        items: { fields: [{ key: 'whereId', name: 'Where', type: 'reference', objectKey: 'customer' }] },
      },
    ]
    await createDefinition(caller.ctx, { objectKey: 'inspection', name: 'Inspection', prefix: 'INSP', fields } as never)
    const [ann, bo] = await make(caller, 'customer', { name: 'Ann', externalId: 'a,"1"' }, { name: 'Bo' })
    const csv = [
      'externalId,customerId,afterId,stops',
      'I1,"ext:a,""1""",,',
      'I2,CUST-2,ext:I1,"[{""whereId"":""CUST-1""}]"',
      'I3,ext:nobody,ext:I4,',
    ].join('\n')
    const wrong = [4, 'failed', ['customerId', 'afterId']]
    const said = ({ results }: Report) =>
      results.map(({ line, status, error }) => [line, status, error?.details.map(({ field }) => field)])
    assert.deepEqual(said(await imported(caller, 'inspection', csv, '&dryRun=true')), [
      [2, 'would_create', undefined],
      [3, 'would_create', undefined],
      wrong,
    ])
    const done = await imported(caller, 'inspection', csv)
    assert.deepEqual(said(done), [[2, 'created', undefined], [3, 'created', undefined], wrong])
    const [first, second] = done.results
    const read = async (id: string | undefined) => (await caller.get(`${base}/objects/${id}`)).json()
    assert.equal((await read(first?.id)).customerId, ann)
    const { customerId, afterId, stops } = await read(second?.id)
    assert.deepEqual([customerId, afterId, stops], [bo, first?.id, [{ whereId: ann }]])
  })
})
