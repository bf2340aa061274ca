/** The yardstick of reports: pg, no HTTP, one statement that sums up the same rows, again and again. */
import { connect } from '../server/src/platform/db/pool/connect.ts'
import type { Address } from '../server/src/platform/db/postgres/embedded.ts'
import { answerWith } from './helper.ts'
import type { Measured } from './table.ts'

export type Sums = { address: Address; org: string; text: string; seconds: number }

answerWith(async ({ address, org, text, seconds }: Sums): Promise<Measured> => {
  const pool = connect(address, { max: 1, name: 'lading bench' })
  const ms: number[] = []
  const began = performance.now()
  do {
    const sent = performance.now()
    await pool.run({ text, values: [org] })
    ms.push(performance.now() - sent)
  } while (performance.now() < began + seconds * 1000)
  const took = (performance.now() - began) / 1000
  await pool.end()
  return { perSecond: ms.length / took, ms }
})
