import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatJson, formattedBeginning } from './json.ts'

describe('JSON with line breaks', () => {
  test('whole, or what there is of it; another text stays as it is', () => {
    assert.equal(formatJson('{"a":1}'), '{\n  "a": 1\n}')
    assert.equal(formatJson('a,b'), 'a,b')
    assert.equal(
      formattedBeginning('{"bills":[{"id":"}\\"","n":1'),
      '{\n  "bills": [\n    {\n      "id": "}\\"",\n      "n": 1\n…',
    )
    assert.equal(formattedBeginning('{"bills":[{"id":"half'), '{"bills":[{"id":"half…')
  })
})
