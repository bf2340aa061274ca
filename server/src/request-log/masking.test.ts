import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isSecretName, maskedJson, maskedQuery } from './masking.ts'

describe('what is kept of a request', () => {
  test('the values of fields whose names say that they are secret are masked at any depth, in any spelling', () => {
    const secrets = {
      password: 'p4',
      clientSecret: 'p4',
      'Access-Token': 'p4',
      api_key: 7,
      iban: 'p4',
      bank_details: { account: 'p4' },
      list: [{ deep: { AUTHORIZATION: ['p4'] } }],
    }
    const { text, cut } = maskedJson(secrets, 8192)
    assert.equal(cut, false)
    assert.doesNotMatch(text, /p4|7/)
    assert.deepEqual(JSON.parse(text).list, [{ deep: { AUTHORIZATION: '[masked]' } }])
    assert.equal(
      maskedJson({ password: null, name: 'Sam', notes: 'a "quoted" text' }, 8192).text,
      '{"password":null,"name":"Sam","notes":"a \\"quoted\\" text"}',
    )
  })

  test('secrets that are known by their form, and those in addresses and conditions, are masked wherever they stand', () => {
    const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzYW0ifQ.c2lnbmF0dXJl'
    const sent = {
      notes: `call with Bearer abcdefgh1234 or ${jwt} or whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`,
      url: 'https://sam:hunter2@example.com/hook?token=hunter2&page=2',
      filter: { field: 'apiKey', op: 'eq', value: 'hunter2' },
    }
    const { text } = maskedJson(sent, 8192)
    assert.doesNotMatch(text, /hunter2|abcdefgh1234|eyJ|MfKQ/)
    assert.match(text, /page=2/)
  })

  test('the secrets of a query are masked, and the rest is as it was sent', () => {
    assert.equal(maskedQuery('limit=20&access_token=abc&status_ids[]=sent%2Cpaid&flag', 4000), 'limit=20&access_token=[masked]&status_ids[]=sent%2Cpaid&flag')
    const condition = encodeURIComponent(JSON.stringify({ field: 'password', op: 'eq', value: 'hunter2' }))
    const query = maskedQuery(`filter=${condition}`, 4000)
    assert.ok(decodeURIComponent(query).includes('"value":"[masked]"'), query)
    assert.equal(maskedQuery(`filter=${condition}`.slice(0, 60), 4000), `filter=${encodeURIComponent('[masked]')}`)
  })

  test('a long, a deep or a broken body is cut, says so, and can be stored', () => {
    const long = maskedJson({ rows: Array.from({ length: 100_000 }, () => 'x') }, 100)
    assert.deepEqual([long.text.length, long.cut], [100, true])
    const halved = maskedJson('😀'.repeat(200), 101)
    assert.ok(halved.cut && halved.text.isWellFormed())
    let deep: unknown = 1
    for (let level = 0; level < 10_000; level++) deep = [deep]
    assert.match(maskedJson(deep, 8192).text, /too deep/)
    assert.equal(maskedJson('\u0000', 100).text, '"\\u0000"')
  })

  test('names that only look alike are kept', () => {
    for (const name of ['name', 'notes', 'pinned', 'currency_id', 'external_id', 'passenger', 'account']) assert.equal(isSecretName(name), false, name)
  })
})
