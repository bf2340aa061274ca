import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { typesOfObjects, typesOfRecords } from './types.ts'

test('the types of events that are offered are those that the API describes', () => {
  const { webhooks } = JSON.parse(
    readFileSync(new URL('../../../../server/openapi.json', import.meta.url), 'utf8'),
  ) as {
    webhooks: Record<string, unknown>
  }
  const described = Object.keys(webhooks)
  const nouns = new Set(described.map((type) => type.slice(0, type.indexOf('.'))))
  const objects = [...nouns].filter((noun) => !typesOfRecords.includes(`${noun}.*`))
  const offered = [...typesOfRecords, ...objects.flatMap(typesOfObjects)].filter((type) => !type.endsWith('.*'))
  assert.deepEqual(offered.toSorted(), described.toSorted())
})
