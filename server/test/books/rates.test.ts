import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deepOnly } from '../depth.ts'
import { callerIn, sharedService } from '../service.ts'
import { type Json, openBooks } from './books.ts'

const service = await sharedService()
const rates = '/api/v1/exchange_rates'
const eurusd = { from_currency_id: 'eur', to_currency_id: 'usd' }

const spans = async (books: Awaited<ReturnType<typeof openBooks>>, filter = '') =>
  ((await books.get(`${rates}?sort=starts_on${filter}`)).json().exchange_rates as Json[]).map(
    ({ rate, starts_on, ends_on }) => [rate, starts_on, ends_on],
  )

describe('exchange rates', { concurrency: true }, () => {
  test('are decimal, dated, searched, changed and deleted, with their history', async () => {
    const books = await openBooks(service)
    const made = await books.make(rates, {
      ...eurusd,
      from_currency_id: 'EUR',
      rate: '01.08420',
      starts_on: '2026-11-01',
      ends_on: '2026-11-30',
      source: 'bank',
    })
    assert.deepEqual(
      [made.from_currency_id, made.rate, made.starts_on, made.ends_on, made.source],
      ['eur', '1.0842', '2026-11-01', '2026-11-30', 'bank'],
    )
    await books.make(rates, { from_currency_id: 'usd', to_currency_id: 'cad', rate: '1.4', starts_on: '2026-11-01' })
    for (const [filter, total] of [
      ['?from_currency_ids=eur', 1],
      ['?to_currency_ids=cad,usd', 2],
      ['?on=2026-11-30', 2],
      ['?on=2026-12-01', 1],
      ['?on=2026-10-31', 0],
    ] as const)
      assert.equal((await books.get(`${rates}${filter}`)).json().total, total, filter)
    const changed = await books.call(
      'PUT',
      `${rates}/${made.id}`,
      { exchange_rate: { ...made, rate: '1.09' } },
      { 'if-match': '"1"' },
    )
    assert.equal(changed.json().exchange_rate.rate, '1.09')
    assert.equal(
      (await books.call('PUT', `${rates}/${made.id}`, { rate: '1.1' }, { 'if-match': '"1"' })).statusCode,
      412,
    )
    assert.equal((await books.call('DELETE', `${rates}/${made.id}`)).statusCode, 204)
    assert.equal((await books.get(`${rates}/${made.id}`)).statusCode, 404)
    const { events } = (await books.get(`${rates}/${made.id}/history`)).json()
    assert.deepEqual(
      events.map(({ type, previous }: Json) => [type, previous]),
      [
        ['exchange_rate.deleted', null],
        ['exchange_rate.updated', { rate: '1.0842' }],
        ['exchange_rate.created', null],
      ],
    )
  })

  test('of one pair never overlap, and a new one without an end closes the one before it', async () => {
    const books = await openBooks(service)
    const first = await books.make(rates, { ...eurusd, rate: '1.08', starts_on: '2026-11-01' })
    await books.make(rates, { ...eurusd, rate: '1.09', starts_on: '2026-11-16' })
    assert.deepEqual(await spans(books), [
      ['1.08', '2026-11-01', '2026-11-15'],
      ['1.09', '2026-11-16', null],
    ])
    assert.deepEqual(
      (await books.events()).map(({ type, previous }) => [type, previous]),
      [
        ['exchange_rate.created', null],
        ['exchange_rate.updated', { ends_on: null }],
        ['exchange_rate.created', null],
      ],
    )
    const refused: [string, string, object][] = [
      ['POST', rates, { ...eurusd, rate: '1', starts_on: '2026-11-16' }],
      ['POST', rates, { ...eurusd, rate: '1', starts_on: '2026-11-10' }],
      ['POST', rates, { ...eurusd, rate: '1', starts_on: '2026-10-01', ends_on: '2026-11-01' }],
      ['POST', rates, { ...eurusd, rate: '1', starts_on: '2026-12-01', ends_on: '2026-12-31' }],
      ['PUT', `${rates}/${first.id}`, { ends_on: '2026-11-16' }],
      ['PUT', `${rates}/${first.id}`, { ends_on: null }],
    ]
    for (const [method, path, body] of refused) {
      const answer = await books.call(method, path, body)
      assert.deepEqual([answer.statusCode, answer.json().error_code], [409, 'rates_overlap'], JSON.stringify(body))
    }
    // The other direction is a pair of its own.
    await books.make(rates, { from_currency_id: 'usd', to_currency_id: 'eur', rate: '0.9', starts_on: '2026-11-01' })
  })

  test('that many make for one pair at the same time stay apart: the database keeps them so', async () => {
    const books = await openBooks(service)
    const days = ['01', '02', '03', '04', '05', '06', '07', '08']
    const answers = await Promise.all(
      days.map((day) => books.call('POST', rates, { ...eurusd, rate: '1.1', starts_on: `2026-11-${day}` })),
    )
    for (const { statusCode, body } of answers) assert.ok([201, 409].includes(statusCode), body)
    const kept = await spans(books)
    assert.equal(kept.length, answers.filter(({ statusCode }) => statusCode === 201).length)
    for (const [index, [, , end]] of kept.entries())
      assert.ok(kept[index + 1] === undefined ? end === null : String(end) < String(kept[index + 1]?.[1]))
  })

  test('refuse what is no rate, no day or no currency, another scope and another organization', async () => {
    const books = await openBooks(service)
    const good = { ...eurusd, rate: '1.1', starts_on: '2026-11-01' }
    const wrong: [object, string][] = [
      [{ rate: '0' }, 'bad_rate'],
      [{ rate: '-1' }, 'bad_rate'],
      [{ rate: '1e3' }, 'bad_rate'],
      [{ rate: '1.12345678901' }, 'bad_rate'],
      [{ rate: '1234567890123' }, 'bad_rate'],
      [{ rate: 1.1 }, 'wrong_type'],
      [{ starts_on: '2026-02-30' }, 'bad_date'],
      [{ starts_on: '2026-11-01T00:00:00Z' }, 'bad_date'],
      [{ ends_on: '2026-10-31' }, 'ends_before_it_starts'],
      [{ to_currency_id: 'zzz' }, 'unknown_currency'],
      [{ to_currency_id: 'EUR' }, 'same_currency'],
    ]
    for (const [change, code] of wrong) {
      const answer = await books.call('POST', rates, { ...good, ...change })
      assert.deepEqual([answer.statusCode, answer.json().error_code], [400, code], JSON.stringify(change))
    }
    assert.deepEqual(await books.events(), [])
    assert.equal((await callerIn(service, books.org, ['bills']).get(rates)).statusCode, 403)
    const { id } = await books.make(rates, good)
    const elsewhere = await openBooks(service)
    assert.equal((await elsewhere.get(`${rates}/${id}`)).statusCode, 404)
    assert.equal((await elsewhere.get(rates)).json().total, 0)
  })

  test('convert by the rate of the day, by the inverse where only that is known, and never by a chain', async () => {
    const books = await openBooks(service)
    await books.make(rates, { ...eurusd, rate: '1.25', starts_on: '2026-11-01', ends_on: '2026-11-15' })
    await books.make(rates, { ...eurusd, rate: '1.2', starts_on: '2026-11-16', ends_on: '2026-11-30' })
    await books.make(rates, { from_currency_id: 'usd', to_currency_id: 'jpy', rate: '155.12', starts_on: '2026-11-01' })
    const converted = async (query: string) => {
      const answer = await books.get(`${rates}/convert?${query}`)
      return answer.statusCode === 200
        ? [answer.json().converted_amount, answer.json().rate, answer.json().is_inverse]
        : answer.json().error_code
    }
    assert.deepEqual(await converted('from=eur&to=usd&amount=10001&on=2026-11-15'), [12501, '1.25', false])
    assert.deepEqual(await converted('from=eur&to=usd&amount=10001&on=2026-11-16'), [12001, '1.2', false])
    assert.deepEqual(await converted('from=USD&to=EUR&amount=12500&on=2026-11-02'), [10000, '0.8', true])
    assert.deepEqual(await converted('from=jpy&to=usd&amount=1551&on=2026-11-02'), [
      1000,
      '0.00644662197008767406',
      true,
    ])
    assert.deepEqual(await converted('from=usd&to=usd&amount=-7&on=2026-11-02'), [-7, '1', false])
    assert.equal(await converted('from=eur&to=jpy&amount=1&on=2026-11-02'), 'exchange_rate_missing')
    assert.equal(await converted('from=eur&to=usd&amount=1&on=2026-12-01'), 'exchange_rate_missing')
    // Where both directions are known, the one that was asked for counts.
    await books.make(rates, { from_currency_id: 'usd', to_currency_id: 'eur', rate: '0.9', starts_on: '2026-11-01' })
    assert.deepEqual(await converted('from=usd&to=eur&amount=1000&on=2026-11-02'), [900, '0.9', false])
    const today = new Date().toISOString().slice(0, 10)
    assert.equal((await books.get(`${rates}/convert?from=usd&to=jpy&amount=100`)).json().on, today)
    assert.equal(await converted('from=usd&to=jpy&amount=1.5&on=2026-11-02'), 'wrong_type')
  })

  test('are imported from a CSV: made, updated, and those that are wrong named by their lines', async () => {
    const books = await openBooks(service)
    await books.make(rates, { ...eurusd, rate: '1.08', starts_on: '2026-11-01' })
    const file = [
      'from_currency_id,to_currency_id,rate,starts_on,ends_on,source,colour',
      'eur,usd,1.09,2026-11-01,,bank,red',
      'eur,usd,1.1,2026-11-10,,bank,red',
      'eur,cad,1.5,2026-11-01,2026-11-30,,',
      'eur,cad,1.5,2026-11-30,2026-12-31,,',
      'eur,zzz,1.5,2026-11-01,,,',
      'eur,gbp,nothing,2026-11-01,,,',
    ].join('\n')
    const importing = (body: string, query = '', type = 'text/csv') =>
      books.call('POST', `${rates}/import${query}`, body, { 'content-type': type })
    const tried = await importing(file, '?dry_run=true')
    assert.equal(tried.statusCode, 200, tried.body)
    assert.deepEqual(tried.json().counts, { created: 2, updated: 1, unchanged: 0, failed: 3 })
    assert.equal((await books.events()).length, 1)
    const { counts, failures, unknown_columns } = (await importing(file)).json()
    assert.deepEqual(counts, tried.json().counts)
    assert.deepEqual(unknown_columns, ['colour'])
    assert.deepEqual(
      failures.map(({ line, error }: { line: number; error: Json }) => [line, error.error_code]),
      [
        [5, 'rates_overlap'],
        [6, 'unknown_currency'],
        [7, 'bad_rate'],
      ],
    )
    assert.deepEqual(await spans(books, '&to_currency_ids=usd'), [
      ['1.09', '2026-11-01', '2026-11-09'],
      ['1.1', '2026-11-10', null],
    ])
    const again = (await importing(file)).json()
    assert.deepEqual(again.counts, { created: 0, updated: 0, unchanged: 3, failed: 3 })
    for (const [body, code] of [
      ['rate,starts_on\n1,2026-11-01\n', 'bad_header'],
      ['', 'body_required'],
      ['Date, USD\n31 June 2026, 1.1\n', 'bad_date'],
    ] as const)
      assert.equal((await importing(body)).json().error_code, code)
    assert.equal((await importing('<x/>', '', 'application/xml')).json().error_code, 'malformed_xml')
    for (const [body, code, type] of [
      // Large enough to be read in another thread.
      ['<!--'.repeat(40_000), 'malformed_xml', 'application/xml'],
      ['a,'.repeat(100_000), 'too_many_columns', 'text/csv'],
    ] as const) {
      const refused = await importing(body, '', type)
      assert.deepEqual([refused.statusCode, refused.json().error_code], [400, code])
    }
    const header = 'from_currency_id,to_currency_id,rate,starts_on\n'
    const refused = await importing(`${header}${'x\n'.repeat(5001)}`)
    assert.deepEqual([refused.statusCode, refused.json().error_code], [413, 'too_many_rows'])
    assert.match(refused.json().error_message, /^More than 5000 rates of the file cannot be read\. Line 5002:/)
    const zeros = await books.call('POST', rates, {
      exchange_rate: { ...eurusd, rate: `1.${'0'.repeat(80_000)}1`, starts_on: '2026-11-01' },
    })
    assert.equal(zeros.statusCode, 400, zeros.body)
    assert.equal((await importing('{}', '', 'application/json')).statusCode, 415)
  })

  test(
    'are imported in bounds: a file holds so many of them, and an answer so many that failed',
    deepOnly,
    async () => {
      const books = await openBooks(service)
      const importing = (body: string) =>
        books.call('POST', `${rates}/import?dry_run=true`, body, { 'content-type': 'text/csv' })
      const day = `2026-11-16${',1'.repeat(1000)}\n`
      const refused = await importing(`Date${',USD'.repeat(1000)}\n${day.repeat(501)}`)
      assert.deepEqual([refused.statusCode, refused.json().error_code], [413, 'too_many_rows'])
      const two = 'usd,gbp,1,2030-01-01,2030-12-31\nusd,gbp,1,2030-12-31,2031-12-31\n'
      const overlapping = await importing(`from_currency_id,to_currency_id,rate,starts_on,ends_on\n${two.repeat(5001)}`)
      assert.deepEqual([overlapping.json().counts.failed, overlapping.json().failures.length], [5001, 5000])
    },
  )

  test('are imported from the daily files of the ECB, today’s and those of the past, in any order', async () => {
    const books = await openBooks(service)
    const importing = async (body: string, type = 'text/csv') => {
      const answer = await books.call('POST', `${rates}/import`, body, { 'content-type': type })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json()
    }
    await importing('Date, USD, JPY, \n16 November 2026, 1.0583, 164.2, \n')
    const history = await importing(
      'Date,USD,CYP,JPY,\n2026-11-16,1.0583,N/A,164.2,\n2026-11-13,1.0533,0.58,N/A,\n2026-11-12,1.06,N/A,163.9,\n',
    )
    assert.deepEqual(history.counts, { created: 3, updated: 0, unchanged: 2, failed: 0 })
    assert.deepEqual(history.unknown_columns, ['CYP'])
    const xml =
      "<gesmes:Envelope><Cube><Cube time='2026-11-17'><Cube currency='USD' rate='1.07'/><Cube currency='JPY' rate='165'/></Cube></Cube></gesmes:Envelope>"
    assert.deepEqual((await importing(xml, 'application/xml')).counts, {
      created: 2,
      updated: 0,
      unchanged: 0,
      failed: 0,
    })
    assert.deepEqual(await spans(books, '&to_currency_ids=usd&from_currency_ids=eur'), [
      ['1.06', '2026-11-12', '2026-11-12'],
      ['1.0533', '2026-11-13', '2026-11-15'],
      ['1.0583', '2026-11-16', '2026-11-16'],
      ['1.07', '2026-11-17', null],
    ])
    assert.deepEqual(await spans(books, '&to_currency_ids=jpy'), [
      ['163.9', '2026-11-12', '2026-11-15'],
      ['164.2', '2026-11-16', '2026-11-16'],
      ['165', '2026-11-17', null],
    ])
  })
})
