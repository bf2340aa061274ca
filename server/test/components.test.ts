/** What clients that are generated from the OpenAPI document rest on: everything has one name, and nothing stands twice. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

type Part = { [key: string]: unknown; $ref?: string }
type Media = Record<string, { schema?: Part }>
type Operation = {
  operationId: string
  parameters?: Part[]
  requestBody?: Part
  responses: Record<string, Part>
}

const document: {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, Part>>
} = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'))
const { components } = document
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
const isJson = (type: string) => /^(?:application\/json|multipart\/)/.test(type)

function inPlace(part: Part): Part {
  const [section = '', name = ''] = (part.$ref ?? '').split('/').slice(-2)
  return part.$ref === undefined ? part : (components[section]?.[name] as Part)
}

/** The schemas of JSON that have no name. */
function unnamed(part: Part): string[] {
  const content = (inPlace(part).content ?? {}) as Media
  return Object.entries(content).flatMap(([type, { schema }]) =>
    isJson(type) && schema?.$ref === undefined ? [JSON.stringify(schema)] : [],
  )
}

describe('the OpenAPI document', () => {
  test('has a name for every body and every answer of success', () => {
    assert.ok(operations.length > 400)
    for (const { operationId, requestBody, responses } of operations) {
      const answers = Object.entries(responses).filter(([status]) => status < '300')
      assert.deepEqual([requestBody ?? {}, ...answers.map(([, answer]) => answer)].flatMap(unnamed), [], operationId)
    }
  })

  test('has names as types have them, each once in all of it', () => {
    const names = Object.entries(components).flatMap(([section, named]) =>
      // Headers are called as HTTP calls them, and an example as its schema.
      ['headers', 'examples', 'securitySchemes'].includes(section) ? [] : Object.keys(named),
    )
    assert.ok(names.length > 500)
    assert.deepEqual(
      names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name)),
      [],
    )
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    )
  })

  test('has names that people would give', () => {
    for (const name of ['Bill', 'BillPage', 'BillAnswer', 'CreateBill', 'UpdateBill', 'NewBillItem', 'HistoryPage'])
      assert.ok(components.schemas?.[name], name)
  })

  test('names no component that is not there, and has none that nothing names', () => {
    const named = new Set([...JSON.stringify(document).matchAll(/"#\/components\/(\w+\/[\w-]+)"/g)].map(([, at]) => at))
    const there = Object.entries(components).flatMap(([section, all]) =>
      Object.keys(all).map((name) => `${section}/${name}`),
    )
    assert.deepEqual(
      [...named].filter((at) => !there.includes(at as string)),
      [],
    )
    const spare = there.filter((at) => !named.has(at) && !at.startsWith('securitySchemes/'))
    assert.deepEqual(
      spare,
      ['schemas/DefinitionInput'].filter(() => false),
    )
  })

  for (const [what, parts] of Object.entries({
    parameters: operations.flatMap(({ parameters = [] }) => parameters),
    bodies: operations.flatMap(({ requestBody }) => (requestBody ? [requestBody] : [])),
    answers: operations.flatMap(({ responses }) => Object.values(responses)),
  }))
    test(`repeats none of its ${what}`, () => {
      const written = parts.filter(({ $ref }) => $ref === undefined).map((part) => JSON.stringify(part))
      // A file of text has no name of its own, and is described in few words.
      const repeated = written.filter((text, index) => text.length > 300 && written.indexOf(text) !== index)
      assert.deepEqual(repeated, [])
    })

  test('repeats no schema that is more than a line', () => {
    const found = new Map<string, string>()
    const repeated: string[] = []
    const look = (node: unknown, where: string): void => {
      if (typeof node !== 'object' || node === null) return
      const { description: _, examples: __, default: ___, readOnly: ____, title: _____, ...schema } = node as Part
      const text = JSON.stringify(schema)
      const isObject = 'properties' in schema || 'anyOf' in schema || 'allOf' in schema
      if (isObject && text.length > 300) {
        if (found.has(text)) repeated.push(`${where} is ${found.get(text)}`)
        found.set(text, where)
      }
      for (const [key, inner] of Object.entries(node))
        if (!['example', 'examples', 'value'].includes(key)) look(inner, `${where}.${key}`)
    }
    look({ paths: document.paths, components: components.parameters }, '')
    for (const [name, { properties, ...rest }] of Object.entries(components.schemas ?? {}))
      look({ ...rest, fields: properties }, name)
    assert.deepEqual(repeated, [])
  })
})
