import { recountTally } from '../server/src/platform/db/counts/tally-folding.ts'
import type { Database } from '../server/src/platform/db/database.ts'
import { sql } from '../server/src/platform/db/sql/sql.ts'
import { createOrganization } from '../server/src/platform/organizations/actions.ts'
import { objectTallies } from '../server/src/records/index/tallies-sql.ts'
import { idAt } from './books.ts'

/** An organization with so many customers, made over the last four hundred days; `ids` are some of them. */
export type Clientele = { org: string; ids: string[] }

/** Every town has so many customers, however many there are in all: one of each trade. So a filter by town finds as many here as there. */
export const perTown = 25

const trades =
  'foods steel paper lumber grain dairy tools glass rubber cotton citrus cement copper marble plastics textiles beverages seafood pharma furniture machinery ceramics chemicals electronics packaging'.split(
    ' ',
  )
const syllables = 'ba ke li mo nu pa re si to vu'.split(' ')
const atOnce = 50_000

/** The town of a number: a syllable for each of its five digits. */
export function townOf(number: number): string {
  const word = [...String(number).padStart(5, '0')].map((digit) => syllables[Number(digit)]).join('')
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}

/** Credit limits are whole hundreds from 0 on, each of them once, in no order. */
export const creditStep = 100

/** Finds the organization of that size in a directory that was used before, or fills one: past the actions, which would take hours. */
export async function openClientele(
  database: Database,
  customers: number,
  say: (line: string) => void,
): Promise<Clientele> {
  const name = `A broker with ${customers} customers`
  const [found] = await database.pool.run<{ org_id: string }>(
    sql`select org_id from organizations where name = ${name}`,
  )
  const org = found?.org_id ?? (await fill(database, name, customers, say))
  const rows = await database.pool.transaction(async (run) => {
    await run({ text: `set local app.org_id = '${org}'`, values: [] })
    return run(
      sql`select id from objects where org_id = ${org} and object_key = 'customer' and number in (select ceil(random() * ${customers}) from generate_series(1, 2048))`,
    )
  })
  return { org, ids: rows.map(({ id }) => id as string) }
}

/** The name is given last, so whatever was cut short is not found. */
async function fill(database: Database, name: string, customers: number, say: (line: string) => void): Promise<string> {
  const { id: org } = await createOrganization(database, 'To be filled')
  const { pool } = database
  const within = (work: (run: (text: string, values: (string | number)[]) => Promise<unknown>) => Promise<void>) =>
    pool.transaction(async (run) => {
      // The rows agree with each other by the way they are made; looking up every one of their references would double the time.
      await run({ text: `set local app.org_id = '${org}'; set local session_replication_role = replica`, values: [] })
      await work((text, values) => run({ text, values }))
    })
  for (let done = 0; done < customers; done += atOnce) {
    say(`Filling ${name}: ${done}`)
    const some = [org, done + 1, Math.min(done + atOnce, customers), customers]
    await within(async (run) => {
      for (const text of [insertObjects, insertValues, insertWords]) await run(text, some)
    })
  }
  await within(async (run) => {
    await run(insertEnds, [org])
    await run(`insert into definitions (org_id, object_key, prefix) values ($1, 'customer', 'CUST')`, [org])
    await run(`insert into counters (org_id, name, value) values ($1, 'object:customer', $2)`, [org, customers])
  })
  for (const tally of Object.values(objectTallies('customer'))) await recountTally(database, tally, org)
  // What autovacuum would have done some minutes later.
  await pool.run(sql`vacuum analyze`)
  await pool.run(sql`update organizations set name = ${name} where org_id = ${org}`)
  return org
}

const town = syllables.reduce(
  (text, syllable, digit) => `replace(${text}, '${digit}', '${syllable}')`,
  `lpad((n % towns)::text, 5, '0')`,
)

/** What a customer is made of, by its number: in the order of creation, one of each trade in a town. */
const numbered = `
  select n, org, at, ${idAt('at', "'customer' || org || n")} as id, town, trade, 'c' || n as word, (n * 7919::bigint) % $4::int * ${creditStep} as credit,
    initcap(trade) || ' c' || n as name, (array['CA', 'NV', 'OR', 'WA'])[1 + n % 4] as state, case when n % 20 = 7 then 'inactive' else 'active' end as status
  from (
    select n, $1::uuid as org, ${town} as town, ('{${trades}}'::text[])[1 + n / towns % ${perTown}] as trade,
      date_trunc('day', now()) - interval '1 day' * (400 - floor(x)) + interval '6 hours' + interval '12 hours' * (x - floor(x)) as at
    from (select n, (n - 1) * 400.0 / $4::int as x, $4::int / ${perTown} as towns from generate_series($2::int, $3::int) as n) placed) drawn`

const insertObjects = `
  insert into objects (org_id, id, object_key, number, full_id, external_id, name, status, source, json, created_at, created_by, updated_at, updated_by)
  select org, id, 'customer', n, 'CUST-' || n, 'ERP-' || n, name, status, 'import',
    jsonb_build_object('name', name, 'city', initcap(town), 'state', state, 'currency', 'usd', 'email', 'ap@' || town || '.example', 'creditLimit', credit, 'tags', array[trade]),
    at, md5('someone')::uuid, at, md5('someone')::uuid
  from (${numbered}) made`

const insertValues = `
  insert into object_values (org_id, object_id, object_key, field, position, text_value, folded_value, number_value)
  select org, id, 'customer', field, 0, value, lower(value), case when field = 'creditLimit' then credit end
  from (${numbered}) made
  cross join lateral (values ('fullId', 'CUST-' || n), ('name', name), ('externalId', 'ERP-' || n), ('city', initcap(town)), ('state', state), ('currency', 'usd'),
    ('email', 'ap@' || town || '.example'), ('creditLimit', null), ('tags', trade)) as value(field, value)`

const insertEnds = `
  insert into object_word_ends (org_id, object_key, ending, word, object_id)
  select $1::uuid, object_key, ending, word, object_id
  from (select distinct on (word) object_key, word, object_id from object_words where org_id = $1) as known cross join word_ends(word) as ending on conflict do nothing`

const insertWords = `
  insert into object_words (org_id, object_key, word, object_id)
  select org, 'customer', w, id
  from (${numbered}) made cross join lateral unnest(array['cust', n::text, 'erp', trade, word, town, lower(state), 'usd', 'ap', 'example']) as w`
