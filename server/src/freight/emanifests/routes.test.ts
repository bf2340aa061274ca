import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { X12Parser } from 'node-x12'
import { complete, decisionOn, fromCustoms, shipment, statusOf, syntaxOf } from '../../../test/customs.ts'
import { applicationIn, type Caller, callerIn, newCaller, sharedService } from '../../../test/service.ts'
import { faultsOf } from '../../../test/x12/check.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { sql } from '../../platform/db/sql/sql.ts'

const service = await sharedService()
const path = '/api/v1/emanifests'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
type Json = Record<string, any>

/** An organization with a manifest of one order that goes from Montreal to Seattle, and what can be done with its e-manifests. */
async function office() {
  const { org } = await newCaller(service)
  const caller = applicationIn(service, org)
  const make = async (at: string, body: Json): Promise<string> => {
    const answer = await caller.call('POST', `/api/v1/${at}`, body)
    assert.equal(answer.statusCode, 201, answer.body)
    return (Object.values(answer.json())[0] as { id: string }).id
  }
  const partner_carrier_id = await make('partner_carriers', { name: 'Cascade Carriers', scac: 'CSCD' })
  const customer_id = await make('customers', { name: 'Légumes du Nord' })
  const order = await make('orders', {
    customer_id,
    ...{ commodity: 'Frozen vegetables', pieces: 22, weight: 18400, weight_unit: 'kg' },
    pickup: {
      company_name: 'Légumes du Nord',
      address1: '1200 Rue Notre-Dame',
      city: 'Montréal',
      state: 'QC',
      postal: 'H3C 1J5',
      country: 'CA',
    },
    delivery: {
      company_name: 'Northside Grocers',
      address1: '410 Pine St',
      city: 'Seattle',
      state: 'WA',
      postal: '98101',
      country: 'US',
    },
  })
  const equipment_id = await make('equipment', {
    unit_number: 'R-2210',
    equipment_type: 'reefer',
    license_plate: 'tr998',
    license_state: 'ON',
  })
  const stops = [
    { kind: 'pickup', address: { city: 'Montréal', country: 'CA' } },
    {
      kind: 'border',
      address: { city: 'Blaine' },
      window_start: '2099-11-18T15:30:00Z',
      reference_numbers: ['BLAINE', '3004'],
    },
    { kind: 'delivery', address: { city: 'Seattle', country: 'US' } },
  ]
  const manifest = await make('manifests', {
    ...{
      partner_carrier_id,
      equipment_id,
      order_ids: [order],
      reference_number: 'TRIP-5521',
      driver_name: 'Sam Lee Ortiz',
      driver_phone: '+1 206 555 0199',
      stops,
    },
  })
  const post = async (at: string, body?: Json, status = 200): Promise<Json> => {
    const answer = await caller.call('POST', at === '' ? path : `${path}/${at}`, body)
    assert.equal(answer.statusCode, status, answer.body)
    return answer.json()
  }
  const create = async (border = 'ace'): Promise<Json> =>
    (await post('', { manifest_id: manifest, border }, 201)).emanifest
  const read = async (id: string): Promise<Json> => (await caller.get(`${path}/${id}`)).json().emanifest
  let trips = 0
  /** One that is validated. */
  const ready = async (more: Json = {}, border = 'ace'): Promise<Json> => {
    trips += 1
    const { id } = await create(border)
    const types = border === 'aci' ? { shipments: [shipment('CSCD0099321', { type: 'pars' })] } : {}
    const put = await caller.call('PUT', `${path}/${id}`, complete(`CSCDTRIP${trips}`, { ...types, ...more }))
    assert.equal(put.statusCode, 200, put.body)
    const { valid, missing, emanifest } = await post(`${id}/validate`)
    assert.deepEqual([valid, missing, emanifest.state], [true, [], 'validated'])
    return emanifest
  }
  let answers = 0
  const acknowledge = (...transactions: Parameters<typeof fromCustoms>[0][number][]) => {
    answers += 1
    return send(fromCustoms(transactions, { control: String(answers).padStart(9, '0') }))
  }
  const send = (text: string) =>
    caller.call('POST', `${path}/acknowledgements`, text as never, { 'content-type': 'application/edi-x12' })
  const submitted = async (more: Json = {}, border = 'ace'): Promise<Json> =>
    (await post(`${(await ready(more, border)).id}/submit`)).emanifest
  const accepted = async (more: Json = {}): Promise<Json> => {
    const { id, trip_number } = await submitted(more)
    const answer = await acknowledge(decisionOn(trip_number))
    assert.equal(answer.statusCode, 200, answer.body)
    return read(id)
  }
  const events = async (id: string): Promise<string[]> =>
    (await caller.get(`${path}/${id}/history?limit=100`))
      .json()
      .events.map(({ type }: { type: string }) => type.split('.')[1])
      .reverse()
  const content = async ({ id }: Json, filing: Json) => {
    const { body } = await caller.get(`${path}/${id}/filings/${filing.id}/content`, { accept: '*/*' })
    assert.deepEqual(faultsOf(body), [])
    return body
  }
  return {
    ...caller,
    org,
    make,
    manifest,
    order,
    post,
    create,
    read,
    ready,
    submitted,
    accepted,
    acknowledge,
    send,
    events,
    content,
  }
}

