import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyPayouts } from '../../src/payables/upkeep/verify.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { verifyDocuments } from '../../src/platform/files/contents/verify.ts'
import { directoryStorage } from '../../src/platform/files/storage/directory.ts'
import { deepOnly, numbersFrom } from '../depth.ts'
import {
  call,
  databaseOf,
  demoToken,
  demoTokens,
  type Lading,
  newDataDir,
  postgresOn,
  startLading,
  until,
  usedDataDir,
} from './lading.ts'

test('kill -9, one thing after another on the same data', async (t) => {
  let running = startLading(t, newDataDir(t, await usedDataDir(t)))
  const { dataDir } = running

  await t.test(
    'of Lading: of three that start at the same moment one wins, stops the PostgreSQL left behind and has every acknowledged write',
    deepOnly,
    async () => {
      const writes = await writeTo(t, running)
      const brought = await importInto(t, running)
      const [uploads, run] = [await uploadTo(t, running), await issueIn(t, running)]
      const left = postgresOn(dataDir)
      running.kill('SIGKILL')
      await running.ended
      await Promise.all([writes.over, uploads.over])
      assert.equal(postgresOn(dataDir), left)
      const { winner, all } = await startThree(t, dataDir)
      running = winner
      assert.notEqual(postgresOn(dataDir), left)
      assert.ok(all.some(({ said }) => new RegExp(`Found PostgreSQL \\(pid ${left}\\) left running`).test(said())))
      await hasAll(t, running, writes.acknowledged)
      await brought.endsWhole(running)
      await uploads.areWhole(running)
      await run.paysOnce(running)
    },
  )

  await t.test(
    'of Lading while documents are uploaded and a payment run is issued, at random moments: neither is there by half, and nothing is paid twice',
    deepOnly,
    async () => {
      const moment = numbersFrom('moments of kills')
      for (let kills = 0; kills < 15; kills++) {
        const [uploads, run] = [await uploadTo(t, running), await issueIn(t, running)]
        await sleep(moment(150))
        running.kill('SIGKILL')
        await Promise.all([running.ended, uploads.over])
        running = startLading(t, dataDir)
        await uploads.areWhole(running)
        await run.paysOnce(running)
      }
    },
  )

  await t.test(
    'of PostgreSQL: answers are 503 with Retry-After at worst, it comes back by itself, nothing acknowledged is lost',
    deepOnly,
    async () => {
      const writes = await writeTo(t, running)
      process.kill(postgresOn(dataDir) as number, 'SIGKILL')
      await until(() => running.said().includes('PostgreSQL is back.'), 'PostgreSQL is back', running.said)
      const sofar = writes.acknowledged.length
      await until(() => writes.acknowledged.length > sofar + 20, 'writes are acknowledged again')
      await writes.stop()
      assert.deepEqual(writes.surprises, [])
      await hasAll(t, running, writes.acknowledged)
      await refused(t, running)
    },
  )

  await t.test(
    'of one of PostgreSQL’s processes, with which it ends all connections: Lading stays the owner of its data, as a second one is told in one line',
    deepOnly,
    async () => {
      assert.equal((await call(`${await running.ready()}/health/ready`)).status, 200)
      const pool = databaseOf(t, embeddedAddress(dataDir))
      const [victim] = await pool.run<{ pid: number }>(
        sql`select pid from pg_stat_activity where backend_type = 'checkpointer'`,
      )
      process.kill(victim?.pid as number, 'SIGKILL')
      const owned = () =>
        pool.run(sql`select 1 from pg_locks where locktype = 'advisory' and granted`).then(({ length }) => length > 0)
      await until(() => owned().catch(() => false), 'the lock is held again')
      await refused(t, running)
    },
  )

  await t.test(
    'of both: of three that start at the same moment one wins, recovers what was acknowledged, and stops cleanly',
    async () => {
      await until(async () => (await call(`${await running.ready()}/health/ready`)).status === 200, 'it is ready again')
      const writes = await writeTo(t, running)
      running.kill('SIGKILL')
      process.kill(postgresOn(dataDir) as number, 'SIGKILL')
      running = (await startThree(t, dataDir)).winner
      await writes.over
      await hasAll(t, running, writes.acknowledged)
      running.kill('SIGTERM')
      assert.equal((await running.ended).code, 0)
      assert.equal(postgresOn(dataDir), null)
    },
  )
})

test('of three that start at the same moment on an empty data directory exactly one wins', deepOnly, async (t) => {
  const dataDir = newDataDir(t)
  const { winner } = await startThree(t, dataDir)
  winner.kill('SIGTERM')
  assert.equal((await winner.ended).code, 0)
  assert.equal(postgresOn(dataDir), null)
})

