import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { oneSnapshot, type Pool } from '../../src/platform/db/pool/connect.ts'
import type { Address } from '../../src/platform/db/postgres/embedded.ts'
import { readAllOrganizations } from '../../src/platform/db/schema/organizations.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { databaseOf, type Environment, lading } from '../process/lading.ts'
import { historyFaults, type State } from './checker.ts'
import { openClient } from './client.ts'
import { feedFaults } from './feed.ts'
import { countFate } from './history.ts'
import type { Load } from './load.ts'
import type { Organization } from './organizations.ts'
import { type Result, seconds } from './place.ts'

export type Examined = {
  load: Load
  organizations: readonly Organization[]
  base: string
  target: Address | string
  env: Environment
}

/** Everything that must be true when the load is over, whatever was broken meanwhile. */
export async function examine(
  t: TestContext,
  { load, organizations, base, target, env }: Examined,
): Promise<Omit<Result, 'name'>> {
  const { history } = load
  const faults = [...history.wrong].map(([what, times]) => `${what} ${times} times`)
  const pool = databaseOf(t, target)
  faults.push(...historyFaults(history, await readState(pool)))
  await load.feeds.stop()
  faults.push(...(await feedFaults(pool, load.feeds)))
  for (const organization of organizations) faults.push(...(await sumFaults(base, organization)))
  faults.push(...(await doctorFaults(env)))
  return {
    figures: {
      acknowledged: countFate(history, 'acknowledged'),
      unknown: countFate(history, 'unknown'),
      refused: countFate(history, 'refused'),
      'list reads': history.reads.length,
      'events through the feeds': [...load.feeds.collected.values()].reduce((sum, events) => sum + events.length, 0),
      'no answer': history.statuses.get(0) ?? 0,
      503: history.statuses.get(503) ?? 0,
      'slowest answer': seconds(history.slowestMs),
    },
    faults,
  }
}

export async function readState(pool: Pool): Promise<State> {
  return pool.transaction(async (run) => {
    await readAllOrganizations(run)
    const rows = await run<State['rows'][number]>(sql`
      select 'bill item type' as kind, org_id as org, external_id as mark, id, null::uuid as list, 0 as position from bill_item_types where name like 'load-%'
      union all select 'bill', org_id, external_id, id, null, 0 from bills where external_id like 'load-%'
      union all select 'line', org_id, description, id, bill_id, position from bill_items where description like 'load-%'
      union all select 'statement', org_id, external_id, id, null, 0 from consolidated_bills where external_id like 'load-%'
      union all select 'object', org_id, name, id, null, 0 from objects where name like 'load-%'
      order by list, position`)
    const numbers = await run<State['numbers'][number]>(sql`
      select org_id as org, 'bills' as kind, id, number from bills where number is not null
      union all select org_id, 'statements', id, number from consolidated_bills where number is not null
      union all select org_id, object_key, id, number from objects`)
    return { rows, numbers }
  }, oneSnapshot)
}

type Amounts = { id: string; sub_total_amount: number; tax_amount: number; total_amount: number }
type Page = { consolidated_bills: Amounts[]; next_after: string | null }

/** Through the API: a bill is the sum of its lines and its tax, and a statement the sum of its bills. */
async function sumFaults(base: string, { token }: Organization): Promise<string[]> {
  const client = openClient()
  const faults: string[] = []
  const read = async (path: string) => JSON.parse((await client.send(base, { method: 'GET', path, token })).body)
  for (let after: string | null = ''; after !== null; ) {
    const page: Page = await read(`/api/v1/consolidated_bills?limit=50&after=${encodeURIComponent(after)}`)
    for (const { id } of page.consolidated_bills) {
      const { consolidated_bill, bills } = await read(`/api/v1/consolidated_bills/${id}`)
      if (!addsUp(consolidated_bill, bills, 'sub_total_amount')) faults.push(`The statement ${id} does not add up.`)
      for (const bill of bills)
        if (!addsUp(bill, bill.bill_items, 'total_amount')) faults.push(`The bill ${bill.id} does not add up.`)
    }
    after = page.next_after
  }
  client.close()
  return faults
}

function addsUp(
  { sub_total_amount, tax_amount, total_amount }: Amounts,
  parts: readonly Amounts[],
  field: keyof Amounts,
): boolean {
  const sum = parts.reduce((all, part) => all + Number(part[field]), 0)
  return total_amount === sub_total_amount + tax_amount && sum === sub_total_amount
}

/** A job that failed while something was away says so until its next run, and those that matter here run every few seconds. */
const nextRunMs = 20_000

/** The installation's own examination: sums, states, numbers, the index, the tenancy of every table, background work. */
async function doctorFaults(env: Environment): Promise<string[]> {
  for (const since = Date.now(); ; await sleep(2_000)) {
    const { stdout, stderr } = await lading(['doctor', '--json'], env)
    if (!stdout.startsWith('[')) return [`The doctor could not look: ${stderr}`]
    const wrong = (JSON.parse(stdout) as { ok: boolean; what: string; message: string }[]).filter(({ ok }) => !ok)
    if (Date.now() - since > nextRunMs || wrong.every(({ what }) => what !== 'background work'))
      return wrong.map(({ what, message }) => `The doctor finds fault with ${what}: ${message}`)
  }
}
