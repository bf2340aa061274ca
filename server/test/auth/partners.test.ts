import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { isId, newId } from '../../src/platform/core/values/ids.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { some } from '../depth.ts'
import { inPlace } from '../described.ts'
import { type Carrier, houseOf, newCarrier, partnerPortal, portal } from '../partners.ts'
import { newCaller, type Service, sharedService } from '../service.ts'

/**
 * The proof that organizations are kept apart, carried on to partners: the token of a carrier's person and the token of a signed link call every operation,
 * with every id of both organizations. All that is not theirs has SECRET in its texts, so that no answer can show it unseen.
 */
type Operation = { method: string; path: string; example: unknown }

const service: Service = await sharedService()
const { paths } = inPlace<Document>((await service.app.inject({ url: '/openapi.json' })).json())
type Document = Parameters<typeof inPlace>[0] & { paths: Record<string, Record<string, Described>> }
type Described = { requestBody?: { content: Record<string, { example?: unknown }> } }
const operations: Operation[] = Object.entries(paths)
  .filter(([path]) => path.startsWith('/api/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      example: requestBody?.content['application/json']?.example,
    })),
  )
const ofPortal = operations.filter(({ path }) => path.startsWith(`${portal}/`) && path !== `${portal}/link_sessions`)
const others = operations.filter(({ path }) => !path.startsWith(`${portal}/`))

/** What every token may ask, and what needs none. */
const forEveryone = ['GET /api/v1', 'GET /api/v2/platformModel', 'GET /api/v1/me']
const someOthers = [
  ...new Set([...others.filter(({ method, path }) => forEveryone.includes(`${method} ${path}`)), ...some(others)]),
]

function call(token: string, method: string, url: string, example: unknown) {
  return service.app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { payload: JSON.stringify(example ?? {}) }),
  })
}

type Records = {
  manifests: string[]
  stops: string[]
  tenders: string[]
  bills: string[]
  carrier_invoices: string[]
  documents: string[]
  carrier: string
}

/** Something of everything for one carrier. */
async function fill(org: string, carrier: Carrier, word: string): Promise<Records> {
  const house = houseOf(service, org)
  const customer_id = await house.make('/api/v1/customers', { name: 'SECRET customer', notes: 'SECRET' })
  const order = await house.make('/api/v1/orders', { customer_id, rate: 999999, notes: 'SECRET order' })
  const type = await house.make('/api/v1/bill_item_types', { name: `SECRET item ${word}` })
  const content = {
    reference_number: `${word} trip`,
    notes: 'SECRET notes',
    payment_items: [{ type, unit_price: 777 }],
    order_ids: [order],
  }
  const assigned = await house.manifest({ ...content, partner_carrier_id: carrier.id, status: 'dispatched' })
  const offered = await house.manifest(content)
  const tender = await house.tender(offered, carrier.id, { message: `${word} message` })
  const bill = await house.bill(carrier.id, { notes: 'SECRET notes', reference_number: `${word} bill` })
  await carrier.call('POST', `${portal}/bills/${bill}/questions`, { text: `${word} question` })
  const invoice = await house.make('/api/v1/carrier_invoices', {
    ...{
      partner_carrier_id: carrier.id,
      invoice_number: `${word} invoice`,
      currency_id: 'usd',
      total_amount: 5,
      notes: 'SECRET notes',
    },
  })
  const asPdf = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="pod.pdf"' }
  const sent = await carrier.call(
    'POST',
    `${portal}/manifests/${assigned}/documents`,
    `%PDF-1.4\n${word}\n%%EOF\n`,
    asPdf,
  )
  assert.equal(sent.statusCode, 201, sent.body)
  const documents = [sent.json().document.id]
  await house.call('POST', `/api/v1/documents?attached_to=manifest:${assigned}`, '%PDF-1.4\nSECRET\n%%EOF\n', asPdf)
  const { manifest } = (await house.get(`/api/v1/manifests/${assigned}`)).json()
  const stops = manifest.stops.map(({ id }: { id: string }) => id)
  return {
    manifests: [assigned, offered],
    stops,
    tenders: [tender],
    bills: [bill],
    carrier_invoices: [invoice],
    documents,
    carrier: carrier.id,
  }
}

