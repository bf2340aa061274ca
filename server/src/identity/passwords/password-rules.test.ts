import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal } from '../../platform/core/refusal.ts'
import { requireGoodPassword } from './password-rules.ts'

const names = ['sam.ortega@blueridge.example', 'Sam Ortega', 'Blue Ridge Freight Brokers']

function refusalOf(password: string): string | undefined {
  try {
    requireGoodPassword(password, names, 'next')
    return undefined
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.deepEqual([error.kind, error.details[0]?.field], ['invalid', 'next'])
    assert.ok(!error.message.includes(password), 'a message does not repeat a password')
    return error.message
  }
}

describe('a password', () => {
  for (const [kind, words, passwords] of [
    ['short', /at least 10 characters; this one has \d/, ['short', 'ninechars', 'x2§-8bQ!7', '👍👍👍👍👍👍👍👍👍']],
    ['endless', /at most 1024/, ['x7'.repeat(600)]],
    [
      'common',
      /one of those that are tried first/,
      [
        'password123',
        'Password2026!',
        '1234567890',
        '0987654321',
        'qwertyuiop',
        'Q1W2E3R4T5',
        'P@ssw0rd!2024',
        'welcome-2026',
        'iloveyou iloveyou',
        'letmein12345',
      ].concat([
        'aaaaaaaaaaaa',
        'abababababab',
        'abcdefghijkl',
        '!!!!!!!!!!!!',
        'ＰＡＳＳＷＯＲＤ１２３',
        '2026football',
        'monkeymonkey!',
      ]),
    ],
    [
      'of names',
      /mostly a name that others know/,
      [
        'lading-2026',
        'Lading Lading!',
        'blueridge2026',
        'sam.ortega.1',
        'OrtegaSam99',
        'BlueRidgeFreightBrokers',
        'sam ortega 20261116',
        'Órtega-Sam-77',
      ],
    ],
  ] as const) {
    for (const password of passwords)
      test(`that is ${kind} is refused: ${password.slice(0, 30)}`, () => assert.match(refusalOf(password) ?? '', words))
  }

  for (const password of [
    'seven lanterns at dusk',
    'quiet harbor lantern',
    'samovar-tangerine',
    'xK9#mQ2$vL',
    'Blue Ridge is where I met her',
    'зимний вечер дома',
    'a wrong password',
  ])
    test(`that is none of these is taken: ${password}`, () => assert.equal(refusalOf(password), undefined))
})
