import { billItemTypes } from '../server/src/books/bill-item-types/record.ts'
import { documentTallies } from '../server/src/books/kinds/kinds.ts'
import { payTerms } from '../server/src/books/pay-terms/record.ts'
import { transaction } from '../server/src/platform/context.ts'
import { recountTally } from '../server/src/platform/db/counts/tally-folding.ts'
import type { Database } from '../server/src/platform/db/database.ts'
import { named, sql } from '../server/src/platform/db/sql/sql.ts'
import { createOrganization, systemContext } from '../server/src/platform/organizations/actions.ts'
import { createRecord } from '../server/src/platform/resource/actions.ts'

/** An organization with so many bills or invoices, each with two lines, made over the last thirteen months; `ids` are some of them. */
export type Books = { org: string; ids: string[] }

type Documents = 'bills' | 'invoices'

const atOnce = 50_000

/** Finds the organization of that size in a directory that was used before, or fills one: without the actions, which would take hours. */
export async function openBooks(
  database: Database,
  of: Documents,
  count: number,
  say: (line: string) => void,
): Promise<Books> {
  const name = `A broker with ${count} ${of}`
  const org = (await findFilled(database, name)) ?? (await fill(database, name, of, count, say))
  const rows = await database.pool.transaction(async (run) => {
    await run({ text: `set local app.org_id = '${org}'`, values: [] })
    // Spread over all of them, without reading all of them.
    return run(
      sql`select id from ${named(of)} where org_id = ${org} and number in (select ceil(random() * ${count}) from generate_series(1, 2048))`,
    )
  })
  return { org, ids: rows.map(({ id }) => id as string) }
}

/** The yardstick of writing changes bills without the tallies. */
export async function recountBooks(database: Database, org: string): Promise<void> {
  for (const tally of documentTallies) await recountTally(database, tally, org)
}

/** The name is given last, so whatever was cut short is not found. */
async function findFilled({ pool }: Database, name: string): Promise<string | undefined> {
  const [row] = await pool.run<{ org_id: string }>(sql`select org_id from organizations where name = ${name}`)
  return row?.org_id
}

async function fill(
  database: Database,
  name: string,
  of: Documents,
  count: number,
  say: (line: string) => void,
): Promise<string> {
  const { id: org } = await createOrganization(database, 'To be filled')
  const [type, term] = await transaction(systemContext(database, org), async (ctx) => [
    (await createRecord(ctx, billItemTypes, { name: 'Line haul' })).id,
    (await createRecord(ctx, payTerms, { name: 'Net 30', number_of_days: 30 })).id,
  ])
  const { pool } = database
  for (let done = 0; done < count; done += atOnce) {
    say(`Filling ${name}: ${done}`)
    await pool.transaction(async (run) => {
      // The rows agree with each other by the way they are made; looking up every one of their references would double the time.
      await run({ text: `set local app.org_id = '${org}'; set local session_replication_role = replica`, values: [] })
      const some = [org, done + 1, Math.min(done + atOnce, count), count]
      await run({ text: insertDocuments(of), values: [...some, term as string] })
      await run({ text: insertLines(of), values: [...some, type as string] })
    })
  }
  await recountBooks(database, org)
  // What autovacuum would have done some minutes later.
  await pool.run(sql`vacuum analyze`)
  await pool.run(sql`update organizations set name = ${name} where org_id = ${org}`)
  return org
}

/** Ids in the order of creation, as the product makes them. */
export const idAt = (at: string, seed: string) =>
  `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${seed}), 1, 3) || '8' || substr(md5(${seed}), 4, 15))::uuid`

/** Working hours of the last four hundred days; the older a bill, the further it has come. */
const numbered = `
  select n, at, age, org, ${idAt('at', "'bill' || org || n")} as id, case
      when draw < 2 then 'edited' when age < 3 then 'draft' when age < 10 then 'saved' when age < 45 then 'sent' when draw < 5 then 'sent' else 'paid' end as status
  from (
    select n, $1::uuid as org, date_trunc('day', now()) - interval '1 day' * (400 - floor(x)) + interval '6 hours' + interval '12 hours' * (x - floor(x)) as at,
      400 - x as age, ('x' || substr(md5(n::text), 1, 4))::bit(16)::int % 100 as draw
    from (select n, (n - 1) * 400.0 / $4::int as x from generate_series($2::int, $3::int) as n) placed) drawn`

/** What the columns of a kind are called that not every kind has. */
const columns = {
  bills: {
    party: 'partner_carrier_id',
    date: 'bill_date',
    lines: 'bill_items',
    parent: 'bill_id',
    work: 'manifest_id',
  },
  invoices: {
    party: 'customer_id',
    date: 'invoice_date',
    lines: 'invoice_items',
    parent: 'invoice_id',
    work: 'order_id',
  },
} as const

const insertDocuments = (of: Documents) => `
  insert into ${of} (org_id, id, full_id, number, external_id, status_id, currency_id, pay_term_id, ${columns[of].party}, ${columns[of].date}, due_date, sent_at, paid_at, send_to_email,
    bill_to, remit_to, reference_number, sub_total_amount, total_amount, amount_paid, unpaid_status_id, created_by, created_at, updated_at)
  select org, id, id, n, 'PRO-' || n, status, case when n % 11 = 0 then 'cad' else 'usd' end, $5::uuid, md5('partner' || n % 700)::uuid, at, at + interval '30 days',
    case when status in ('sent', 'paid', 'edited') then at + interval '1 day' end, case when status = 'paid' then at + interval '31 days' end, 'billing@carrier.example',
    '{"company_name": "Blue Ridge Freight Brokers", "address_1": "120 Depot St", "city": "Asheville", "state": "NC", "postal": "28801", "country": "US"}',
    '{"company_name": "Cascade Carriers LLC", "address_1": "4410 Industrial Way", "city": "Portland", "state": "OR", "postal": "97210", "country": "US"}',
    'INV-' || n * 7, 100000 + n % 5000 + 20000, 100000 + n % 5000 + 20000, case when status = 'paid' then 100000 + n % 5000 + 20000 else 0 end,
    case when status = 'paid' then 'sent' end, 'bench', at,
    least(now(), at + case when status = 'paid' then interval '31 days' when status in ('sent', 'edited') then interval '1 day' else interval '1 minute' end)
  from (${numbered}) made`

const insertLines = (of: Documents) => `
  insert into ${columns[of].lines} (org_id, id, ${columns[of].parent}, position, bill_item_type_id, ${columns[of].work}, unit_price, quantity, total_amount, description, created_at, updated_at)
  select org, ${idAt('at', "'line' || org || n || position")}, id, position, $5::uuid, md5('manifest' || n / 3)::uuid, price, quantity, price * quantity, what, at, at
  from (${numbered}) made
  cross join lateral (values (1, 100000 + n % 5000, 1, 'Line haul Portland, OR to Boise, ID, 431 mi'), (2, 50, 400, 'Fuel surcharge, 400 mi')) as line(position, price, quantity, what)`
