import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isSecretName, maskedJson, maskedJsonText, maskedQuery } from './masking.ts'

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
      details: [{ field: 'bank_details.iban', code: 'bad_iban', message: '"hunter2" is no IBAN.' }],
      links: ['https://tms.example.com/portal/link#hunter2.x', 'Go to https://tms.example.com/invitation/hunter2 now'],
    }
    const { text } = maskedJson(sent, 8192)
    assert.doesNotMatch(text, /hunter2|abcdefgh1234|eyJ|MfKQ/)
    assert.match(text, /page=2/)
  })

  test('the secrets of a query are masked, and the rest is as it was sent', () => {
    assert.equal(
      maskedQuery('limit=20&access_token=abc&status_ids[]=sent%2Cpaid&flag', 4000),
      'limit=20&access_token=[masked]&status_ids[]=sent%2Cpaid&flag',
    )
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

  test('of JSON text only the beginning is read, and what is whole in it is shown without its secrets', () => {
    const text = JSON.stringify({
      webhook: { name: 'a, {b} "c" \\', secret: 'hunter2', tags: ['x', { y: 1.5 }] },
      total: 1,
    })
    assert.deepEqual(maskedJsonText(text, text.length + 1), { text: text.replace('hunter2', '[masked]'), cut: false })
    for (let most = 0; most < text.length; most++) {
      const shown = maskedJsonText(text, most)
      // Where not even one bracket is whole there is nothing to show.
      if (most === 0) assert.equal(shown, null)
      else {
        assert.ok(shown?.cut && shown.text.length <= most, `${most}: ${shown?.text}`)
        assert.ok(
          !/hun/.test(shown.text) && text.replace('hunter2', '[masked]').startsWith(shown.text),
          `${most}: ${shown.text}`,
        )
      }
    }
    assert.equal(maskedJsonText(text, 60)?.text, '{"webhook":{"name":"a, {b} \\"c\\" \\\\","secret":"[masked]"')
    assert.equal(maskedJsonText('id,name', 100), null)
  })

  test('names that only look alike are kept', () => {
    for (const name of ['name', 'notes', 'pinned', 'currency_id', 'external_id', 'passenger', 'account'])
      assert.equal(isSecretName(name), false, name)
  })
})
