import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCaller, sharedService } from '../../../test/service.ts'
import { scopeNames, scopes } from '../../platform/access/scopes.ts'

const service = await sharedService()

test('GET /scopes answers every scope once, with what it allows', async () => {
  const { get } = await newCaller(service)
  const answer = await get('/api/v1/scopes')
  assert.equal(answer.statusCode, 200, answer.body)
  const listed = answer.json().scopes as { id: keyof typeof scopes; name: string; group: string; description: string }[]
  assert.deepEqual(listed.map(({ id }) => id).sort(), [...scopeNames].sort())
  for (const { id, name, group, description } of listed) {
    assert.equal(description, scopes[id])
    assert.ok(name && group, id)
  }
})
