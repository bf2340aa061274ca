import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { readSettings } from '../../../settings.ts'
import { openPort } from './port.ts'

const settings = { ...readSettings({ DATA_DIR: '/nowhere' }), host: '127.0.0.1', port: 0 }

function answer(connection: Socket): void {
  connection.on('error', () => {})
  connection.on('data', () => connection.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'))
  connection.resume()
}

function busyFor(ms: number): void {
  for (const since = performance.now(); performance.now() - since < ms; );
}

test('connections that wait to be taken when the port is closed are all answered, however much there is to do for each', async () => {
  const port = await openPort(settings, (connection) => {
    busyFor(50)
    answer(connection)
  })
  const outcomes: Promise<string>[] = Array.from({ length: 60 }, async () => {
    const client = connect(Number(new URL(port.url).port), '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    let text = ''
    client.on('data', (chunk) => (text += chunk))
    return once(client, 'close').then(
      () => text.slice(-2),
      (error) => error.code,
    )
  })
  await port.close()
  assert.deepEqual([...new Set(await Promise.all(outcomes))], ['ok'])
})

/** Clients of a thread of their own, who come back with a new connection as soon as they are answered, until they are refused. */
const clients = `
  const { connect } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const counts = {}
  let answered = 0
  let left = 60
  function come() {
    const client = connect(workerData, '127.0.0.1')
    let text = ''
    let code = ''
    client.on('connect', () => client.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'))
    client.on('data', (chunk) => (text += chunk))
    client.on('error', (error) => (code = error.code))
    client.on('close', () => {
      const outcome = code || (text.endsWith('ok') ? 'ok' : 'cut')
      counts[outcome] = (counts[outcome] ?? 0) + 1
      if (++answered === 500) parentPort.postMessage('busy')
      if (outcome === 'ok') come()
      else if (--left === 0) parentPort.postMessage(counts)
    })
  }
  for (let n = 0; n < 60; n++) come()`

test('callers who come back at once while the port is closed get whole answers, and then are refused; none is reset', async () => {
  const port = await openPort(settings, (connection) => {
    busyFor(2)
    answer(connection)
  })
  const worker = new Worker(clients, { eval: true, workerData: Number(new URL(port.url).port) })
  await once(worker, 'message')
  await port.close()
  const [counts] = await once(worker, 'message')
  assert.deepEqual(Object.keys(counts).sort(), ['ECONNREFUSED', 'ok'], JSON.stringify(counts))
})
