import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentKinds, findDocumentTally } from '../../src/books/kinds/kinds.ts'
import { faultsIn } from '../../src/books/verify.ts'
import { foldTallies } from '../../src/platform/db/counts/tally-folding.ts'
import { some } from '../depth.ts'
import { sharedService } from '../service.ts'
import { faultsOf, openBooks, type Row } from './books.ts'

const service = await sharedService()

/** One spoiled row each, past every constraint, in a transaction that is taken back. */
const spoils: [fault: RegExp, spoil: (bill: Row, statement: Row) => string[]][] = [
  [
    /^The line .* has the total 7, which is not 10 times 1\.$/,
    (bill) => [`update bill_items set total_amount = 7 where position = 1 and bill_id = '${bill.id}'`],
  ],
  [
    /^The bill .* has the sub total 99, and lines of 30\.$/,
    (bill) => [`update bills set sub_total_amount = 99, total_amount = 99 where id = '${bill.id}'`],
  ],
  [
    /^The bill .* has the total 31, which is not/,
    (bill) => [`update bills set total_amount = 31 where id = '${bill.id}'`],
  ],
  [
    /^The bill .* has a tax of 5 though tax is off/,
    (bill) => [`update bills set tax_amount = 5, total_amount = 35 where id = '${bill.id}'`],
  ],
  [
    /^The bill .* has lines whose places do not run from 1 to 2/,
    (bill) => [`update bill_items set position = 3 where position = 2 and bill_id = '${bill.id}'`],
  ],
  [
    /^The bill .* has lines whose places/,
    (bill) => [`update bill_items set position = 1 where bill_id = '${bill.id}'`],
  ],
  [
    /^The bill .* is saved and has a time of payment/,
    (bill) => [`update bills set paid_at = now() where id = '${bill.id}'`],
  ],
  [
    /^The bill .* is paid and has no time of payment/,
    (bill) => [`update bills set status_id = 'paid' where id = '${bill.id}'`],
  ],
  [
    /^The bill .* is sent and has no time of sending/,
    (bill) => [`update bills set status_id = 'sent' where id = '${bill.id}'`],
  ],
  [
    /^The bill .* is saved without a number or a currency/,
    (bill) => [`update bills set number = null where id = '${bill.id}'`],
  ],
  [
    /^The bill .* is not found by its carrier and the number INV-7\.$/,
    (bill) => [
      `update bills set reference_number = 'INV-7', partner_carrier_id = coalesce(partner_carrier_id, gen_random_uuid()) where id = '${bill.id}'`,
    ],
  ],
  [
    /^The bill .* is a draft on a statement/,
    (bill) => [`update bills set status_id = 'draft' where id = '${bill.id}'`],
  ],
  [
    /^The bill .* of another payee/,
    (bill) => [`update bills set partner_carrier_id = gen_random_uuid() where id = '${bill.id}'`],
  ],
  [/^The bill .* in another currency/, (bill) => [`update bills set currency_id = 'cad' where id = '${bill.id}'`]],
  [
    /^The bill .* is on a statement that does not exist/,
    (bill) => [`update bills set consolidated_bill_id = gen_random_uuid() where id = '${bill.id}'`],
  ],
  [
    /^The statement .* is draft and has a time of payment/,
    (_, statement) => [`update consolidated_bills set paid_at = now() where id = '${statement.id}'`],
  ],
  [
    /^The statement .* is paid, and 1 of its bills are not/,
    (_, statement) => [
      `update consolidated_bills set status_id = 'paid', paid_at = now(), number = 1 where id = '${statement.id}'`,
    ],
  ],
  [
    /^The statement .* is saved without a number or without bills/,
    (_, statement) => [`update consolidated_bills set status_id = 'saved' where id = '${statement.id}'`],
  ],
  [
    /^The tally bill.created_at .* counts 1 saved too many\.$/,
    () => ["update tallies set n = n + 1 where tally = 'bill.created_at' and level = 0"],
  ],
  [
    /^The tally bill.updated_at .* counts 1 saved too many in the hour from /,
    () => ["update tallies set n = n + 1 where tally = 'bill.updated_at' and level = 3"],
  ],
  [
    /^The tally bill.created_at .* counts 1 sent too few in the month from /,
    (bill) => [`update bills set status_id = 'sent' where id = '${bill.id}'`],
  ],
  [
    /^The bill .* is paid 6, and its payments come to 5\.$/,
    (bill) => [`update bills set amount_paid = 6 where id = '${bill.id}'`],
  ],
  [/^The bill .* is paid 5, and its payments come to 7\.$/, () => ['update allocations set amount = 7']],
  [/^The bill .* is paid 31 of 30\.$/, (bill) => [`update bills set amount_paid = 31 where id = '${bill.id}'`]],
  [
    /^The bill .* is saved, and 0 of it is due\.$/,
    (bill) => [`update bills set amount_paid = 30 where id = '${bill.id}'`],
  ],
  [
    /^The payment .* has allocated 4, and its allocations come to 5\.$/,
    () => ['update payments set allocated_amount = 4'],
  ],
  [/^The payment .* has allocated 5 of 3\.$/, () => ['update payments set amount = 3']],
  [/^The allocation .* counts though its payment is voided\.$/, () => ["update payments set status = 'voided'"]],
  [
    /^The allocation .* settles what is of another currency or party\.$/,
    () => ["update allocations set currency_id = 'eur'"],
  ],
  [
    /^The allocation .* is of another currency or party than its payment\.$/,
    () => ['update payments set payee_id = gen_random_uuid()'],
  ],
  [/^The allocation .* settles what is not there\.$/, () => ['update allocations set bill_id = gen_random_uuid()']],
  [
    /^The payment .* has the number 1, and the counter stands at 0/,
    () => ["update counters set value = 0 where name = 'payment'"],
  ],
  [
    /^The bill .* has the number 1, and the counter stands at 0/,
    (bill) => [`update counters set value = 0 where org_id = '${bill.org_id}'`],
  ],
]

