import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { complete, decisionOn, fromCustoms, shipment, syntaxOf } from '../../../test/customs.ts'
import { freePort } from '../../../test/process/database.ts'
import { applicationIn, databaseOf, newCaller, sharedService } from '../../../test/service.ts'
import { faultsOf } from '../../../test/x12/check.ts'
import { jobsOf } from '../../jobs.ts'
import { leaseMs } from '../../platform/core/turns/leases.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import { directoryFiling } from './filing/directory.ts'
import { type FilingAdapter, FilingFault } from './filing/filing.ts'
import { httpFiling } from './filing/http.ts'
import { openFiling } from './filing/open.ts'
import { claimFiling } from './filings-store.ts'
import { collectAll, fileAll } from './sending.ts'
import { verifyEmanifests } from './verify.ts'

const service = await sharedService()
const path = '/api/v1/emanifests'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
type Json = Record<string, any>

/** An organization with an e-manifest that was submitted, and the work that hands it over. */
async function office() {
  const { org } = await newCaller(service)
  const { call, get } = applicationIn(service, org)
  const database = databaseOf(service, new Set([org]))
  const manifest_id = (await call('POST', '/api/v1/manifests', {})).json().manifest.id
  let trips = 0
  const submit = async (border = 'ace'): Promise<Json> => {
    trips += 1
    const { id } = (await call('POST', path, { manifest_id, border })).json().emanifest
    const more = border === 'aci' ? { shipments: [shipment('CSCD0099321', { type: 'pars' })] } : {}
    assert.equal((await call('PUT', `${path}/${id}`, complete(`CSCDTRIP${trips}`, more))).statusCode, 200)
    await call('POST', `${path}/${id}/validate`)
    const answer = await call('POST', `${path}/${id}/submit`)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().emanifest
  }
  const read = async ({ id }: Json): Promise<Json> => (await get(`${path}/${id}`)).json().emanifest
  const events = async ({ id }: Json): Promise<string[]> =>
    (await get(`${path}/${id}/history?limit=100`))
      .json()
      .events.map(({ type }: Json) => type.split('.')[1])
      .reverse()
  const content = async ({ id, filings }: Json, index = 0) => {
    const { body } = await get(`${path}/${id}/filings/${filings[index].id}/content`, { accept: '*/*' })
    assert.deepEqual(faultsOf(body), [])
    return body
  }
  return { org, call, database, submit, read, events, content }
}

describe('filing into a directory', { concurrency: true }, () => {
  function directory() {
    const root = mkdtempSync(join(tmpdir(), 'lading-emanifests-'))
    after(() => rmSync(root, { recursive: true, force: true }))
    return root
  }
  const filingIn = (root: string, org: string) =>
    directoryFiling({
      path: root,
      settledMs: 0,
      folderOf: () => 'blueridge',
      organizationOf: async (folder) => (folder === 'blueridge' ? org : null),
    })

  test('writes each interchange as a whole file under its control number, once', async () => {
    const { org, database, submit, read, content, events } = await office()
    const root = directory()
    const filing = filingIn(root, org)
    const made = await submit('aci')
    await fileAll({ database, filing })
    const out = join(root, 'out', 'blueridge')
    assert.deepEqual(readdirSync(out).sort(), ['000000001.309', '000000002.358'])
    assert.equal(readFileSync(join(out, '000000001.309'), 'utf8'), await content(made))
    const { filings, state } = await read(made)
    assert.deepEqual(
      [state, filings.map(({ state, attempts }: Json) => [state, attempts])],
      [
        'submitted',
        [
          ['sent', 1],
          ['sent', 1],
        ],
      ],
    )
    assert.deepEqual((await events(made)).slice(-3), ['submitted', 'sent', 'sent'])
    rmSync(join(out, '000000001.309'))
    await fileAll({ database, filing })
    assert.deepEqual(readdirSync(out), ['000000002.358'])
  })

  test('takes what came back, sets it aside, and gives the reason of what it cannot take', async () => {
    const { org, database, submit, read } = await office()
    const root = directory()
    const filing = filingIn(root, org)
    const made = await submit()
    await fileAll({ database, filing })
    const box = join(root, 'in', 'blueridge')
    for (const folder of [box, join(root, 'in', 'strangers')]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(box, 'a.997'), fromCustoms([syntaxOf('000000001')], { control: '000000011' }))
    writeFileSync(join(box, 'b.355'), fromCustoms([decisionOn(made.trip_number)], { control: '000000012' }))
    writeFileSync(join(box, 'c.x12'), fromCustoms([syntaxOf('000000099')], { control: '000000013' }))
    writeFileSync(join(box, 'd.x12'), 'no EDI')
    writeFileSync(join(box, '.e.x12'), 'still being written')
    writeFileSync(join(root, 'in', 'strangers', 'f.x12'), 'of nobody')
    await collectAll({ database, filing })
    assert.equal((await read(made)).state, 'accepted')
    assert.deepEqual(readdirSync(join(box, 'done')).sort(), ['a.997', 'b.355'])
    assert.deepEqual(readdirSync(join(box, 'failed')).sort(), [
      'c.x12',
      'c.x12.reason.txt',
      'd.x12',
      'd.x12.reason.txt',
    ])
    assert.match(readFileSync(join(box, 'failed', 'c.x12.reason.txt'), 'utf8'), /control number 000000099/)
    assert.deepEqual(
      [readdirSync(box).includes('.e.x12'), readdirSync(join(root, 'in', 'strangers'))],
      [true, ['f.x12']],
    )
  })

  test('after a crash between writing the file and noting it, the same file is written under the same name', async () => {
    const { org, database, submit, read } = await office()
    const root = directory()
    const filing = filingIn(root, org)
    const made = await submit()
    const crashed: FilingAdapter = {
      ...filing,
      async file(outgoing) {
        await filing.file(outgoing)
        throw new Error('crash')
      },
    }
    await assert.rejects(fileAll({ database, filing: crashed }), /crash/)
    const out = join(root, 'out', 'blueridge', '000000001.309')
    const first = readFileSync(out, 'utf8')
    assert.equal((await read(made)).filings[0].state, 'waiting')
    await fileAll({ database, filing, aheadMs: () => 10_000 })
    assert.equal(readFileSync(out, 'utf8'), first)
    assert.deepEqual(
      (await read(made)).filings.map(({ state, attempts }: Json) => [state, attempts]),
      [['sent', 2]],
    )
  })
})

