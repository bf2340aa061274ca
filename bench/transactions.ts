/** The yardstick of writing: pg, no HTTP, one update and one insert for each transaction. */
import { newId } from '../server/src/platform/core/values/ids.ts'
import { connect, type Pool } from '../server/src/platform/db/pool/connect.ts'
import type { Address } from '../server/src/platform/db/postgres/embedded.ts'
import { sql } from '../server/src/platform/db/sql/sql.ts'
import { answerWith } from './helper.ts'
import { connections } from './rows.ts'
import type { Measured } from './table.ts'

export type Writes = { address: Address; org: string; ids: string[]; of: 'bill' | 'bill_item_type'; seconds: number }

answerWith(async ({ address, org, ids, of, seconds }: Writes): Promise<Measured> => {
  const pool = connect(address, { max: connections, name: 'lading bench' })
  const ms: number[] = []
  const began = performance.now()
  const end = began + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      for (let turn = 0; performance.now() < end; turn++) {
        const id = ids[(connection + turn * connections) % ids.length] as string
        const sent = performance.now()
        await (of === 'bill' ? writeBill : writeType)(pool, org, id, `Fuel ${sent}`)
        ms.push(performance.now() - sent)
      }
    }),
  )
  const took = (performance.now() - began) / 1000
  await pool.end()
  return { perSecond: ms.length / took, ms }
})

const actor = { type: 'system', id: 'bench' } as never

async function writeType(pool: Pool, org: string, id: string, name: string): Promise<void> {
  await pool.transaction(async (run) => {
    const [row] = await run(sql`
      update bill_item_types set name = ${name}, revision = revision + 1, updated_at = now() where org_id = ${org} and id = ${id} returning *`)
    await run(sql`
      insert into events (org_id, id, type, actor, subject_type, subject_id, revision, data, previous)
      values (${org}, ${newId()}, 'bill_item_type.updated', ${actor}, 'bill_item_type', ${id}, ${row?.revision}, ${row as never}, ${{ name } as never})`)
  })
}

async function writeBill(pool: Pool, org: string, id: string, text: string): Promise<void> {
  await pool.transaction(async (run) => {
    const [row] = await run(sql`
      update bills set qb_error_msg = ${text}, revision = revision + 1, updated_at = now() where org_id = ${org} and id = ${id} returning *`)
    await run(sql`
      insert into events (org_id, id, type, actor, subject_type, subject_id, revision, data, previous)
      values (${org}, ${newId()}, 'bill.updated', ${actor}, 'bill', ${id}, ${row?.revision}, ${row as never}, ${{ qb_error_msg: text } as never})`)
  })
}