/** The ids of all that there is of an organization. */
async function idsOf(org: string): Promise<string[]> {
  const tables = await service.pool.run<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' join pg_attribute i on i.attrelid = c.oid and i.attname = 'id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and i.atttypid = 'uuid'::regtype and c.relname not in ('events', 'security_events') order by 1`)
  const text = tables.map(({ name }) => `select id::text as id from "${name}" where org_id = $1`).join(' union all ')
  const rows = await service.pool.transaction(
    (run) => run<{ id: string }>({ text, values: [org] }),
    `begin; set local app.org_id = '${org}'`,
  )
  return [...new Set(rows.map(({ id }) => id))]
}

const { org } = await newCaller(service)
const { org: elsewhere } = await newCaller(service)
const carrier = await newCarrier(service, org, 'Own Carrier')
const own = await fill(org, carrier, 'own')
const rival = await fill(org, await newCarrier(service, org, 'SECRET rival'), 'SECRET')
const foreign = await fill(elsewhere, await newCarrier(service, elsewhere, 'SECRET elsewhere'), 'SECRET')
const house = houseOf(service, org)
const everything = [
  ...new Set([...(await idsOf(org)), ...(await idsOf(elsewhere)), ...own.stops, ...rival.stops, ...foreign.stops]),
]

/** Of what belongs to neither of these, a part is enough: the record of each sort of the rival, and of the other organization, is tried by everyone. */
const tried = [...new Set([...idsIn(own), ...idsIn(rival), ...idsIn(foreign), ...some(everything)])]

function idsIn({ carrier, ...records }: Records): string[] {
  return [carrier, ...Object.values(records).flat()]
}

/** Which ids a caller may see, by what they are. */
/** `sign`: a token that has just been made, since those of links end soon. */
type Reach = { sign: () => Promise<string>; also: string[] } & Omit<Records, 'carrier'>

const [assigned, offered] = own.manifests as [string, string]
const nothing = { manifests: [], tenders: [], bills: [], carrier_invoices: [], documents: [], stops: [] }
const also = [own.carrier, carrier.user]
const callers: Record<string, Reach> = {
  'the token of a carrier’s person': { sign: async () => carrier.token, ...own, also },
  'the link of a manifest': {
    sign: async () => (await house.link({ manifest_id: assigned })).token,
    ...nothing,
    manifests: [assigned],
    stops: own.stops,
    documents: own.documents,
    also,
  },
  'the link of a manifest that is offered': {
    ...{
      sign: async () => (await house.link({ manifest_id: offered, partner_carrier_id: own.carrier })).token,
      ...nothing,
    },
    ...{ manifests: [offered], tenders: own.tenders, also },
  },
  'the link of a bill': {
    sign: async () => (await house.link({ bill_id: own.bills[0] })).token,
    ...nothing,
    bills: own.bills,
    also,
  },
}

/** The list that a parameter of a path is from. */
const lists: Record<string, keyof typeof nothing> = {
  ...{
    manifestID: 'manifests',
    tenderID: 'tenders',
    billID: 'bills',
    carrierInvoiceID: 'carrier_invoices',
    documentID: 'documents',
    stopID: 'stops',
  },
}

/** That nothing in an answer is somebody else's; `asked` are the ids that the caller named, which a refusal repeats. */
function assertNothingForeign(reach: Reach, body: string, asked: readonly string[], where: string): void {
  assert.doesNotMatch(body, /SECRET|\b999999\b|\b777\b/, where)
  const seen = new Set([
    ...reach.manifests,
    ...reach.tenders,
    ...reach.bills,
    ...reach.carrier_invoices,
    ...reach.documents,
    ...reach.stops,
    ...reach.also,
    ...asked,
  ])
  const hidden = new Set(everything.filter((id) => !seen.has(id)))
  for (const [id] of body.matchAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g)) {
    assert.ok(!hidden.has(id) || shownParts.has(id), `${where} shows ${id}: ${body.slice(0, 500)}`)
  }
}

/** Stops and threads of the carrier's records, which answers about these show. */
const shownParts = new Set<string>()
for (const id of own.manifests)
  for (const stop of (await house.get(`/api/v1/manifests/${id}`)).json().manifest.stops) shownParts.add(stop.id)
for (const question of (await house.get(`${partnerPortal}/questions?partner_carrier_ids=${own.carrier}`)).json()
  .questions)
  shownParts.add(question.id)

test('what is tried has operations and ids of all sorts', () => {
  assert.ok(
    ofPortal.length >= 20 && others.length > 300 && everything.length > 40,
    `${ofPortal.length} ${others.length} ${everything.length}`,
  )
})

for (const [name, reach] of Object.entries(callers)) {
  describe(name, () => {
    test('reaches no operation outside of the portal, whatever id it names', async () => {
      const token = await reach.sign()
      let turn = 0
      for (const { method, path, example } of someOthers) {
        for (const id of [everything[turn++ % everything.length] as string, assigned, foreign.bills[0] as string]) {
          const answer = await call(token, method, path.replace(/\{[^}]+\}/g, id), example)
          if (forEveryone.includes(`${method} ${path}`)) assert.equal(answer.statusCode, 200, `${method} ${path}`)
          else
            assert.equal(answer.statusCode, 403, `${method} ${path}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
          assertNothingForeign(reach, answer.body, [id], `${method} ${path}`)
        }
      }
    })

    test('reads in the portal what is its own, and of every other id nothing', async () => {
      const token = await reach.sign()
      for (const { path } of ofPortal.filter(({ method }) => method === 'GET')) {
        const [, parameter] = /\{(\w+)\}/.exec(path) ?? []
        const ids = parameter ? [...tried, newId()] : ['']
        for (const id of ids) {
          const answer = await call(token, 'GET', path.replace(/\{\w+\}/, id), undefined)
          const isOwn = !parameter || reach[lists[parameter] as keyof typeof nothing].includes(id)
          assert.equal(answer.statusCode, isOwn ? 200 : 404, `GET ${path} ${id}: ${answer.body.slice(0, 300)}`)
          assertNothingForeign(reach, answer.body, [id], `GET ${path}`)
        }
      }
    })

    test('lists exactly what is its own', async () => {
      const token = await reach.sign()
      for (const list of ['manifests', 'tenders', 'bills', 'carrier_invoices'] as const) {
        const answer = await call(token, 'GET', `${portal}/${list}?limit=200`, undefined)
        const ids = answer.json()[list].map(({ id }: { id: string }) => id)
        assert.deepEqual(ids.sort(), [...reach[list]].sort(), list)
      }
    })

    test('writes in the portal to nothing that is not its own', async () => {
      const token = await reach.sign()
      for (const { method, path, example } of ofPortal.filter(
        ({ method, path }) => method !== 'GET' && path.includes('{'),
      )) {
        const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter as string)
        for (const [index, parameter] of parameters.entries()) {
          const mine = reach[lists[parameter] as keyof typeof nothing]
          for (const id of tried.filter(
            (one) => !mine.includes(one) && !(parameter === 'stopID' && shownParts.has(one)),
          )) {
            // The other parameters are the caller's own, or where it has none those of the carrier: only this one is not.
            const url = parameters.reduce(
              (text, other, place) => text.replace(`{${other}}`, place === index ? id : ownIdFor(reach, other)),
              path,
            )
            const answer = await call(token, method, url, example)
            assert.ok(
              [404, 409].includes(answer.statusCode),
              `${method} ${url}: ${answer.statusCode} ${answer.body.slice(0, 300)}`,
            )
            // Freight that is only offered is refused before its stops are looked at.
            if (answer.statusCode === 409)
              assert.ok(parameter === 'stopID' && answer.json().error_code === 'not_assigned', answer.body)
            assertNothingForeign(
              reach,
              answer.body,
              [id, ...parameters.map((other) => ownIdFor(reach, other))],
              `${method} ${path}`,
            )
          }
        }
      }
    })
  })
}

function ownIdFor(reach: Reach, parameter: string): string {
  const list = lists[parameter] as keyof typeof nothing
  return reach[list][0] ?? (own[list][0] as string)
}

test('after all of that, nothing of the others has changed, and the ids that were tried are ids', async () => {
  assert.ok(everything.every(isId))
  for (const [where, records] of [
    [org, rival],
    [elsewhere, foreign],
  ] as const) {
    const there = houseOf(service, where)
    for (const id of records.tenders)
      assert.equal((await there.get(`${partnerPortal}/tenders/${id}`)).json().tender.state, 'open')
    for (const id of records.bills) {
      const { questions } = (await there.get(`${partnerPortal}/questions?bill_ids=${id}`)).json()
      assert.deepEqual(questions[0].messages.length, 1)
    }
    const { manifest } = (await there.get(`/api/v1/manifests/${records.manifests[0]}`)).json()
    assert.ok(
      manifest.stops.every(
        (stop: { arrived_at: unknown; departed_at: unknown }) => stop.arrived_at === null && stop.departed_at === null,
      ),
    )
  }
})
