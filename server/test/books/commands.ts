import fc from 'fast-check'
import { newId } from '../../src/platform/core/values/ids.ts'
import type * as model from './model.ts'

export const billDate = '2026-01-05T00:00:00.000Z'
export const big = Number.MAX_SAFE_INTEGER
const partners = [newId(), newId()]

/** What a client can do, with the records named by their place; who does it finds out what that means. */
export type Command =
  | { do: 'create'; lines: Pick<model.Line, 'unit_price' | 'quantity'>[]; change: model.Change }
  | { do: 'put'; bill: number; change: model.Change; match: Match }
  | { do: 'addLine'; bill: number; unit_price: number; quantity: number }
  | { do: 'changeLine'; bill: number; line: number; unit_price: number }
  | { do: 'removeLine' | 'reverseLines'; bill: number; line: number }
  | { do: 'act'; bill: number; action: Asked; match: Match }
  | { do: 'delete'; bill: number }
  | { do: 'gather'; bills: number[] }
  | { do: 'add'; statement: number; bills: number[] }
  | { do: 'take'; statement: number; bill: number }
  | { do: 'putStatement'; statement: number; change: model.Change; match: Match }
  | { do: 'actStatement'; statement: number; action: Asked }
  | { do: 'deleteStatement'; statement: number }
  | { do: 'voidStatement'; statement: number }
export type Match = 'none' | 'right' | 'stale'
export type Action = 'save' | 'send' | 'pay' | 'reopen'
/** An action by name, or one of those that the model holds possible: random names alone are mostly refused. */
export type Asked = Action | 0 | 1 | 2
export const leadsTo = { save: 'saved', send: 'sent', pay: 'paid', reopen: 'edited' } as const

const place = fc.nat(6)
const amount = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: -300, max: 900 }) },
  { weight: 1, arbitrary: fc.constantFrom(big, -big, big - 1) },
)
const match = fc.constantFrom<Match>('none', 'none', 'none', 'none', 'right', 'stale')
const action = fc.constantFrom<Asked>('save', 'send', 'pay', 'reopen', 0, 1, 0, 1, 2)
const status = fc.constantFrom<model.Status>('draft', 'saved', 'saved', 'sent', 'sent', 'edited', 'paid')
const change: fc.Arbitrary<model.Change> = fc.record(
  {
    currency: fc.constantFrom('usd', 'usd', 'usd', 'cad', null),
    partner: fc.constantFrom(partners[0] as string, partners[0] as string, partners[1] as string, null),
    term: fc.constantFrom('the term', null),
    due: fc.constantFrom('2026-05-01T00:00:00.000Z', null),
    notes: fc.constantFrom('a', 'b', null),
    qb: fc.constantFrom('q', 'r', null),
    taxed: fc.boolean(),
    sub: amount,
    tax: amount,
    status,
    reason: fc.constantFrom('a reason', ' '),
    paidOn: fc.constantFrom('2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z'),
  },
  { requiredKeys: [] },
)
const few = (arbitrary: fc.Arbitrary<model.Change>) =>
  fc
    .tuple(arbitrary, fc.nat(6))
    .map(
      ([all, shift]) =>
        Object.fromEntries(Object.entries(all).filter((_, index) => (index + shift) % 4 === 0)) as model.Change,
    )
const line = fc.record({ unit_price: amount, quantity: fc.constantFrom(1, 1, 2, -1) })
const complete = few(change).map(({ status: _, ...some }) => ({
  currency: 'usd',
  partner: partners[0] as string,
  ...some,
}))

export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      lines: fc.array(line, { maxLength: 2 }),
      change: complete,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), bill: place, change: few(change), match }) },
  {
    weight: 3,
    arbitrary: line.chain((sent) =>
      fc.record({ do: fc.constant('addLine' as const), bill: place, ...constants(sent) }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('changeLine' as const), bill: place, line: fc.nat(2), unit_price: amount }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('removeLine' as const, 'reverseLines' as const),
      bill: place,
      line: fc.nat(2),
    }),
  },
  { weight: 12, arbitrary: fc.record({ do: fc.constant('act' as const), bill: place, action, match }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), bill: place }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('gather' as const), bills: fc.uniqueArray(place, { maxLength: 3 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      statement: fc.nat(3),
      bills: fc.uniqueArray(place, { minLength: 1, maxLength: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take' as const), statement: fc.nat(3), bill: place }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('putStatement' as const),
      statement: fc.nat(3),
      change: few(change),
      match,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('actStatement' as const), statement: fc.nat(3), action }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteStatement' as const), statement: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('voidStatement' as const), statement: fc.nat(3) }) },
)

function constants<T extends object>(values: T) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fc.constant(value)])) as {
    [K in keyof T]: fc.Arbitrary<T[K]>
  }
}

/** Most of what can go wrong needs a statement with bills on it, so every run begins with one. */
export const opening: Command[] = [
  ...[100, 200, 300, 400].map(
    (unit_price): Command => ({
      do: 'create',
      lines: [{ unit_price, quantity: 1 }],
      change: { currency: 'usd', partner: partners[0] as string },
    }),
  ),
  ...[0, 1, 2, 3].map((bill): Command => ({ do: 'act', bill, action: 'save', match: 'none' })),
  { do: 'gather', bills: [0, 1] },
]
