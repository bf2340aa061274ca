import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { unavailable } from '../core/refusal.ts'
import type { Run } from '../db/sql/rows.ts'
import { openRequestLog } from './log.ts'

/** A database that fails as it is told to, and keeps what it is given. */
function fakeDatabase() {
  const written: { org: string; rows: { status?: number; not_kept?: number }[] }[] = []
  const state = { failure: null as Error | null, refused: new Set<string>(), written }
  const run = async (statement: { values: readonly unknown[] }) => {
    const rows = statement.values.find((value) => typeof value === 'string' && value.startsWith('['))
    if (rows) written.push({ org: String(statement.values[1]), rows: JSON.parse(String(rows)) })
    return []
  }
  const transaction = async (org: string, work: (run: Run) => Promise<unknown>) => {
    if (state.failure) throw state.failure
    if (state.refused.has(org)) throw unavailable('This organization has too much under way.')
    return work(run as never)
  }
  return { state, database: { transaction } as never }
}

function open(perSecond = 50) {
  const { state, database } = fakeDatabase()
  const said: string[] = []
  const log = {
    error: (_facts: object, words: string) => void said.push(words),
    warn: (_facts: object, words: string) => void said.push(words),
  }
  const requestLog = openRequestLog({ database, log: log as never, settings: { requestLog: { days: 7, perSecond } } })
  const note = (org: string) =>
    requestLog.note(
      {
        method: 'GET',
        url: '/api/v1/bills',
        headers: {},
        id: 'r',
        answerText: null,
        token: { org_id: org, client_id: 'app', sub: 'app', scopes: new Set() },
      } as never,
      { statusCode: 200, elapsedTime: 1, getHeader: () => undefined } as never,
    )
  return { state, said, requestLog, note }
}

describe('the request log of a process', () => {
  test('keeps what cannot be written while the database is away, and writes it when it is back', async () => {
    const { state, requestLog, note } = open()
    state.failure = unavailable('The database is away.')
    for (let n = 0; n < 3; n++) note('a')
    await requestLog.flush('a')
    assert.deepEqual([state.written, requestLog.counts().waiting], [[], 3])
    state.failure = null
    note('a')
    await requestLog.flush('a')
    assert.deepEqual(
      state.written.map(({ rows }) => rows.length),
      [4],
    )
    assert.deepEqual(requestLog.counts(), { waiting: 0, kept: 4, notKept: 0, lost: 0 })
  })

  test('organizations that are refused keep no other from being written, however many they are, and are written when they can be', async () => {
    const { state, requestLog, note } = open()
    const busy = Array.from({ length: 30 }, (_, n) => `busy ${n}`)
    for (const org of busy) state.refused.add(org)
    for (const org of ['first', ...busy, 'last']) note(org)
    await requestLog.close()
    assert.deepEqual(
      state.written.map(({ org }) => org),
      ['first', 'last'],
    )
    state.refused.clear()
    await requestLog.close()
    assert.deepEqual([state.written.length, requestLog.counts().waiting], [32, 0])
  })

  test('a batch that fails through a fault of ours is lost, said and counted, and does not keep the next from being written', async () => {
    const { state, said, requestLog, note } = open()
    state.failure = new Error('a fault')
    note('a')
    await requestLog.flush('a')
    assert.equal(requestLog.counts().lost, 1)
    assert.match(said.join(), /are lost/)
    state.failure = null
    note('a')
    await requestLog.flush('a')
    assert.equal(state.written.length, 1)
  })

  test('what is broken about a request is said, and harms nobody', () => {
    const { said, requestLog } = open()
    requestLog.note({ token: {} } as never, {} as never)
    assert.match(said.join(), /could not be noted/)
  })

  test('a stop writes what is left of any number of organizations, and gives up where the database is away', async () => {
    const { state, requestLog, note } = open()
    for (let n = 0; n < 100; n++) note(`org ${n}`)
    await requestLog.close()
    assert.equal(new Set(state.written.map(({ org }) => org)).size, 100)
    const away = open()
    away.state.failure = unavailable('The database is away.')
    away.note('a')
    await away.requestLog.close()
    assert.deepEqual(away.state.written, [])
  })
})
