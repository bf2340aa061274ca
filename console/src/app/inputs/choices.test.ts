import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rankChoices } from './choices.ts'

test('the best match comes first: the same text, then a beginning, then the beginning of a word, then a part', () => {
  const labels = ['Refuel', 'Line haul', 'Haulage by line', 'Fuel surcharge', 'Fuel', 'Bio-fuel', 'Detention']
  const choices = labels.map((label) => ({ value: label, label }))
  const found = (typed: string) => rankChoices(choices, typed).map(({ label }) => label)
  assert.deepEqual(found('fuel'), ['Fuel', 'Fuel surcharge', 'Bio-fuel', 'Refuel'])
  assert.deepEqual(found('  FUEL '), ['Fuel', 'Fuel surcharge', 'Bio-fuel', 'Refuel'])
  assert.deepEqual(found('haul line'), ['Line haul', 'Haulage by line'])
  assert.deepEqual(found('nothing'), [])
})

test('accents and other forms of letters do not matter', () => {
  const choices = [{ value: '1', label: 'Müller & Söhne' }]
  assert.equal(rankChoices(choices, 'muller & sohne').length, 1)
  assert.equal(rankChoices([{ value: '1', label: 'Muller' }], 'müller').length, 1)
})