const codeOf = (answer: Awaited<ReturnType<Caller['call']>>) => [answer.statusCode, answer.json().error_code]

describe('an e-manifest', { concurrency: true }, () => {
  test('is filled from the manifest, its carrier, its border stop, its orders and its equipment', async () => {
    const { create, order, manifest } = await office()
    const made = await create()
    assert.match(made.manifest_number, /^MAN-/)
    assert.deepEqual(
      [made.manifest_id, made.border, made.state, made.carrier_code, made.trip_number, made.port, made.crossing_at],
      [manifest, 'ace', 'draft', 'CSCD', 'CSCDTRIP5521', '3004', '2099-11-18T15:30:00.000Z'],
    )
    assert.deepEqual([made.driver.first_name, made.driver.last_name, made.tractor], ['Sam Lee', 'Ortiz', null])
    assert.deepEqual(made.trailers, [
      { number: 'R-2210', kind: 'reefer', plate: 'TR998', plate_state: 'ON', plate_country: null, seals: [] },
    ])
    const [shipment] = made.shipments
    assert.deepEqual(
      [shipment.order_id, shipment.type, shipment.control_number, shipment.shipper.city, shipment.consignee.name],
      [order, 'paps', null, 'Montréal', 'Northside Grocers'],
    )
    assert.deepEqual(
      [shipment.commodities[0].description, shipment.commodities[0].quantity, shipment.commodities[0].weight],
      ['Frozen vegetables', 22, 18400],
    )
  })

  test('of a manifest that says nothing is empty, and validating names every field at its place', async () => {
    const { make, post, read } = await office()
    const { id } = (await post('', { manifest_id: await make('manifests', {}), border: 'aci' }, 201)).emanifest
    const { valid, missing, emanifest } = await post(`${id}/validate`)
    assert.deepEqual([valid, emanifest.state], [false, 'draft'])
    assert.deepEqual(
      missing.map(({ field }: Json) => field),
      ['carrier_code', 'trip_number', 'port', 'crossing_at', 'driver', 'tractor', 'shipments'],
    )
    assert.equal((await read(id)).revision, 1)
  })

  test('of a manifest or a stop that is not there is refused with the field, and makes nothing', async () => {
    const { call, manifest, get } = await office()
    const other = await office()
    for (const [body, field] of [
      [{ manifest_id: newId(), border: 'ace' }, 'manifest_id'],
      [{ manifest_id: other.manifest, border: 'ace' }, 'manifest_id'],
      [{ manifest_id: manifest, border: 'ace', stop_id: newId() }, 'stop_id'],
      [{ manifest_id: manifest, border: 'eu' }, 'border'],
    ] as const) {
      const answer = await call('POST', path, body)
      assert.deepEqual([answer.statusCode, answer.json().details[0].field], [400, field], answer.body)
    }
    assert.equal((await get(path)).json().total, 0)
  })

  test('is changed field by field; what has the wrong form is refused by name, and nothing is kept', async () => {
    const { create, call, read } = await office()
    const { id, revision } = await create()
    const changed = await call('PUT', `${path}/${id}`, {
      port: '0901',
      driver: { first_name: 'Ana', citizenship: 'ca' },
    })
    assert.equal(changed.statusCode, 200, changed.body)
    const { emanifest } = changed.json()
    assert.deepEqual(
      [emanifest.port, emanifest.driver.citizenship, emanifest.driver.last_name, emanifest.trip_number],
      ['0901', 'CA', null, 'CSCDTRIP5521'],
    )
    const wrong = await call('PUT', `${path}/${id}`, {
      port: 'Blaine'.slice(0, 4),
      carrier_code: '?',
      notes: 1,
      is_empty: true,
    })
    assert.deepEqual(
      [wrong.statusCode, wrong.json().details.map(({ field }: Json) => field)],
      [400, ['carrier_code', 'port']],
    )
    for (const body of [
      { shipments: [{ commodities: [{ quantity: 'x' }] }] },
      { driver: { documents: [{ type: 'visa' }] } },
      { crossing_at: 'soon' },
      { shipments: null },
    ])
      assert.equal((await call('PUT', `${path}/${id}`, body)).statusCode, 400)
    assert.deepEqual(codeOf(await call('PUT', `${path}/${id}`, { port: '3004' }, { 'if-match': `"${revision}"` })), [
      412,
      'stale',
    ])
    assert.equal((await read(id)).revision, revision + 1)
  })

  test('has a trip number that no other of its border has, until one of them is cancelled', async () => {
    const { create, call, post } = await office()
    const [first, second, other] = [await create(), await create(), await create('aci')]
    assert.deepEqual([first.trip_number, second.trip_number, other.trip_number], ['CSCDTRIP5521', null, 'CSCDTRIP5521'])
    assert.deepEqual(codeOf(await call('PUT', `${path}/${second.id}`, { trip_number: 'cscd-trip 5521' })), [
      409,
      'trip_number_taken',
    ])
    await post(`${first.id}/cancel`)
    assert.equal((await call('PUT', `${path}/${second.id}`, { trip_number: 'CSCDTRIP5521' })).statusCode, 200)
  })

  test('goes from draft to accepted: validated, submitted with a 309 that another reader reads, acknowledged', async () => {
    const { ready, post, acknowledge, events, content, read } = await office()
    const { id } = await ready()
    const { emanifest } = await post(`${id}/submit`)
    const [filing] = emanifest.filings
    assert.deepEqual(
      [
        emanifest.state,
        emanifest.purpose,
        emanifest.filings.length,
        filing.transaction_set,
        filing.control_number,
        filing.state,
      ],
      ['submitted', 'original', 1, '309', '000000001', 'waiting'],
    )
    const text = await content(emanifest, filing)
    assert.equal((new X12Parser(true).parse(text) as Json).functionalGroups[0].transactions[0].segments.length, 19)
    const syntax = (await acknowledge(syntaxOf(filing.control_number))).json().acknowledgements
    assert.deepEqual(syntax, [
      { kind: '997', outcome: 'accepted', emanifest_id: id, state: 'submitted', repeated: false },
    ])
    const decided = (await acknowledge(decisionOn(emanifest.trip_number))).json().acknowledgements
    assert.deepEqual([decided[0].outcome, decided[0].state], ['accepted', 'accepted'])
    const { state, accepted_at, filings } = await read(id)
    assert.deepEqual(
      [state, filings[0].state, filings[0].acknowledgements.map(({ kind }: Json) => kind)],
      ['accepted', 'accepted', ['997', '355']],
    )
    assert.ok(accepted_at)
    assert.deepEqual(await events(id), ['created', 'updated', 'validated', 'submitted', 'acknowledged', 'accepted'])
  })

  test('into Canada is filed with a 309 and a 358, and accepted when both are', async () => {
    const { submitted, acknowledge, read } = await office()
    const { id, filings, trip_number } = await submitted({}, 'aci')
    assert.deepEqual(
      filings.map(({ transaction_set, control_number }: Json) => [transaction_set, control_number]),
      [
        ['309', '000000001'],
        ['358', '000000002'],
      ],
    )
    await acknowledge(decisionOn(trip_number, { country: 'CA' }))
    assert.deepEqual(
      [(await read(id)).state, (await read(id)).filings.map(({ state }: Json) => state)],
      ['submitted', ['accepted', 'waiting']],
    )
    await acknowledge(decisionOn(trip_number, { country: 'CA' }))
    assert.equal((await read(id)).state, 'accepted')
  })

  test('submitted twice, and by many at once, is filed once', async () => {
    const { ready, call, read, events } = await office()
    const { id } = await ready()
    const all = await Promise.all(Array.from({ length: 8 }, () => call('POST', `${path}/${id}/submit`)))
    assert.deepEqual([...new Set(all.map(({ statusCode }) => statusCode))], [200])
    assert.equal((await read(id)).filings.length, 1)
    assert.equal((await events(id)).filter((verb) => verb === 'submitted').length, 1)
  })

  test('is filed once by a rule of the database too, and what was filed cannot be changed', async () => {
    const { submitted, org } = await office()
    const { id } = await submitted()
    const again = service.pool.transaction(async (run) => {
      await run({ text: `set local app.org_id = '${org}'`, values: [] })
      await run(sql`
        insert into emanifest_filings (org_id, id, emanifest_id, submission, control_number, transaction_set, purpose, content)
        values (${org}, ${newId()}, ${id}, 1, 99, '309', 'original', 'x')`)
    })
    await assert.rejects(again, /emanifest_is_filed_once/)
    const changed = service.database.transaction(org, (run) =>
      run(sql`update emanifest_filings set content = 'x' where org_id = ${org}`),
    )
    await assert.rejects(changed, { code: '42501' })
  })

  test('that lacks something is not submitted, and one that is past its time is named again', async () => {
    const { create, ready, call, org, read } = await office()
    const draft = await create()
    assert.deepEqual(codeOf(await call('POST', `${path}/${draft.id}/submit`)), [409, 'wrong_state'])
    const { id } = await ready()
    await service.pool.transaction(async (run) => {
      await run({ text: `set local app.org_id = '${org}'`, values: [] })
      await run(sql`update emanifests set crossing_at = '2020-01-01' where org_id = ${org} and id = ${id}`)
    })
    const late = await call('POST', `${path}/${id}/submit`)
    assert.deepEqual([...codeOf(late), late.json().details[0].field], [409, 'emanifest_incomplete', 'crossing_at'])
    assert.equal((await call('POST', `${path}/${id}/validate`)).json().valid, false)
    assert.equal((await read(id)).state, 'draft')
  })

  test('that customs rejects shows why and where; it is corrected and filed again', async () => {
    const { submitted, acknowledge, read, call, post, events } = await office()
    const { id, trip_number } = await submitted()
    const remarks = [
      'K1*001*TRIP HAS ERRORS',
      'LX*1',
      'M11*CSCD0099321',
      'K1*042*INVALID CONSIGNEE ADDRESS',
      'K1*WARNING*LATE',
    ]
    const answer = (await acknowledge(decisionOn(trip_number, { remarks }))).json()
    assert.equal(answer.acknowledgements[0].state, 'rejected')
    assert.deepEqual((await read(id)).problems, [
      { control_number: null, code: '001', message: 'TRIP HAS ERRORS' },
      { control_number: 'CSCD0099321', code: '042', message: 'INVALID CONSIGNEE ADDRESS' },
    ])
    assert.deepEqual(codeOf(await call('POST', `${path}/${id}/submit`)), [409, 'wrong_state'])
    await call('PUT', `${path}/${id}`, { port: '0901' })
    await post(`${id}/validate`)
    const { emanifest } = await post(`${id}/submit`)
    assert.deepEqual(
      [emanifest.state, emanifest.purpose, emanifest.problems, emanifest.filings[1].purpose],
      ['submitted', 'original', [], 'original'],
    )
    await acknowledge(decisionOn(trip_number))
    assert.equal((await read(id)).state, 'accepted')
    assert.deepEqual((await events(id)).slice(3), [
      'submitted',
      'rejected',
      'updated',
      'validated',
      'submitted',
      'accepted',
    ])
  })

  test('whose syntax is rejected is rejected, with the segment and the element', async () => {
    const { submitted, acknowledge, read } = await office()
    const { id, filings } = await submitted()
    await acknowledge(syntaxOf(filings[0].control_number, 'R'))
    const { state, problems } = await read(id)
    assert.deepEqual(
      [state, problems.map(({ message }: Json) => message)],
      ['rejected', ['997: segment N4 at place 14, error 8', '997: element 2, error 7: ZZ']],
    )
  })

  test('is amended while the accepted one counts: the freight with a 309, the conveyance with a 358', async () => {
    const { accepted, call, post, acknowledge, read, content } = await office()
    const { id, trip_number } = await accepted()
    assert.deepEqual(codeOf(await call('PUT', `${path}/${id}`, { port: '0901' })), [409, 'wrong_state'])
    const { emanifest: opened } = await post(`${id}/amend`, { port: '0901' })
    assert.deepEqual([opened.state, opened.amendment_number, opened.port], ['draft', 1, '0901'])
    assert.ok(opened.accepted_at)
    assert.deepEqual(codeOf(await call('PUT', `${path}/${id}`, { trip_number: 'CSCDOTHER1' })), [
      409,
      'trip_number_fixed',
    ])
    await post(`${id}/validate`)
    const { emanifest: sent } = await post(`${id}/submit`)
    assert.deepEqual(
      [sent.purpose, sent.filings[1].transaction_set, sent.filings[1].purpose],
      ['amendment', '358', 'amendment'],
    )
    await acknowledge(decisionOn(trip_number, { remarks: ['K1*9*NO'] }))
    const refused = await read(id)
    assert.deepEqual([refused.state, refused.accepted_at], ['rejected', opened.accepted_at])
    await call('PUT', `${path}/${id}`, { shipments: [shipment('CSCD0099321'), shipment('CSCD0099322')] })
    await post(`${id}/validate`)
    const { emanifest: again } = await post(`${id}/submit`)
    assert.equal(again.filings[2].transaction_set, '309')
    assert.deepEqual((await content(again, again.filings[2])).match(/M13\*[^~]*/g), [
      'M13*CSCD*0901*R*CSCD0099321*****CSCD',
      'M13*CSCD*0901*A*CSCD0099322*****CSCD',
    ])
    await acknowledge(decisionOn(trip_number))
    assert.equal((await read(id)).state, 'accepted')
    assert.deepEqual(
      codeOf(
        await call(
          'POST',
          `${path}/${(await post('', { manifest_id: again.manifest_id, border: 'ace' }, 201)).emanifest.id}/amend`,
        ),
      ),
      [409, 'wrong_state'],
    )
  })

  test('is cancelled at once while customs has nothing of it, and else when customs accepts that', async () => {
    const { create, accepted, post, acknowledge, read, events, content } = await office()
    const draft = await create()
    assert.equal((await post(`${draft.id}/cancel`)).emanifest.state, 'cancelled')
    assert.equal((await post(`${draft.id}/cancel`)).emanifest.revision, 2)
    const { id, trip_number } = await accepted()
    const { emanifest } = await post(`${id}/cancel`)
    assert.deepEqual(
      [emanifest.state, emanifest.purpose, emanifest.filings[1].purpose],
      ['submitted', 'cancellation', 'cancellation'],
    )
    assert.match(
      await content(emanifest, emanifest.filings[1]),
      /M10\*[^~]*\*01~\n[\s\S]*M13\*CSCD\*3004\*D\*CSCD0099321/,
    )
    assert.equal((await post(`${id}/cancel`)).emanifest.filings.length, 2)
    await acknowledge(decisionOn(trip_number, { remarks: ['K1*7*ARRIVED ALREADY'] }))
    const kept = await read(id)
    assert.deepEqual([kept.state, kept.problems[0].message], ['accepted', 'ARRIVED ALREADY'])
    await post(`${id}/cancel`)
    await acknowledge(decisionOn(trip_number))
    const gone = await read(id)
    assert.deepEqual([gone.state, gone.accepted_at], ['cancelled', null])
    assert.equal((await events(id)).at(-1), 'cancelled')
  })

  test('of a truck without freight is filed as a 358, amended to one with freight by a 309, and taken back', async () => {
    const { accepted, post, call, acknowledge, read, content } = await office()
    const empty = await accepted({ is_empty: true, shipments: [] })
    const { id, trip_number } = empty
    assert.deepEqual([empty.state, empty.filings.map((filing: Json) => filing.transaction_set)], ['accepted', ['358']])
    assert.match(await content(empty, empty.filings[0]), /VID\*TW\*\*R-2210\*{7}E~/)
    await post(`${id}/amend`, { is_empty: false, shipments: [shipment('CSCD0099321')] })
    await post(`${id}/validate`)
    const { emanifest: loaded } = await post(`${id}/submit`)
    assert.deepEqual([loaded.filings[1].transaction_set, loaded.filings[1].purpose], ['309', 'original'])
    await content(loaded, loaded.filings[1])
    await acknowledge(decisionOn(trip_number))
    await post(`${id}/amend`, { is_empty: true, shipments: [] })
    await post(`${id}/validate`)
    const { emanifest: unloaded } = await post(`${id}/submit`)
    assert.match(await content(unloaded, unloaded.filings[2]), /LX\*1~\nM13\*CSCD\*3004\*D\*CSCD0099321\*{5}CSCD~\nSE/)
    await acknowledge(decisionOn(trip_number))
    const { emanifest: gone } = await post(`${id}/cancel`)
    assert.match(await content(gone, gone.filings[3]), /M10\*[^~]*\*01~[\s\S]*LX\*1~\nM13/)
    const other = await accepted({ is_empty: true, shipments: [] })
    const { emanifest: taken } = await post(`${other.id}/cancel`)
    assert.deepEqual([taken.filings[1].transaction_set, taken.filings[1].purpose], ['358', 'cancellation'])
    assert.match(await content(taken, taken.filings[1]), /M10\*[^~]*\*01~/)
    assert.equal((await read(other.id)).state, 'submitted')
    assert.equal((await call('GET', `${path}/${id}`)).statusCode, 200)
  })

  test('cancelled while it waits for an answer is not accepted by a late one', async () => {
    const { submitted, post, acknowledge, read } = await office()
    const { id, trip_number } = await submitted()
    await post(`${id}/cancel`)
    await acknowledge(decisionOn(trip_number))
    assert.deepEqual(
      [(await read(id)).state, (await read(id)).filings.map(({ state }: Json) => state)],
      ['submitted', ['accepted', 'waiting']],
    )
    await acknowledge(decisionOn(trip_number))
    assert.equal((await read(id)).state, 'cancelled')
  })

  test('is found by state, border, manifest and trip number, a page at a time', async () => {
    const { create, accepted, get, manifest } = await office()
    const { trip_number } = await accepted()
    await create('aci')
    const total = async (query: string) => (await get(`${path}?${query}`)).json().total
    assert.deepEqual(
      await Promise.all(
        [
          '',
          'states=accepted',
          'borders=aci',
          `manifest_ids=${manifest}`,
          `manifest_ids=${newId()}`,
          `trip_number=${trip_number}`,
        ].map(total),
      ),
      [2, 1, 1, 2, 0, 1],
    )
    assert.equal((await get(`${path}?states=lost`)).statusCode, 400)
  })

  test('of another organization is not there, for reading, changing, filing and acknowledging', async () => {
    const [ours, theirs] = [await office(), await office()]
    const { id, filings, trip_number } = await theirs.submitted()
    for (const [method, at] of [
      ['GET', ''],
      ['GET', '/history'],
      ['GET', `/filings/${filings[0].id}/content`],
      ['PUT', ''],
      ...['validate', 'submit', 'amend', 'cancel'].map((verb) => ['POST', `/${verb}`]),
    ] as [string, string][]) {
      const answer = await ours.call(
        method as 'GET',
        `${path}/${id}${at}`,
        method === 'PUT' ? { port: '3004' } : undefined,
        { accept: '*/*' },
      )
      assert.equal(answer.statusCode, 404, `${method} ${at}: ${answer.body}`)
    }
    assert.deepEqual(codeOf(await ours.acknowledge(syntaxOf(filings[0].control_number))), [404, 'unknown_interchange'])
    assert.deepEqual(codeOf(await ours.acknowledge(decisionOn(trip_number))), [404, 'unknown_interchange'])
    assert.equal((await ours.get(path)).json().total, 0)
    assert.equal((await theirs.read(id)).state, 'submitted')
  })

  test('needs the scope emanifests and, to be changed, the right to enter', async () => {
    const { org, manifest } = await office()
    assert.equal((await callerIn(service, org, ['manifests']).get(path)).statusCode, 403)
    assert.equal((await callerIn(service, org, ['emanifests']).get(path)).statusCode, 200)
    assert.equal(
      (await callerIn(service, org, ['emanifests']).call('POST', path, { manifest_id: manifest, border: 'ace' }))
        .statusCode,
      201,
    )
  })
})

