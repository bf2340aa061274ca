/** A process of its own that makes, approves and issues payment runs until nothing is due: `payment-run-kills.test.ts` kills it in the middle. */

import { approveRun, createRun } from '../../src/payables/payment-runs/actions.ts'
import { issueRun } from '../../src/payables/payment-runs/issuing.ts'
import { listRuns } from '../../src/payables/payment-runs/store.ts'
import { contextFor } from '../../src/platform/context.ts'
import { Refusal } from '../../src/platform/core/refusal.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { connect } from '../../src/platform/db/pool/connect.ts'
import { numbersFrom } from '../depth.ts'

type Asked = { org: string; maker: string; approver: string; carriers: string[]; database: never }

const { org, maker, approver, carriers, database: target } = JSON.parse(process.argv[2] as string) as Asked
const database = openDatabase(connect(target, { max: 2, name: 'lading test paying' }), {
  statementMs: 120_000,
  lockMs: 60_000,
  alone: true,
})
const as = (id: string) => contextFor(database, { org, actor: { type: 'user', id } })
const refused = (code: string) => (error: unknown) => {
  if (!(error instanceof Refusal) || error.code !== code) throw error
  return null
}

async function finish(id: string): Promise<void> {
  await approveRun(as(approver), { by: 'id', id }, null).catch(refused('run_is_issued'))
  await issueRun(as(maker), { by: 'id', id }, null)
}

/** Each of several that pay at once has an order of its own. */
const below = numbersFrom(process.argv[3] ?? 'paying')

process.stdout.write('working\n')
// What a process that was killed has left behind comes first.
const left = JSON.parse(await listRuns(as(maker), { statuses: ['draft', 'approved'], limit: 200 } as never))
for (const { id } of left.payment_runs) await finish(id)
for (let waiting = [...carriers]; waiting.length > 0; ) {
  const carrier = waiting[below(waiting.length)] as string
  const day = 1 + below(12)
  const asked = {
    due_until: `2026-11-${String(day).padStart(2, '0')}`,
    currency_id: 'usd',
    partner_carrier_ids: [carrier],
    pay_on: '2026-11-16',
  }
  const run = await createRun(as(maker), asked as never).catch(refused('nothing_due'))
  if (run) await finish(run.id)
  else if (day === 12) waiting = waiting.filter((one) => one !== carrier)
}
await database.close()