describe('filing by HTTP', { concurrency: true }, () => {
  type Asked = { key: string; authorization: string; type: string; body: string }
  /** A server that answers what it is told, and notes what it was asked. */
  async function customs(answer: (asked: Asked, count: number) => { status: number; body?: string } | 'cut') {
    const asked: Asked[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (part) => (body += part))
      request.on('end', () => {
        const { 'idempotency-key': key = '', authorization = '', 'content-type': type = '' } = request.headers
        const one = { key: String(key), authorization, type, body }
        asked.push(one)
        const said = answer(one, asked.length)
        if (said === 'cut') request.socket.destroy()
        else response.writeHead(said.status).end(said.body)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    after(() => server.close())
    return { asked, url: `http://127.0.0.1:${(server.address() as { port: number }).port}/interchanges` }
  }

  test('sends the interchange with its key and the secret, and applies what is answered', async () => {
    const { org, database, submit, read, content } = await office()
    const { asked, url } = await customs(() => ({ status: 200, body: fromCustoms([syntaxOf('000000001')]) }))
    const made = await submit()
    await fileAll({ database, filing: httpFiling({ url, secret: 'hush' }) })
    assert.deepEqual(asked, [
      { key: `${org}-000000001`, authorization: 'Bearer hush', type: 'application/edi-x12', body: await content(made) },
    ])
    const [filing] = (await read(made)).filings
    assert.deepEqual([filing.state, filing.acknowledgements.map(({ kind }: Json) => kind)], ['received', ['997']])
  })

  test('an answer that is lost is asked for again with the same key, after a while', async () => {
    const { database, submit, read } = await office()
    const { asked, url } = await customs((_, count) =>
      count === 1 ? 'cut' : count === 2 ? { status: 503, body: 'busy' } : { status: 202 },
    )
    const filing = httpFiling({ url, secret: null })
    const made = await submit()
    await fileAll({ database, filing })
    const [first] = (await read(made)).filings
    assert.deepEqual([first.state, first.attempts], ['waiting', 1])
    assert.match(first.error, /could not be reached/)
    await fileAll({ database, filing })
    assert.equal(asked.length, 1)
    await fileAll({ database, filing, aheadMs: () => 6_000 })
    assert.match((await read(made)).filings[0].error, /answered 503: busy/)
    await fileAll({ database, filing, aheadMs: () => 60_000 })
    const [sent] = (await read(made)).filings
    assert.deepEqual(
      [sent.state, sent.error, asked.length, new Set(asked.map(({ key, body }) => key + body)).size],
      ['sent', null, 3, 1],
    )
  })

  test('what is refused is not sent again until it is submitted once more', async () => {
    const { database, submit, read, call, events } = await office()
    const { asked, url } = await customs((_, count) => ({ status: count === 1 ? 401 : 200 }))
    const filing = httpFiling({ url, secret: 'wrong' })
    const made = await submit()
    await fileAll({ database, filing, aheadMs: () => 1e9 })
    await fileAll({ database, filing, aheadMs: () => 1e9 })
    const refused = await read(made)
    assert.deepEqual([refused.state, refused.filings[0].state, asked.length], ['submitted', 'failed', 1])
    const again = (await call('POST', `${path}/${made.id}/submit`)).json().emanifest
    assert.deepEqual([again.filings.length, again.filings[0].state], [1, 'waiting'])
    await fileAll({ database, filing, aheadMs: () => 1e9 })
    assert.equal((await read(made)).filings[0].state, 'sent')
    assert.deepEqual((await events(made)).slice(-4), ['submitted', 'filing_failed', 'submitted', 'sent'])
  })

  test('what may have arrived, though its answer was lost and its repetition is refused, is cancelled when customs accepts that', async () => {
    const { database, submit, read, call } = await office()
    const { url } = await customs((_, count) => (count === 1 ? 'cut' : { status: 422, body: 'duplicate' }))
    const filing = httpFiling({ url, secret: null })
    const made = await submit()
    await fileAll({ database, filing })
    await fileAll({ database, filing, aheadMs: () => 6_000 })
    assert.equal((await read(made)).filings[0].state, 'failed')
    const { state, purpose, filings } = (await call('POST', `${path}/${made.id}/cancel`)).json().emanifest
    assert.deepEqual(
      [state, purpose, filings.map((filed: Json) => filed.purpose)],
      ['submitted', 'cancellation', ['original', 'cancellation']],
    )
  })

  test('what was refused, or found nobody there, is cancelled at once', async () => {
    const { database, submit, call } = await office()
    const { url } = await customs(() => ({ status: 401 }))
    const made = await submit()
    await fileAll({ database, filing: httpFiling({ url: `http://127.0.0.1:${await freePort()}`, secret: null }) })
    await fileAll({ database, filing: httpFiling({ url, secret: null }), aheadMs: () => 6_000 })
    assert.equal((await call('POST', `${path}/${made.id}/cancel`)).json().emanifest.state, 'cancelled')
  })

  test('an answer that cannot be applied is noted, and the interchange stays sent', async () => {
    const { database, submit, read } = await office()
    const { url } = await customs(() => ({ status: 200, body: 'ISA nonsense' }))
    const made = await submit()
    await fileAll({ database, filing: httpFiling({ url, secret: null }) })
    const [filing] = (await read(made)).filings
    assert.equal(filing.state, 'sent')
    assert.match(filing.error, /^What came back could not be applied: Segment 1/)
  })
})

describe('handing over', { concurrency: true }, () => {
  test('is done by one of many processes, in the order of the interchanges of an e-manifest', async () => {
    const { database, submit, call, read } = await office()
    const made = await submit()
    await call('POST', `${path}/${made.id}/cancel`)
    const handed: string[] = []
    const filing: FilingAdapter = {
      async file({ controlNumber }) {
        handed.push(controlNumber)
        return null
      },
      async collect() {},
    }
    await Promise.all([1, 2, 3, 4].map(() => fileAll({ database, filing })))
    assert.deepEqual(handed, ['000000001', '000000002'])
    assert.deepEqual(
      (await read(made)).filings.map(({ state }: Json) => state),
      ['sent', 'sent'],
    )
  })

  /** Refuses every 309 for as long as it is told to, and notes what it took. */
  function refusing309() {
    const way = { refuses: true, handed: [] as string[] }
    const filing: FilingAdapter = {
      async file({ transactionSet, controlNumber }) {
        if (transactionSet === '309' && way.refuses)
          throw new FilingFault('customs.example.com answered 401.', { again: false })
        way.handed.push(`${transactionSet} ${controlNumber}`)
        return null
      },
      async collect() {},
    }
    return { way, filing }
  }

  test('holds a 358 back until its 309 is handed over', async () => {
    const { database, submit, read, call } = await office()
    const { way, filing } = refusing309()
    const made = await submit('aci')
    for (const _ of [1, 2]) await fileAll({ database, filing })
    assert.deepEqual(way.handed, [])
    assert.deepEqual(
      (await read(made)).filings.map(({ state }: Json) => state),
      ['failed', 'waiting'],
    )
    way.refuses = false
    await call('POST', `${path}/${made.id}/submit`)
    await fileAll({ database, filing })
    assert.deepEqual(way.handed, ['309 000000001', '358 000000002'])
  })

  test('of an e-manifest that is cancelled leaves out the 358 that was held back', async () => {
    const { database, submit, call } = await office()
    const { way, filing } = refusing309()
    const made = await submit('aci')
    await fileAll({ database, filing })
    const { state, filings } = (await call('POST', `${path}/${made.id}/cancel`)).json().emanifest
    assert.deepEqual([state, filings.map((filed: Json) => filed.state)], ['cancelled', ['failed', 'failed']])
    await fileAll({ database, filing })
    assert.deepEqual(way.handed, [])
  })

  test('that a process was killed with is handed over by another soon, with the same number', async () => {
    const { database, submit, read } = await office()
    const made = await submit()
    const handed: string[] = []
    const after = Promise.withResolvers<null>()
    const filing = (answer: Promise<null>) => ({
      file: ({ controlNumber }: { controlNumber: string }) => {
        handed.push(controlNumber)
        return answer
      },
      collect: async () => {},
    })
    const dying = fileAll({ database, filing: filing(after.promise) })
    while (handed.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const next = filing(Promise.resolve(null))
    await fileAll({ database, filing: next })
    assert.equal(handed.length, 1, 'the first one holds it')
    await fileAll({ database, filing: next, aheadMs: () => leaseMs + 5_000 })
    assert.deepEqual([(await read(made)).filings[0].state, handed.length, new Set(handed).size], ['sent', 2, 1])
    after.resolve(null)
    await dying
  })

  test('that a process did not finish may have arrived', async () => {
    const { org, database, submit, call } = await office()
    const made = await submit()
    const { ctx } = applicationIn(service, org)
    await ctx.transaction((ctx) => claimFiling(ctx, made.filings[0].id, 0))
    const { filing } = refusing309()
    await fileAll({ database, filing, aheadMs: () => leaseMs + 5_000 })
    const { state, purpose, filings } = (await call('POST', `${path}/${made.id}/cancel`)).json().emanifest
    assert.deepEqual([state, purpose, filings[0].state], ['submitted', 'cancellation', 'failed'])
  })

  test('gives up after a day, with the reason', async () => {
    const { database, submit, read } = await office()
    const filing: FilingAdapter = {
      async file() {
        throw new FilingFault('customs.example.com did not answer.', { again: true })
      },
      async collect() {},
    }
    const made = await submit()
    for (let attempt = 1; attempt <= 30; attempt += 1)
      await fileAll({ database, filing, aheadMs: () => attempt * 3_700_000 })
    const [given] = (await read(made)).filings
    assert.deepEqual([given.state, given.attempts, given.error], ['failed', 29, 'customs.example.com did not answer.'])
  })

  test('is looked after by the doctor: what failed, and what nobody has handed over', async () => {
    const { org, database, submit, read, call } = await office()
    const none = { directory: null, url: null, secret: null, isTest: false }
    const faults = (emanifests = none) => verifyEmanifests(service.pool, emanifests, [org])
    const made = await submit()
    assert.deepEqual(await faults(), [])
    const filing: FilingAdapter = {
      async file() {
        throw new FilingFault('customs.example.com answered 401.', { again: false })
      },
      async collect() {},
    }
    await fileAll({ database, filing })
    assert.equal((await read(made)).filings[0].state, 'failed')
    assert.match((await faults()).join(), /interchange 1 was not handed over: customs.example.com answered 401\.$/)
    await call('POST', `${path}/${made.id}/submit`)
    await service.pool.transaction(async (run) => {
      await run({ text: `set local app.org_id = '${org}'`, values: [] })
      await run(sql`update emanifest_filings set created_at = now() - interval '1 hour' where org_id = ${org}`)
    })
    assert.deepEqual(await faults(), [])
    assert.match(
      (await faults({ ...none, url: 'https://customs.example.com/' } as never)).join(),
      /waits to be handed over since/,
    )
  })

  test('goes the way that the settings say, and is a job only where they say one', () => {
    const { database, settings } = service
    const none = { directory: null, url: null, secret: null, isTest: false }
    const named = (emanifests: typeof settings.emanifests) =>
      jobsOf(database, { ...settings, emanifests }).some(({ name }) => name.includes('e-manifests'))
    assert.equal(openFiling(database, { ...settings, emanifests: none }), null)
    assert.deepEqual(
      [
        named(none),
        named({ ...none, directory: '/srv/customs' }),
        named({ ...none, url: 'https://customs.example.com/' }),
      ],
      [false, true, true],
    )
  })

  test('the folder of an organization is called by its name in the settings, or its id', async () => {
    const { org, database, submit } = await office()
    const root = mkdtempSync(join(tmpdir(), 'lading-emanifests-'))
    after(() => rmSync(root, { recursive: true, force: true }))
    const emanifests = { directory: root, url: null, secret: null, isTest: false }
    await submit()
    const filing = openFiling(database, {
      ...service.settings,
      emanifests,
      inbox: { ...service.settings.inbox, names: { blueridge: org } },
    })
    await fileAll({ database, filing: filing as FilingAdapter })
    assert.deepEqual(readdirSync(join(root, 'out')), ['blueridge'])
    await submit()
    await fileAll({ database, filing: openFiling(database, { ...service.settings, emanifests }) as FilingAdapter })
    assert.deepEqual(readdirSync(join(root, 'out')).sort(), [org, 'blueridge'].sort())
  })
})
