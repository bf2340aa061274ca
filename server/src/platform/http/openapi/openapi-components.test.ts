import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Type from 'typebox'
import { named, nameKeyword } from '../../core/schema/names.ts'
import { withComponents } from './openapi-components.ts'

type Part = Record<string, unknown>
type Written = { paths: Record<string, Record<string, Part>>; components: Record<string, Record<string, Part>> }

const text = { type: 'string' }
const json = (schema: object, more: object = {}) => ({ content: { 'application/json': { schema, ...more } } })
const ref = (name: string, section = 'schemas') => ({ $ref: `#/components/${section}/${name}` })
const one = { type: 'object', properties: { bill: ref('Bill') } }
const list = { type: 'object', properties: { bills: { type: 'array', items: ref('Bill') } } }
const page = { type: 'object', properties: { ...list.properties, total: { type: 'integer' } } }
const withLines = { type: 'object', properties: { ...one.properties, lines: { type: 'array', items: text } } }

/** The document of these operations, `get searchBills`, each under a path of its own. */
function written(operations: Record<string, object>, more: object = {}): Written {
  const paths = Object.fromEntries(
    Object.entries(operations).map(([call, operation]) => {
      const [method = '', operationId = ''] = call.split(' ')
      return [`/${operationId}`, { [method]: { operationId, tags: ['Bills'], responses: {}, ...operation } }]
    }),
  )
  const components = { schemas: { Bill: { type: 'object' } }, ...more }
  return withComponents({ paths, webhooks: {}, components }) as Written
}

const operationOf = ({ paths }: Written, id: string) => Object.values(paths[`/${id}`] ?? {})[0] as Part
const schemasOf = ({ components }: Written) => components.schemas ?? {}

describe('the components of the OpenAPI document', () => {
  test('have a body under the name of its operation, and an answer under that of what is in it', () => {
    const document = written({
      'post createBill': { requestBody: json({ properties: { notes: text } }), responses: { 201: json(one) } },
      'get searchBills': { responses: { 200: json(page) } },
      'get listBills': { responses: { 200: json(list) } },
      'post sendBill': { responses: { 200: json(withLines) } },
      'get getBillItem': { responses: { 200: json({ properties: { item: text } }) } },
    })
    const names = ['Bill', 'BillAnswer', 'BillItemAnswer', 'BillList', 'BillPage', 'CreateBill', 'SendBillAnswer']
    assert.deepEqual(Object.keys(schemasOf(document)), names)
    assert.deepEqual(operationOf(document, 'createBill').requestBody, json(ref('CreateBill')))
    assert.deepEqual(operationOf(document, 'searchBills').responses, { 200: json(ref('BillPage')) })
    assert.deepEqual(schemasOf(document).BillPage, page)
  })

  test('have once what several operations take and answer, with its example', () => {
    const parameter = { name: 'limit', in: 'query', schema: { type: 'integer' } }
    const inPath = { name: 'billID', in: 'path', schema: text }
    const answer = { description: 'The bill.', ...json(one, { example: { bill: {} } }) }
    const read = { parameters: [inPath, parameter], responses: { 200: answer } }
    const { components, paths } = written({ 'get getBill': read, 'get findBill': { ...read, tags: ['Search'] } })
    assert.deepEqual(components.parameters, { BillId: inPath, Limit: parameter })
    assert.deepEqual(components.examples, { BillAnswer: { value: { bill: {} } } })
    const examples = { BillAnswer: ref('BillAnswer', 'examples') }
    assert.deepEqual(components.responses, {
      BillRead: { description: 'The bill.', ...json(ref('BillAnswer'), { examples }) },
    })
    for (const { get } of Object.values(paths)) {
      assert.deepEqual(get?.parameters, [ref('BillId', 'parameters'), ref('Limit', 'parameters')])
      assert.deepEqual(get?.responses, { 200: ref('BillRead', 'responses') })
    }
  })

  test('are called after the one resource that filters by them, and an answer after what was done', () => {
    const filter = { name: 'status_ids', in: 'query', schema: text }
    const write = { parameters: [filter], responses: { 200: json(one) } }
    const { components } = written({ 'post saveBill': write, 'post sendBill': write })
    assert.deepEqual(Object.keys(components.parameters ?? {}), ['BillsStatusIds'])
    assert.deepEqual(Object.keys(components.responses ?? {}), ['BillWritten'])
  })

  test('have a schema that was named once, and at each place what is said of that place', () => {
    const Address = named('Address', Type.Object({ city: Type.String() }))
    const place = (description: string) => ({ ...Address, description })
    const document = written({
      'post createBill': { requestBody: json({ properties: { to: place('Who pays.'), from: place('Who is paid.') } }) },
      'post updateBill': {
        requestBody: json({ properties: { to: { ...place('Who pays.'), type: ['object', 'null'] } } }),
      },
    })
    const address = ref('Address')
    assert.deepEqual(schemasOf(document).Address, JSON.parse(JSON.stringify(Type.Object({ city: Type.String() }))))
    assert.deepEqual(schemasOf(document).CreateBill, {
      properties: { to: { description: 'Who pays.', ...address }, from: { description: 'Who is paid.', ...address } },
    })
    assert.deepEqual(schemasOf(document).UpdateBill, {
      properties: { to: { description: 'Who pays.', anyOf: [address, { type: 'null' }] } },
    })
  })

  test('say themselves what is said of a schema at all its places', () => {
    const Address = named('Address', Type.Object({ city: Type.String() }, { description: 'A place.' }))
    const document = written({
      'post createBill': { requestBody: json({ properties: { to: Address, from: Address } }) },
    })
    assert.equal(schemasOf(document).Address?.description, 'A place.')
    assert.deepEqual(schemasOf(document).CreateBill, { properties: { to: ref('Address'), from: ref('Address') } })
  })

  test('take no name from an example or from a field of that name', () => {
    const schema = { properties: { [nameKeyword]: text }, examples: [{ [nameKeyword]: 'Nobody' }] }
    const document = written({
      'post createBill': { requestBody: json(schema, { example: { [nameKeyword]: 'Nobody' } }) },
    })
    assert.deepEqual(Object.keys(schemasOf(document)), ['Bill', 'CreateBill'])
    assert.deepEqual(schemasOf(document).CreateBill, schema)
  })

  test('are refused where two of them would have one name, or what is shared would have none', () => {
    const different = { properties: { notes: named('Note', Type.String()), title: named('Note', Type.Integer()) } }
    assert.throws(() => written({ 'post createBill': { requestBody: json(different) } }), /would be called Note/)
    const body = { requestBody: json({ properties: { reason: text } }) }
    assert.throws(
      () => written({ 'post voidBill': body, 'post voidInvoice': body }),
      /voidBill, voidInvoice.*named\(\)/,
    )
    const parameter = (name: string) => ({ parameters: [{ name, in: 'path', schema: text }] })
    const operations = { 'get getBill': parameter('billID'), 'get findBill': parameter('billID') }
    assert.throws(() => written(operations, { parameters: { BillId: {} } }), /would be called BillId/)
    const badly = named('bill address', Type.Object({}))
    assert.throws(
      () => written({ 'post createBill': { requestBody: json({ properties: { badly } }) } }),
      /"bill address"/,
    )
  })
})
