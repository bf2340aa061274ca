import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openReceiver } from '../../../../test/receiver.ts'
import { openSenderThread } from './sender-thread.ts'

const receiver = await openReceiver()
after(receiver.close)

const to = (path: string) => ({ url: `${receiver.origin}/${path}`, headers: { 'webhook-id': 'x' }, body: '{"é":1}' })

/** By the name under which Linux knows them. */
function threads(name: string): string[] {
  const tasks = '/proc/self/task'
  return readdirSync(tasks).filter((id) => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim() === name)
}

async function until(isSo: () => boolean): Promise<void> {
  for (let left = 500; !isSo(); left--) {
    assert.ok(left > 0, 'it did not come to be so within 10 s')
    await sleep(20)
  }
}

describe('a sender in a thread of its own', () => {
  test('sends as one in this thread does, many at once, and answers each what came of it', async (t) => {
    const sender = openSenderThread({ allowPrivate: true })
    t.after(sender.close)
    const paths = Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? `fail/${n}` : `ok/threaded/${n}`))
    const answers = await Promise.all(paths.map((path) => sender.send(to(path))))
    assert.deepEqual(
      answers.map(({ status, error, excerpt }) => [status, error, excerpt]),
      paths.map((path) =>
        path.startsWith('fail') ? [500, 'The endpoint answered 500.', 'not now'] : [200, null, '{"ok":true}'],
      ),
    )
    assert.equal(
      receiver.received.filter(({ path, body }) => path.startsWith('/ok/threaded') && body === '{"é":1}').length,
      40,
    )
  })

  test('reaches no private address where that is not allowed', async (t) => {
    const sender = openSenderThread({ allowPrivate: false })
    t.after(sender.close)
    assert.equal((await sender.send(to('ok/private'))).error, 'The address 127.0.0.1 is not public.')
    assert.ok(receiver.received.every(({ path }) => path !== '/ok/private'))
  })

  test('answers what was under way when it is closed, and sends again in a new thread', async (t) => {
    const sender = openSenderThread({ allowPrivate: true })
    t.after(sender.close)
    const hanging = sender.send(to('hang'))
    await until(() => receiver.received.some(({ path }) => path === '/hang'))
    sender.close()
    const { status, error } = await hanging
    assert.equal(status, null)
    assert.match(error ?? '', /^The (?:attempt was broken off|connection was closed before there was an answer)\.$/)
    assert.equal((await sender.send(to('ok/again'))).status, 200)
  })

  test('is there only while there is something to send', {
    skip: process.platform !== 'linux' && 'threads are listed on Linux only',
  }, async () => {
    const name = 'soon idle'
    const sender = openSenderThread({ allowPrivate: true }, { idleMs: 50, name })
    assert.equal(threads(name).length, 0)
    assert.equal((await sender.send(to('ok/first'))).status, 200)
    await until(() => threads(name).length === 0)
    assert.equal((await sender.send(to('ok/second'))).status, 200)
    assert.equal(threads(name).length, 1)
    sender.close()
    await until(() => threads(name).length === 0)
  })

  test('leaves the machine to requests: its priority is lower than that of this thread', {
    skip: process.platform !== 'linux' && 'as above',
  }, async (t) => {
    const sender = openSenderThread({ allowPrivate: true }, { name: 'low priority' })
    t.after(sender.close)
    await sender.send(to('ok/priority'))
    // The nineteenth field, counted behind the name, which is in parentheses.
    const niceness = (id: string | number) =>
      Number(readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ')[1]?.split(' ')[16])
    assert.deepEqual(threads('low priority').map(niceness), [Math.min(niceness(process.pid) + 10, 19)])
  })
})