describe('the verification of the books', () => {
  test('finds nothing in books that were kept through the API', async () => {
    const books = await openBooks(service)
    await books.statement([
      await books.bill('sent', { items: [{ unit_price: 3, quantity: 4 }] }),
      await books.bill('edited'),
    ])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('looks at every kind of document', async () => {
    const books = await openBooks(service)
    for (const { noun, plural } of documentKinds) {
      const { id } = await books.make(`/api/v1/${plural}`, {
        direction: 'in',
        currency_id: 'usd',
        items: [{ unit_price: 10 }, { unit_price: 20 }],
      })
      await books.call('POST', `/api/v1/${plural}/${id}/save`)
      const [sums, places] = await takenBack(
        books.org,
        [
          [`update ${plural} set sub_total_amount = 99, total_amount = 99 where id = '${id}'`],
          [`update ${noun}_items set position = 3 where position = 2 and ${noun}_id = '${id}'`],
        ],
        false,
      )
      assert.match(String(sums), new RegExp(`The ${noun} ${id} .* has the sub total 99, and lines of 30`))
      assert.match(String(places), new RegExp(`The ${noun} ${id} .* has lines whose places do not run from 1 to 2`))
    }
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  for (const as of ['a superuser', 'an owner under row-level security']) {
    test(`says in a sentence what does not add up, past every constraint, as ${as}`, async () => {
      const books = await openBooks(service)
      const bill = await books.bill('saved', { items: [{ unit_price: 10 }, { unit_price: 20 }] })
      assert.equal((await books.call('POST', `/api/v1/bills/${bill.id}/pay`, { amount: 5 })).statusCode, 200)
      const statement = await books.statement([bill])
      await foldTallies(service.database, findDocumentTally, books.org)
      const tried = some(spoils, 8)
      const spoiled = tried.map(([, spoil]) => spoil(bill, statement))
      const found = await takenBack(books.org, spoiled, as !== 'a superuser')
      for (const [index, [fault]] of tried.entries()) {
        const sentences = found[index] ?? []
        assert.ok(
          sentences.some((sentence) => fault.test(sentence) && sentence.includes(books.org)),
          `${fault} in ${sentences}`,
        )
      }
      assert.deepEqual(await faultsOf(service, [books.org]), [])
    })
  }
})

class Enough extends Error {}

/** All that is looked at: a cluster does not read tables of a session together with those of organizations. */
const copied = [
  ...[
    'bills',
    'bill_items',
    'bill_numbers',
    'consolidated_bills',
    'invoices',
    'invoice_items',
    'credits',
    'credit_items',
    'payments',
    'allocations',
  ],
  ...['counters', 'tallies', 'tally_changes'],
]

/**
 * What is found after each of these changes, which are taken back one by one. Copies of the tables without a constraint stand in front of the real ones
 * for as long as the transaction lasts; nobody else sees them or waits for them.
 */
async function takenBack(org: string, changes: readonly (readonly string[])[], guarded: boolean): Promise<string[][]> {
  const found: string[][] = []
  await service.pool
    .transaction(async (run) => {
      const say = (text: string) => run({ text, values: [] })
      await say(`set local app.org_id = '${org}'`)
      for (const table of copied) {
        for (const text of [
          `create temp table ${table} as select * from public.${table} where org_id = '${org}'`,
          // As keep_apart guards a table, which on a cluster would also spread it.
          `alter table pg_temp.${table} enable row level security`,
          `create policy own_organization on pg_temp.${table} using (org_id = nullif(current_setting('app.org_id', true), '')::uuid)`,
          `grant select on pg_temp.${table} to lading_app`,
        ])
          await say(text)
      }
      for (const statements of changes) {
        await say('savepoint sound')
        for (const statement of statements) await say(statement)
        // The serving role sees through the same policies as an owner who is no superuser; of organizations it sees its own.
        if (guarded) await say('set local role lading_app')
        found.push(await faultsIn(run, [org]))
        await say('rollback to savepoint sound')
      }
      throw new Enough()
    })
    .catch((error) => {
      if (!(error instanceof Enough)) throw error
    })
  return found
}
