import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newCaller, openService } from '../../test/service.ts'
import { removeObject, restoreObject, updateObject, upsertObject } from './actions.ts'

const service = await openService()

describe('objects', () => {
  test('try', async () => {
    const { ctx } = await newCaller(service)
    const made = await upsertObject(ctx, 'customer', { name: 'Acme', currency: 'USD', color: 'red', externalId: 'x', id: 'no' }, null)
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => upsertObject(ctx, 'customer', { name: `B${i}`, externalId: 'y' }, null)))
    assert.equal(new Set(all.map(({ id }) => id)).size, 1)
    const order = await upsertObject(ctx, 'order', { customerId: made.id, referenceNumber: 'R', pickup: { city: 'X', latitude: 1, longitude: 2 } }, null)
    await assert.rejects(removeObject(ctx, { by: 'id', id: made.id }, null), /refer/)
    await removeObject(ctx, { by: 'id', id: order.id }, null)
    await removeObject(ctx, { by: 'id', id: made.id }, null)
    await assert.rejects(restoreObject(ctx, order.id, null), /come back/)
    await restoreObject(ctx, made.id, null)
    await restoreObject(ctx, order.id, null)
  })
})
