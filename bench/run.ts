/** `npm run bench`: the product next to what the same machine could do at best, in one run. README.md says how to read it. */
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Sums } from './aggregates.ts'
import { type Answer, answerOf, requireEqual } from './answers.ts'
import { type Audits, openAudits } from './audits.ts'
import type { Cpu } from './cpu.ts'
import { type Arrivals, type Deliveries, type Endpoint, openArrivals, openDeliveries } from './deliveries.ts'
import { type Helper, startHelper } from './helper.ts'
import { keep, readKept } from './kept.ts'
import type { Load } from './load.ts'
import { type Product, startProduct } from './product.ts'
import { type Row, rows } from './rows.ts'
import { type Measured, type Outcome, outcomeOf, type Round, tableOf } from './table.ts'
import type { Writes } from './transactions.ts'

type Helpers = {
  load: Helper<Load, Measured>
  bare: Helper<Answer[], string>
  transactions: Helper<Writes, Measured>
  aggregates: Helper<Sums, Measured>
  endpoint: Endpoint
}
type Contender = (round: number, seconds: number) => Promise<Measured>

const rounds = 5
/** Until V8 has compiled what is hot: the first seconds of a process say nothing about the rest of its life. */
const warmUpSeconds = 10

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    profile: { type: 'string' },
    data: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})
const seconds = Number(options.seconds)
const wanted = rows.filter(({ name }) => name.toLowerCase().includes(options.only.toLowerCase()))
if (!(seconds > 0) || wanted.length === 0) {
  process.stderr.write(
    `usage: npm run bench -- [--seconds <of each round>] [--only <part of a row's name>] [--json] [--profile <folder>] [--data <folder>] [--keep]\n`,
  )
  process.exit(2)
}

const tenants = new Set(wanted.flatMap(({ tenant, others }) => [tenant ?? 'types', ...(others ? [others.tenant] : [])]))
const product = await startProduct({
  profileDir: options.profile,
  dataDir: options.data && resolve(options.data),
  tenants,
})
const helpers: Helpers = {
  load: startHelper('load.ts'),
  bare: startHelper('bare.ts'),
  transactions: startHelper('transactions.ts'),
  aggregates: startHelper('aggregates.ts'),
  endpoint: startHelper('receiver.ts'),
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop().then(() => process.exit(1)))
try {
  const deliveries = wanted.some(({ delivering }) => delivering)
    ? await openDeliveries(product, helpers.endpoint)
    : undefined
  const arrivals = wanted.some(({ arriving }) => arriving) ? await openArrivals(product, helpers.endpoint) : undefined
  const say = (line: string) => (options.json ? undefined : process.stderr.write(`${line}\n`))
  const audits = wanted.some(({ auditing }) => auditing) ? await openAudits(product, say) : undefined
  const outcomes: Outcome[] = []
  const kept = readKept()
  for (const row of wanted) {
    const outcome = await measure(row, { deliveries, arrivals, audits })
    // A long run that is broken off has said what it saw until then.
    if (!options.json) process.stderr.write(tableOf([outcome], kept))
    outcomes.push(outcome)
  }
  process.stdout.write(options.json ? `${JSON.stringify(outcomes, null, 2)}\n` : tableOf(outcomes, kept))
  if (options.keep) keep(outcomes)
} finally {
  await stop()
}

type Opened = { deliveries: Deliveries | undefined; arrivals: Arrivals | undefined; audits: Audits | undefined }

/** Short rounds in turn, so that whatever else the machine is doing falls on both. */
async function measure(row: Row, { deliveries, arrivals, audits }: Opened): Promise<Outcome> {
  const reading = await productOn(row, product, helpers)
  const other = await yardstickOf(row, product, helpers)
  const ours =
    row.auditing && audits
      ? auditsOf(audits)
      : row.arriving && arrivals
        ? arrivalsOf(arrivals, true, reading)
        : row.delivering && deliveries
          ? whileDelivering(row, reading, deliveries)
          : reading
  const theirs = row.arriving && arrivals ? arrivalsOf(arrivals, false, other) : other
  let memoryMb = 0
  const watch = setInterval(() => {
    memoryMb = Math.max(memoryMb, product.memoryMb())
  }, 100)
  const measured: Round[] = []
  for (let round = 0; round <= rounds; round++) {
    if (!options.json)
      process.stderr.write(`${row.name}: ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}\n`)
    const length = round === 0 ? warmUpSeconds : seconds
    const before = product.cpu()
    const measuredOurs = await ours(round, length)
    // Where another process was started for the row, the time of the first one says nothing.
    const cpu = row.against === 'no request log' ? null : since(before, product.cpu())
    const pair = { ours: measuredOurs, theirs: await theirs(round, length), cpu }
    if (round > 0) measured.push(pair)
  }
  clearInterval(watch)
  if (row.against === 'pg' && row.tenant === 'million') await product.recount()
  return outcomeOf(row, measured, memoryMb)
}

