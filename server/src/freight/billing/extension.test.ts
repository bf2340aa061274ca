import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statuses } from '../../books/documents/model/fields/lifecycle.ts'
import { builtInKinds } from '../../records/kinds/built-in.ts'
import { extensions } from '../extension.ts'

const readOnly = builtInKinds.flatMap(({ objectKey, readOnlyFields = [] }) =>
  readOnlyFields.map((field) => ({ objectKey, field })),
)

test('every read-only field of a built-in kind has an extension that says where it is read from', () => {
  assert.deepEqual(
    extensions.flatMap(({ objectKey, fields }) => fields.map(({ key }) => `${objectKey}.${key}`)).sort(),
    readOnly.map(({ objectKey, field }) => `${objectKey}.${field.key}`).sort(),
  )
})

test('the states that a manifest and an order can show are those of documents', () => {
  const shown = readOnly.filter(({ field }) => field.key.endsWith('StatusId'))
  assert.equal(shown.length, 2)
  for (const { field } of shown) assert.deepEqual(field.options, [...statuses])
})
