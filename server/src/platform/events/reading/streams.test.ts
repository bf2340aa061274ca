import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VerifiedToken } from '../../access/tokens/access-token.ts'
import { openStreams } from './streams.ts'

test('a token and an organization have so many streams, and each that ends makes room', () => {
  const revocations = { isRevoked: () => false, hasOldRole: () => false, onRevoked: () => () => {} }
  const streams = openStreams(revocations as never, { now: false }, { token: 2, organization: 3 })
  const tokenOf = (org_id: string, jti: string) => ({ org_id, jti, exp: Date.now() }) as VerifiedToken
  const [first, second] = [tokenOf('a', '1'), tokenOf('a', '2')]
  const open = streams.enter(first)
  streams.enter(first)
  assert.throws(() => streams.enter(first), /2 streams of events are open with this access token/)
  streams.enter(second)
  assert.throws(() => streams.enter(second), /3 streams of events of this organization/)
  streams.enter(tokenOf('b', '3'))
  open.leave()
  streams.enter(second)
  streams.close()
})
