import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statuses } from '../billing/documents/model/lifecycle.ts'
import { builtInKinds } from '../objects/kinds/built-in.ts'
import { manifestBills } from './extension.ts'

test('every read-only field of a built-in kind has an extension that says where it is read from', () => {
  const declared = builtInKinds.flatMap(({ objectKey, readOnlyFields = [] }) => readOnlyFields.map(({ key }) => `${objectKey}.${key}`))
  assert.deepEqual(
    manifestBills.fields.map(({ key }) => `${manifestBills.objectKey}.${key}`),
    declared,
  )
})

test('the bill states that a manifest can show are those of bills', () => {
  const manifest = builtInKinds.find(({ objectKey }) => objectKey === manifestBills.objectKey)
  const field = manifest?.readOnlyFields?.find(({ key }) => key === 'billStatusId')
  assert.deepEqual(field?.options, [...statuses])
})