function since(before: Cpu | undefined, after: Cpu | undefined): Cpu | null {
  if (!before || !after) return null
  return { node: after.node - before.node, postgres: after.postgres - before.postgres }
}

async function productOn(row: Row, { origin: first, seed, another }: Product, { load }: Helpers): Promise<Contender> {
  const { token } = seed[row.tenant ?? 'types']
  // Against a process that was started for the row stands one that was, too: the first has had other rows before.
  const origin = row.against === 'no request log' ? await another({ REQUEST_LOG_DAYS: '7' }) : first
  return (round, seconds) =>
    load.ask({ origin, token, calls: row.calls(seed, round), seconds, connections: row.connections, rate: row.rate })
}

/** The reads of the row, or the deliveries themselves where it has none. */
function whileDelivering({ against }: Row, reading: Contender, deliveries: Deliveries): Contender {
  return async (round, seconds) => {
    const { perSecond } = await deliveries.begin()
    const measured =
      against === 'itself' ? await reading(round, seconds) : await sleep(seconds * 1000, { perSecond: 0, ms: [] })
    const delivered = await perSecond()
    if (!options.json) process.stderr.write(`  ${delivered.toFixed(0)} deliveries/s\n`)
    await deliveries.end()
    return against === 'itself' ? measured : { perSecond: delivered, ms: [] }
  }
}

function arrivalsOf(arrivals: Arrivals, withDead: boolean, changing: Contender): Contender {
  return (round, seconds) => arrivals.measure(withDead, () => changing(round, seconds))
}

/** So many invoices of the batch in a round. */
function auditsOf(audits: Audits): Contender {
  return async (_round, seconds) => {
    const { perSecond } = await audits.begin()
    await sleep(seconds * 1000)
    return { perSecond: await perSecond(), ms: [] }
  }
}

async function yardstickOf(
  row: Row,
  { address, origin, seed, another }: Product,
  { bare, load, transactions, aggregates }: Helpers,
): Promise<Contender> {
  const { against, tenant = 'types', others, aggregate } = row
  const { org, token, ids } = seed[tenant]
  if (against === '500 deliveries/s') return async () => ({ perSecond: 500, ms: [] })
  if (against === '20 pages/s') return async () => ({ perSecond: 20, ms: [] })
  if (against === '2 batches/s') return async () => ({ perSecond: 2, ms: [] })
  if (against === '300 audits/s') return async () => ({ perSecond: 300, ms: [] })
  if (others)
    return (round, seconds) =>
      load.ask({ origin, token: seed[others.tenant].token, calls: others.calls(seed, round), seconds, rate: row.rate })
  if (aggregate) return (_round, seconds) => aggregates.ask({ address, org, text: aggregate, seconds })
  if (against === 'no request log') {
    const without = await another({ REQUEST_LOG_DAYS: '0' })
    return (round, seconds) => load.ask({ origin: without, token, calls: row.calls(seed, round), seconds })
  }
  if (against === 'pg')
    return (_round, seconds) =>
      transactions.ask({ address, org, ids, of: tenant === 'types' ? 'bill_item_type' : 'bill', seconds })
  const calls = row.calls(seed, 0)
  const answers = await inTurn(calls, ({ path }) => answerOf(origin, path, token))
  const bareOrigin = await bare.ask(answers)
  await inTurn(answers, async (answer) => requireEqual(answer, await answerOf(bareOrigin, answer.path, token)))
  return (_round, seconds) => load.ask({ origin: bareOrigin, token, calls, seconds })
}

/** A few at a time: thousands at once would time out on each other. */
async function inTurn<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let at = 0; at < items.length; at += 32) done.push(...(await Promise.all(items.slice(at, at + 32).map(work))))
  return done
}

async function stop(): Promise<void> {
  for (const helper of Object.values(helpers)) helper.stop()
  await product.stop()
}