/** Three at the same moment: one of them serves, and the others say in one line who keeps them from it. */
async function startThree(t: TestContext, dataDir: string): Promise<{ winner: Lading; all: Lading[] }> {
  const all = [startLading(t, dataDir), startLading(t, dataDir), startLading(t, dataDir)]
  const losers: Lading[] = []
  for (const each of all) each.ended.then(() => losers.push(each))
  await until(() => losers.length >= 2, 'two have given up')
  const winner = all.find((each) => !losers.includes(each)) as Lading
  await winner.ready()
  for (const loser of losers) {
    const { code, stderr } = await loser.ended
    assert.equal(code, 1)
    // Whoever stops what was left behind owns the data at that moment, though another may be quicker to start anew.
    assert.ok(
      all.some((other) => other !== loser && stderr === refusalBy(other)),
      stderr,
    )
  }
  return { winner, all }
}

async function refused(t: TestContext, owner: Lading): Promise<void> {
  const { code, stderr } = await startLading(t, owner.dataDir).ended
  assert.deepEqual({ code, stderr }, { code: 1, stderr: refusalBy(owner) })
}

function refusalBy({ pid, dataDir }: Lading): string {
  return `lading: Another Lading (pid ${pid}) is already running on ${dataDir}. Stop it first, or give this one a DATA_DIR of its own.\n`
}

/** An import in the background that is in the middle of its rows. Started again, it ends with every row written once. */
async function importInto(t: TestContext, server: Lading): Promise<{ endsWhole(server: Lading): Promise<void> }> {
  const rows = 3000
  const token = await demoToken(t, server.dataDir)
  const series = newId()
  const lines = Array.from({ length: rows }, (_, index) => `${series}-${index},usd,saved,${series}\n`)
  const body = `external_id,currency_id,status_id,reference_number\n${lines.join('')}`
  const sent = await fetch(`${await server.ready()}/api/v1/bills/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body,
  })
  assert.equal(sent.status, 202)
  const { transfer } = (await sent.json()) as { transfer: { id: string } }
  const read = async (by: Lading, path: string) =>
    JSON.parse((await call(`${await by.ready()}/api/v1/${path}`, { token })).body)
  await until(
    async () => (await read(server, `transfers/${transfer.id}`)).transfer.rows_done > 0,
    'the first rows are written',
  )
  return {
    async endsWhole(again) {
      await until(
        async () => (await read(again, `transfers/${transfer.id}`)).transfer.state === 'done',
        'the import is done',
      )
      const { counts } = (await read(again, `transfers/${transfer.id}`)).transfer
      assert.deepEqual(counts, { created: rows, updated: 0, unchanged: 0, failed: 0 })
      assert.equal((await read(again, `bills?limit=0&reference_number=${series}`)).total, rows)
    },
  }
}

type Uploads = { over: Promise<unknown>; areWhole(server: Lading): Promise<void> }

/** Documents on their way, each in pieces, until the server is gone; resolves once some were acknowledged. */
async function uploadTo(t: TestContext, server: Lading): Promise<Uploads> {
  const token = await demoToken(t, server.dataDir)
  const url = `${await server.ready()}/api/v1/documents`
  const acknowledged: { id: string; sha256: string }[] = []
  let isUp = true
  server.ended.then(() => {
    isUp = false
  })
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="pod.pdf"',
  }
  async function upload(): Promise<void> {
    while (isUp) {
      const content = Buffer.concat([Buffer.from(`%PDF-1.4\n% ${newId()}\n`), randomBytes(200_000)])
      const pieces = async function* () {
        for (let at = 0; at < content.length; at += 20_000) {
          yield content.subarray(at, at + 20_000)
          await sleep(2)
        }
      }
      const answer = await fetch(url, {
        method: 'POST',
        headers,
        body: Readable.toWeb(Readable.from(pieces())),
        duplex: 'half',
      } as never).catch(() => null)
      const made =
        answer?.status === 201 ? ((await answer.json().catch(() => null)) as { document: { id: string } } | null) : null
      if (made) acknowledged.push({ id: made.document.id, sha256: createHash('sha256').update(content).digest('hex') })
      await sleep(5)
    }
  }
  const over = Promise.all([upload(), upload(), upload()])
  await until(() => acknowledged.length > 2, 'uploads are acknowledged')
  return {
    over,
    async areWhole(again) {
      const contentOf = async (id: string) => {
        const answer = await fetch(`${await again.ready()}/api/v1/documents/${id}/content`, {
          headers: { authorization: headers.authorization },
        })
        return createHash('sha256')
          .update(Buffer.from(await answer.arrayBuffer()))
          .digest('hex')
      }
      for (const { id, sha256 } of acknowledged)
        assert.equal(await contentOf(id), sha256, 'what was acknowledged is there')
      const storage = directoryStorage(join(again.dataDir, 'documents'))
      const { faults, unknown, checked } = await verifyDocuments(
        databaseOf(t, embeddedAddress(again.dataDir)),
        storage,
        { deep: true },
      )
      assert.deepEqual(faults, [])
      assert.ok(checked >= acknowledged.length)
      // A content that no row has is whole, and nobody sees it; half of one never has its name.
      for (const name of unknown) {
        const [org = '', sha256 = ''] = name.split('/')
        const hash = createHash('sha256')
        for await (const chunk of await storage.read({ org, sha256 })) hash.update(chunk as Buffer)
        assert.equal(hash.digest('hex'), sha256)
      }
    },
  }
}

/** A payment run that is being issued. Asked for again, it has paid each of its bills once. */
async function issueIn(t: TestContext, server: Lading): Promise<{ paysOnce(server: Lading): Promise<void> }> {
  const tokens = await demoTokens(t, server.dataDir)
  const [maker, approver] = [tokens(newId()), tokens(newId())]
  const ask = async (by: Lading, method: string, path: string, body: unknown, token = maker) => {
    const answer = await call(`${await by.ready()}/api/v1/${path}`, {
      method,
      token,
      ...(body !== undefined && { body }),
    })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.body}`)
    return JSON.parse(answer.body)
  }
  const partner_carrier_id = newId()
  const { payee } = await ask(server, 'POST', 'payees', { partner_carrier_id, name: 'A', method: 'other' })
  await ask(server, 'POST', `payees/${payee.id}/changes/${payee.waiting_change.id}/approve`, {}, approver)
  const bills = Array.from({ length: 40 }, () => ({
    ...{ currency_id: 'usd', partner_carrier_id, due_date: '2026-11-01', sub_total_amount: 100, status_id: 'saved' },
  }))
  assert.equal((await ask(server, 'POST', 'bills/bulk', { bills })).counts.created, bills.length)
  const asked = { due_until: '2026-11-20', currency_id: 'usd', partner_carrier_ids: [partner_carrier_id] }
  const { payment_run } = await ask(server, 'POST', 'payment_runs', asked)
  await ask(server, 'POST', `payment_runs/${payment_run.id}/approve`, {}, approver)
  // Whether it is answered before the end nobody knows.
  void call(`${await server.ready()}/api/v1/payment_runs/${payment_run.id}/issue`, {
    method: 'POST',
    token: maker,
    body: {},
  }).catch(() => null)
  return {
    async paysOnce(again) {
      const issued = (await ask(again, 'POST', `payment_runs/${payment_run.id}/issue`, {})).payment_run
      assert.deepEqual(
        [issued.status, issued.bill_count, issued.total_amount],
        ['issued', bills.length, bills.length * 100],
      )
      const paid = await ask(again, 'GET', `payments?partner_carrier_ids=${partner_carrier_id}&limit=50`, undefined)
      assert.deepEqual(
        [paid.total, paid.payments[0].amount, paid.payments[0].allocations.length],
        [1, bills.length * 100, bills.length],
      )
      assert.deepEqual(await verifyPayouts(databaseOf(t, embeddedAddress(again.dataDir))), [])
    },
  }
}

