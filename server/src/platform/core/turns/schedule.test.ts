import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newSecret, signedHeaders } from '../../webhooks/sending/signing.ts'
import { waitAfter } from './schedule.ts'

describe('the schedule of retries', () => {
  test('is 5 s, 30 s, 2 min, 15 min, 1 h, 6 h, 24 h, and then it is given up', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((failures) => waitAfter(failures, () => 0.5))
    assert.deepEqual(waits, [5_000, 30_000, 120_000, 900_000, 3_600_000, 21_600_000, 86_400_000, null, null])
  })

  test('is spread by a tenth to either side', () => {
    assert.deepEqual([waitAfter(1, () => 0), waitAfter(1, () => 1)], [4_500, 5_500])
  })
})

describe('a signature', () => {
  const body = JSON.stringify({ type: 'bill.paid', note: 'Größe — ✓' })
  const sign = (secrets: string[], at = new Date()) => signedHeaders(secrets, { id: 'msg-1', at, body })

  test('is accepted by the library of Standard Webhooks, and of a changed body, another secret or an old time refused', () => {
    const secret = newSecret()
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const headers = sign([secret])
    assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
    assert.throws(() => new Webhook(secret).verify(`${body} `, headers))
    assert.throws(() => new Webhook(newSecret()).verify(body, headers))
    assert.throws(() => new Webhook(secret).verify(body, sign([secret], new Date(Date.now() - 3_600_000))))
  })

  test('with two secrets is accepted by holders of either', () => {
    const [one, other] = [newSecret(), newSecret()]
    const headers = sign([one, other])
    assert.match(headers['webhook-signature'] ?? '', /^v1,[^ ]+ v1,[^ ]+$/)
    for (const secret of [one, other]) assert.ok(new Webhook(secret).verify(body, headers))
  })
})
