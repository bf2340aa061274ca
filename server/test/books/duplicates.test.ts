import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { compare, listedFrom } from '../../src/books/bills/duplicates/model.ts'
import { carrierNumber } from '../../src/books/bills/duplicates/numbers.ts'
import { scopeNames } from '../../src/platform/access/scopes.ts'
import { signToken } from '../../src/platform/access/tokens/access-token.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { some } from '../depth.ts'
import { sharedService } from '../service.ts'
import { type Books, bills, openBooks } from './books.ts'
import { makePairs, type Pair } from './duplicate-pairs.ts'

const service = await sharedService()
const pairs: Pair[] = JSON.parse(readFileSync(new URL('duplicate-pairs.json', import.meta.url), 'utf8'))

async function booksWith(duplicates: string): Promise<Books> {
  const books = await openBooks(service)
  const { keyring, settings } = service
  const token = signToken(
    keyring,
    { issuer: settings.authUrl, audience: settings.audience },
    { sub: 'application', client_id: 'application', org_id: books.org, scopes: scopeNames },
  )
  const answer = await books.call('PUT', '/api/v1/organization', { duplicates }, { authorization: `Bearer ${token}` })
  assert.equal(answer.json().organization?.duplicates, duplicates, answer.body)
  return books
}

const carrier = newId()
const invoice = (reference_number: string | null, more: object = {}) => ({
  ...{
    currency_id: 'usd',
    partner_carrier_id: carrier,
    reference_number,
    bill_date: '2026-11-02',
    items: [{ unit_price: 185000 }],
  },
  ...more,
})