type Writes = { acknowledged: string[]; surprises: string[]; over: Promise<unknown>; stop(): Promise<unknown> }

/** Writers at work until the server is gone or they are told to stop; resolves once writes are being acknowledged. */
async function writeTo(t: TestContext, server: Lading): Promise<Writes> {
  const url = await server.ready()
  const token = await demoToken(t, server.dataDir)
  const series = newId()
  const acknowledged: string[] = []
  const surprises: string[] = []
  let writing = true
  server.ended.then(() => {
    writing = false
  })
  async function write(writer: number): Promise<void> {
    for (let count = 0; writing; count++) {
      const external_id = `${series}-${writer}-${count}`
      const answer = await call(`${url}/api/v1/bill_item_types`, {
        method: 'POST',
        token,
        body: { name: 'x', external_id },
      }).catch(() => null)
      if (answer?.status === 201) acknowledged.push(external_id)
      else if (answer && (answer.status !== 503 || !answer.headers['retry-after']))
        surprises.push(`${answer.status} ${answer.body}`)
      // Four that ask without a pause would keep from its work what is to come back, and what the test waits for meanwhile.
      await sleep(20)
    }
  }
  const over = Promise.all([0, 1, 2, 3].map(write))
  await until(() => acknowledged.length > 30 || surprises.length > 0, 'writes are acknowledged')
  return {
    acknowledged,
    surprises,
    over,
    stop() {
      writing = false
      return over
    },
  }
}

async function hasAll(t: TestContext, { dataDir }: Lading, acknowledged: string[]): Promise<void> {
  const rows = await databaseOf(t, embeddedAddress(dataDir)).run(sql`select external_id from bill_item_types`)
  const kept = new Set(rows.map(({ external_id }) => external_id))
  assert.deepEqual(
    acknowledged.filter((id) => !kept.has(id)),
    [],
  )
}
