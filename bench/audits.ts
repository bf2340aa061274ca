import { insertInvoices } from '../server/src/payables/carrier-invoices/received/store.ts'
import { transaction } from '../server/src/platform/context.ts'
import { newId } from '../server/src/platform/core/values/ids.ts'
import { openDatabase } from '../server/src/platform/db/database.ts'
import { connect } from '../server/src/platform/db/pool/connect.ts'
import { named, sql } from '../server/src/platform/db/sql/sql.ts'
import { systemContext } from '../server/src/platform/organizations/actions.ts'
import type { Product } from './product.ts'

/** One batch of audits, which goes on over all rounds of a row. */
export type Audits = { begin(): Promise<{ perSecond(): Promise<number> }> }

/** How many carrier invoices the batch has; fewer to try it. */
const invoices = Number(process.env.BENCH_INVOICES ?? 100_000)
const atOnce = 500

/** Manifests with two payment items, an invoice for each that names it, one in ten of them too high; then the batch that matches, audits and bills them. */
export async function openAudits(product: Product, say: (line: string) => void): Promise<Audits> {
  const { call } = callerOf(product)
  const { partner_carrier } = await call<{ partner_carrier: { id: string } }>('POST', '/api/v1/partner_carriers', {
    name: 'A carrier of many',
    currency_id: 'usd',
  })
  await call('POST', '/api/v1/audit_policies', {
    partner_carrier_id: partner_carrier.id,
    over_percent: '2',
    approve_automatically: true,
  })
  for (let done = 0; done < invoices; done += atOnce) {
    if (done % 10_000 === 0) say(`Filling: ${done} of ${invoices} manifests and invoices`)
    await fill(product, partner_carrier.id, done)
  }
  await analyze(product)
  let run: string | undefined

  async function begin() {
    run ??= (
      await call<{ audit_run: { id: string } }>('POST', '/api/v1/carrier_invoices/audit', {
        partner_carrier_ids: [partner_carrier.id],
      })
    ).audit_run.id
    const progress = async () =>
      (await call<{ audit_run: { invoices_done: number; state: string } }>('GET', `/api/v1/audit_runs/${run}`))
        .audit_run
    const { invoices_done: before } = await progress()
    const since = performance.now()
    return {
      async perSecond() {
        const { invoices_done, state } = await progress()
        if (state !== 'running') say(`The batch is ${state}: choose shorter rounds, or more invoices`)
        return (invoices_done - before) / ((performance.now() - since) / 1000)
      },
    }
  }

  return { begin }
}

async function fill(product: Product, carrier: string, first: number): Promise<void> {
  const { call } = callerOf(product)
  const places = Array.from({ length: Math.min(atOnce, invoices - first) }, (_, index) => first + index)
  const objects = places.map((place) => ({
    objectKey: 'manifest',
    json: {
      ...{ partnerId: carrier, currency: 'usd', referenceNumber: `AUDIT-${place}` },
      paymentItems: [
        { type: 'Line haul', unitPrice: 100_000 },
        { type: 'Fuel', unitPrice: 28_000 },
      ],
    },
  }))
  await call('POST', '/api/v2/platformModel/objects/bulk', { objects })
  const database = openDatabase(connect(product.address, { max: 1, name: 'lading bench' }), { statementMs: 600_000 })
  const rows = places.map((place) => ({
    ...{
      id: newId(),
      external_id: null,
      partner_carrier_id: carrier,
      invoice_number: `A-${place}`,
      invoice_date: '2026-11-10',
      currency_id: 'usd',
    },
    ...{
      reference_number: `AUDIT-${place}`,
      notes: null,
      source: 'api' as const,
      source_key: null,
      manifest_ids: [],
      state: 'received' as const,
    },
    lines: [
      { type: 'Line haul', amount: place % 10 === 0 ? 110_000 : 100_000 },
      { type: 'Fuel', amount: 28_000 },
    ],
    total_amount: place % 10 === 0 ? 138_000 : 128_000,
    created_by: newId(),
  }))
  await transaction(systemContext(database, product.seed.types.org), (ctx) => insertInvoices(ctx, rows))
  await database.pool.end()
}

/** What autovacuum would have done a minute later. */
async function analyze({ address }: Product): Promise<void> {
  const database = openDatabase(connect(address, { max: 1, name: 'lading bench' }), { statementMs: 600_000 })
  for (const table of ['objects', 'object_values', 'object_references', 'carrier_invoices'])
    await database.pool.run(sql`analyze ${named(table)}`)
  await database.pool.end()
}

function callerOf({ origin, seed }: Product) {
  const headers = { authorization: `Bearer ${seed.types.application}`, 'content-type': 'application/json' }
  return {
    async call<T>(method: string, path: string, body?: object): Promise<T> {
      const answer = await fetch(`${origin}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as T
    },
  }
}