describe('duplicates of bills', { concurrency: true }, () => {
  test('the labelled pairs are those that their rules make, and are told apart: at least 95 % found, at most 2 % false alarms', () => {
    assert.deepEqual(pairs, makePairs())
    assert.deepEqual([pairs.length, pairs.filter(({ isDuplicate }) => isDuplicate).length], [500, 250])
    const listed = pairs.filter(({ one, other }) => compare(one, other).score >= listedFrom)
    const found = listed.filter(({ isDuplicate }) => isDuplicate).length
    const alarms = listed.length - found
    assert.ok(found / 250 >= 0.95, `${found} of 250 found`)
    assert.ok(alarms / 250 <= 0.02, `${alarms} of 250 are false alarms`)
    for (const { one, other } of pairs)
      assert.equal(compare(one, other).score, compare(other, one).score, 'it is the same from both sides')
    for (const { one, other } of listed) assert.ok(compare(one, other).reasons.length > 0)
  })

  test('the database and the rules compare numbers in the same form', async () => {
    const numbers = [
      ...pairs.flatMap(({ one, other }) => [one, other].flatMap(({ reference_number }) => reference_number ?? [])),
      '№ 12–7',
      ' ',
      'Счёт 0012',
      '000',
      'ß0Ol',
    ]
    const forms = await service.pool.run<{ form: string | null }>(
      sql`select carrier_number(u.number) as form from unnest(${numbers}::text[]) with ordinality as u(number, place) order by u.place`,
    )
    assert.deepEqual(
      forms.map(({ form }) => form),
      numbers.map(carrierNumber),
    )
  })

  test('GET /bills/{id}/duplicates finds the pairs among all bills, with a score and reasons, from both sides', async () => {
    const books = await openBooks(service)
    const chosen = some(pairs.filter((_, index) => index % 3 === 0))
    const rows = chosen.flatMap(({ one, other }, index) => [rowOf(one, index), rowOf(other, index)])
    const ids: string[] = []
    for (let start = 0; start < rows.length; start += 500) {
      const answer = await books.call('POST', `${bills}/bulk`, { bills: rows.slice(start, start + 500) })
      assert.equal(answer.json().counts.failed, 0, answer.body)
      ids.push(...answer.json().results.map(({ id }: { id: string }) => id))
    }
    for (const [index, { one, other }] of chosen.entries()) {
      const { score, reasons } = compare(one, other)
      const [a, b] = ids.slice(2 * index) as [string, string]
      for (const [id, its] of [
        [a, b],
        [b, a],
      ]) {
        const answer = await books.get(`${bills}/${id}/duplicates`)
        // Numbers of the set come several times; what counts is the other one of the pair.
        const found = answer.json().duplicates.find(({ bill_id }: { bill_id: string }) => bill_id === its)
        assert.equal(
          found?.score,
          score < listedFrom ? undefined : score,
          `${JSON.stringify([one, other])} ${answer.body}`,
        )
        if (found) assert.deepEqual(codesOf(found.reasons), codesOf(reasons))
      }
    }
  })

  test('by default the answer names them, of a new bill, of a change and of rows; and nothing is refused', async () => {
    const books = await openBooks(service)
    const first = await books.make(bills, invoice('INV-20417'))
    const again = await books.call('POST', bills, invoice('inv 2O417'))
    assert.deepEqual([again.statusCode, again.headers['x-possible-duplicates']], [201, first.id])
    const other = await books.call('POST', bills, invoice('INV-20418'))
    assert.equal(other.headers['x-possible-duplicates'], undefined)
    const changed = await books.call('PUT', `${bills}/${other.json().bill.id}`, { reference_number: '0020417' })
    assert.equal(changed.headers['x-possible-duplicates'], `${first.id}, ${again.json().bill.id}`)
    assert.equal(
      (await books.call('PUT', `${bills}/${first.id}`, { notes: 'n' })).headers['x-possible-duplicates'],
      undefined,
    )
    const { results } = (await books.call('POST', `${bills}/bulk`, { bills: [invoice('20417'), invoice('77')] })).json()
    assert.equal(results[0].possible_duplicates.length, 3)
    assert.ok(!('possible_duplicates' in results[1]))
  })

  test('a file that is only tried names the documents that are there and the lines before that are probably the same', async () => {
    const books = await openBooks(service)
    const first = await books.make(bills, invoice('INV-88'))
    const file = `partner_carrier_id,reference_number\n${['9', '88', '0088', '77'].map((number) => `${carrier},${number}\n`).join('')}`
    const { results } = (
      await books.call('POST', `${bills}/import?dry_run=true`, file, { 'content-type': 'text/csv' })
    ).json()
    const alike = (results as Record<string, unknown>[]).map((row) => [
      row.possible_duplicates,
      row.possible_duplicate_rows,
    ])
    // No id of a bill that does not exist.
    assert.deepEqual(alike, [
      [undefined, undefined],
      [[first.id], undefined],
      [[first.id], [3]],
      [undefined, undefined],
    ])
  })

  test('with "off" nobody looks, and a voided bill is no duplicate', async () => {
    const off = await booksWith('off')
    await off.make(bills, invoice('1'))
    assert.equal((await off.call('POST', bills, invoice('1'))).headers['x-possible-duplicates'], undefined)
    const books = await booksWith('refuse')
    const { id } = await books.make(bills, invoice('A-1'))
    await books.call('POST', `${bills}/${id}/save`)
    const corrected = await books.call('POST', `${bills}/${id}/correct`, { reason: 'Wrong rate' })
    assert.equal(corrected.statusCode, 201, corrected.body)
    const { duplicates } = (await books.get(`${bills}/${corrected.json().bill.id}/duplicates`)).json()
    assert.deepEqual(duplicates, [])
  })

  test('where the organization refuses them it is a 409 that names the other bill, unless it is allowed; nothing of it is kept', async () => {
    const books = await booksWith('refuse')
    const first = await books.make(bills, invoice('INV-20417'))
    const refused = await books.call('POST', bills, invoice('inv.2O417', { external_id: 'second' }))
    assert.deepEqual(
      [refused.statusCode, refused.json().error_code, refused.json().details[0].allowed],
      [409, 'duplicate_bill', [first.id]],
    )
    assert.equal((await books.get(`${bills}/ext:second`)).statusCode, 404)
    assert.equal(
      (await books.call('POST', bills, invoice('INV-20417', { partner_carrier_id: newId() }))).statusCode,
      201,
    )
    const other = await books.make(bills, invoice('INV-3'))
    const change = await books.call('PUT', `${bills}/${other.id}`, { reference_number: 'INV-20417', notes: 'kept?' })
    assert.equal(change.json().error_code, 'duplicate_bill')
    assert.equal((await books.read(`${bills}/${other.id}`)).notes, null)
    const allowed = await books.call('PUT', `${bills}/${other.id}`, {
      reference_number: 'INV-20417',
      allow_duplicate: true,
    })
    assert.deepEqual([allowed.statusCode, allowed.headers['x-possible-duplicates']], [200, first.id])
    const rows = [
      invoice('INV-20417'),
      invoice('INV-9'),
      invoice('inv9'),
      invoice('INV-20417', { allow_duplicate: true }),
    ]
    const { results } = (await books.call('POST', `${bills}/bulk`, { bills: rows })).json()
    assert.deepEqual(
      results.map(
        ({ status, error }: { status: string; error?: { error_code: string } }) => error?.error_code ?? status,
      ),
      ['duplicate_bill', 'created', 'duplicate_bill', 'created'],
    )
    const { results: tried } = (
      await books.call('POST', `${bills}/bulk`, {
        mode: 'all_or_nothing',
        bills: [invoice('INV-9'), invoice('INV-10')],
      })
    ).json()
    assert.equal(tried[0].error.error_code, 'duplicate_bill')
    assert.equal((await books.get(`${bills}?reference_number=INV-10`)).json().total, 0)
    // A number is free again once its bill has another one.
    await books.call('PUT', `${bills}/${first.id}`, { reference_number: 'INV-55' })
    assert.equal((await books.call('POST', bills, invoice('INV-55'))).statusCode, 409)
  })

  test('of many who enter the same at once, one gets it', async () => {
    const books = await booksWith('refuse')
    const one = Array.from({ length: 6 }, (_, index) =>
      books.call('POST', bills, invoice(`INV-${'0'.repeat(index)}500`)),
    )
    const many = Array.from({ length: 3 }, () =>
      books.call('POST', `${bills}/bulk`, { bills: [invoice('500'), invoice(null)] }),
    )
    const statuses = (await Promise.all(one)).map(({ statusCode }) => statusCode)
    const rows = (await Promise.all(many)).flatMap((answer) =>
      answer.json().results.map(({ status }: { status: string }) => status),
    )
    const made =
      statuses.filter((status) => status === 201).length +
      rows.filter((status, index) => index % 2 === 0 && status === 'created').length
    assert.deepEqual(
      [made, statuses.every((status) => status === 201 || status === 409)],
      [1, true],
      JSON.stringify([statuses, rows]),
    )
    const [row] = await service.database.read<{ held: number }>(
      books.org,
      sql`select count(held_number)::int as held from bills where org_id = ${books.org}`,
    )
    assert.equal(row?.held, 1)
  })
})

function codesOf(reasons: readonly { code: string }[]): string[] {
  return reasons.map(({ code }) => code).sort()
}

/** As a row of many, with carriers and manifests of the pair's own. */
function rowOf({ manifest_ids, total_amount, partner_carrier_id, ...bill }: Pair['one'], index: number): object {
  const own = (id: string) => `${index.toString(16).padStart(8, '0')}${id.slice(8)}`
  const manifest = manifest_ids[0] && { manifest_id: own(manifest_ids[0]) }
  return {
    ...bill,
    partner_carrier_id: partner_carrier_id && own(partner_carrier_id),
    items: [{ unit_price: total_amount, ...manifest }],
  }
}