describe('acknowledgements', { concurrency: true }, () => {
  test('that come twice, and at once, change nothing the second time', async () => {
    const { submitted, send, read, events } = await office()
    const { id, trip_number } = await submitted()
    const text = fromCustoms([decisionOn(trip_number)])
    const all = await Promise.all([send(text), send(text), send(text)])
    assert.deepEqual(all.map((answer) => answer.json().acknowledgements[0].repeated).sort(), [false, true, true])
    const before = await read(id)
    assert.equal((await send(text)).json().acknowledgements[0].repeated, true)
    assert.deepEqual(await read(id), before)
    assert.equal((await events(id)).filter((verb) => verb === 'accepted').length, 1)
  })

  test('say the status of shipments, which is kept and moves nothing', async () => {
    const { accepted, acknowledge, read, events } = await office()
    const { id, trip_number } = await accepted()
    const answer = await acknowledge(statusOf(trip_number, 'CSCD0099321'))
    assert.deepEqual(answer.json().acknowledgements[0].outcome, 'status')
    const { state, shipment_statuses } = await read(id)
    assert.deepEqual(
      [state, shipment_statuses],
      [
        'accepted',
        [
          {
            control_number: 'CSCD0099321',
            code: '1C',
            at: '2099-11-18T15:31:00.000Z',
            entry_number: '31612345678',
            message: 'ENTERED AND RELEASED',
          },
        ],
      ],
    )
    assert.equal((await events(id)).at(-1), 'status_updated')
  })

  test('accept where a remark says so in its code or its text, and reject for any other', async () => {
    const { submitted, acknowledge } = await office()
    for (const [remark, state] of [
      ['K1*001*Accepted', 'accepted'],
      ['K1*INFO*SEE BELOW', 'accepted'],
      ['K1*WARNING', 'accepted'],
      ['K1*ACCEPTANCE DENIED', 'rejected'],
      ['K1*77', 'rejected'],
    ] as const) {
      const { trip_number } = await submitted()
      const answer = await acknowledge(decisionOn(trip_number, { remarks: [remark] }))
      assert.equal(answer.json().acknowledgements[0].state, state, remark)
    }
  })

  test('of several e-manifests in one file are applied together, or none of them', async () => {
    const { submitted, acknowledge, read } = await office()
    const [one, other] = [await submitted(), await submitted()]
    const refused = await acknowledge(decisionOn(one.trip_number), decisionOn('CSCDNOBODY'))
    assert.deepEqual(codeOf(refused), [404, 'unknown_interchange'])
    assert.equal((await read(one.id)).state, 'submitted')
    assert.equal((await acknowledge(decisionOn(one.trip_number), decisionOn(other.trip_number))).statusCode, 200)
    assert.deepEqual([(await read(one.id)).state, (await read(other.id)).state], ['accepted', 'accepted'])
  })

  test('that are malformed, or are something else, are a 400 that names the segment', async () => {
    const { send, submitted } = await office()
    const { trip_number } = await submitted()
    const good = fromCustoms([decisionOn(trip_number)])
    for (const [text, field] of [
      ['hello', 'ISA'],
      [good.replace('SE*6', 'SE*9'), 'SE01'],
      [fromCustoms([{ code: '210', segments: ['B3*1'] }]), 'ST01'],
      [fromCustoms([{ code: '997', segments: ['AK9*A*1*1*1'] }]), 'ST'],
      [fromCustoms([{ code: '997', segments: ['AK1*AQ*x', 'AK9*A'] }]), 'AK102'],
      [fromCustoms([{ code: '355', segments: ['P4*3004'] }]), 'ST'],
      [fromCustoms([{ code: '355', segments: ['M10*CSCD*J*MX***1*1'] }]), 'M1003'],
      [fromCustoms([{ code: '350', segments: [`M10*CSCD*J*US***1*${trip_number}`] }]), 'ST'],
    ] as const) {
      const answer = await send(text)
      assert.deepEqual([...codeOf(answer), answer.json().details[0].field], [400, 'bad_edi', field], answer.body)
    }
    assert.equal((await send('')).statusCode, 400)
  })

  test('of the envelope alone (TA1) reject it too', async () => {
    const { submitted, send, read } = await office()
    const { id, filings } = await submitted()
    const isa = fromCustoms([]).split('~\n')[0]
    const text = (control: string) =>
      `${isa}~\nTA1*${filings[0].control_number}*261118*1400*R*006~\nIEA*0*${control}~\n`
    assert.equal((await send(text('000000501'))).statusCode, 200)
    assert.deepEqual([(await read(id)).state, (await read(id)).problems[0].code], ['rejected', '006'])
  })
})
