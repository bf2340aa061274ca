import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { verifyPayouts } from '../../src/payables/upkeep/verify.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { isDeep, numbersFrom } from '../depth.ts'
import { personIn } from '../people.ts'
import { newCaller, sharedService, testTarget } from '../service.ts'
import { booksOf, faultsOf } from './books.ts'

const service = await sharedService()
const script = fileURLToPath(new URL('paying.ts', import.meta.url))

test('processes that pay by runs at the same time, killed at any moment, pay every bill once', async () => {
  const { org } = await newCaller(service)
  const [maker, approver] = [await personIn(service, org), await personIn(service, org, 'admin')]
  const books = booksOf(maker)
  const carriers = await Promise.all(Array.from({ length: 8 }, (_, index) => carrierWith({ quick: index % 3 === 0 })))
  const days = Array.from({ length: 12 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`)
  const rows = carriers.flatMap((partner_carrier_id) =>
    days.map((due_date, index) => ({
      currency_id: 'usd',
      partner_carrier_id,
      due_date,
      bill_date: '2026-11-10',
      sub_total_amount: 1000 + index,
      status_id: 'saved',
    })),
  )
  const made = (await books.call('POST', '/api/v1/bills/bulk', { bills: rows })).json()
  assert.equal(made.counts.created, rows.length, JSON.stringify(made.counts))

  const asked = JSON.stringify({ org, maker: maker.id, approver: approver.id, carriers, database: testTarget() })
  const start = (name: string) =>
    spawn(process.execPath, [script, asked, name], { stdio: ['ignore', 'pipe', 'inherit'] })
  const moment = numbersFrom('moments of kills')
  let killed = 0
  for (let round = 0; round < (isDeep ? 25 : 2); round++) {
    // Two at once, each killed at a moment of its own.
    const both = [start(`first ${round}`), start(`second ${round}`)]
    await Promise.all(
      both.map(async (child) => {
        await working(child)
        await sleep(moment(120))
        child.kill('SIGKILL')
        const [code, signal] =
          child.exitCode === null && child.signalCode === null
            ? await once(child, 'exit')
            : [child.exitCode, child.signalCode]
        if (signal === 'SIGKILL') killed += 1
        else assert.equal(code, 0)
      }),
    )
  }
  assert.ok(killed > 0, 'none was killed before it had paid everything')
  const last = start('last')
  last.stdout?.resume()
  const [code] = await once(last, 'exit')
  assert.equal(code, 0)

  const { total } = (await books.get('/api/v1/bills?status_ids=paid&limit=0')).json()
  assert.equal(total, rows.length)
  for (const { id } of (await books.get('/api/v1/bills?limit=200')).json().bills) {
    const settled = (await books.get(`/api/v1/bills/${id}/payments`)).json().payments
    assert.equal(
      settled.filter(({ payment_id }: { payment_id: string | null }) => payment_id !== null).length,
      1,
      `the bill ${id} was paid ${settled.length} times`,
    )
  }
  const credits = (await books.get('/api/v1/credits?limit=200')).json().credits as { amount_due: number }[]
  assert.ok(
    credits.length >= carriers.length && credits.every(({ amount_due }) => amount_due === 0),
    'every credit is set off once',
  )
  assert.deepEqual([await faultsOf(service, [org]), await verifyPayouts(service.pool, [org])], [[], []])

  async function carrierWith({ quick }: { quick: boolean }): Promise<string> {
    const partner_carrier_id = newId()
    const terms = quick ? { quick_pay_days: 30, quick_pay_percent: '2' } : {}
    const payee = (
      await maker.call('POST', '/api/v1/payees', { partner_carrier_id, name: 'A', method: 'other', ...terms })
    ).json().payee
    assert.equal(
      (await approver.call('POST', `/api/v1/payees/${payee.id}/changes/${payee.waiting_change.id}/approve`)).statusCode,
      200,
    )
    const credit = await books.make('/api/v1/credits', {
      direction: 'out',
      partner_carrier_id,
      currency_id: 'usd',
      items: [{ unit_price: 300 }],
    })
    assert.equal((await maker.call('POST', `/api/v1/credits/${credit.id}/save`)).statusCode, 200)
    return partner_carrier_id
  }
})

async function working(child: ChildProcess): Promise<void> {
  for await (const chunk of child.stdout as NonNullable<ChildProcess['stdout']>)
    if (String(chunk).includes('working')) return
}
