import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readSettings } from '../../settings.ts'
import { llmsText } from './llms.ts'
import { type ApiDescription, type Body, inPlace, type Operation } from './operations.ts'
import { postmanCollection } from './postman.ts'
import { forTrying } from './try-it.ts'

const document: ApiDescription = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
const settings = readSettings({ PUBLIC_URL: 'https://tms.example.com', AUTH_URL: 'https://id.example.com' })
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

type Field = { key: string; value?: string; disabled?: boolean }
type Url = { raw: string; host: string[]; path?: string[]; query?: Field[]; variable?: Field[] }
type Request = {
  method: string
  header: Field[]
  url: Url
  body?: { mode: string; raw?: string; urlencoded?: Field[] }
  auth?: { type: string }
}
type Item = {
  name: string
  item?: Item[]
  request?: Request
  response?: unknown[]
  event?: { listen: string; script: { exec: string[] } }[]
}
type Collection = {
  info: { name: string; schema: string }
  auth: { type: string; bearer: Field[] }
  variable: Field[]
  item: Item[]
}

const collection = postmanCollection(document, settings) as Collection
const requests = collection.item.flatMap(({ name, item = [] }) => item.map((request) => ({ folder: name, ...request })))

describe('the Postman collection', () => {
  test('keeps the rules of collection 2.1: what is required is there, and every value is of the kind that it asks for', () => {
    assert.equal(collection.info.schema, 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json')
    assert.ok(collection.info.name)
    for (const { item } of collection.item) assert.ok(Array.isArray(item), 'a folder has items')
    for (const { folder, name, request, response } of requests) {
      const at = `${folder}: ${name}`
      assert.ok(request && Array.isArray(response), at)
      assert.match(request.method, /^(GET|POST|PUT|PATCH|DELETE)$/, at)
      assert.ok(request.url.host.length === 1 && request.url.raw.startsWith(request.url.host[0] as string), at)
      const fields = [
        ...request.header,
        ...(request.url.query ?? []),
        ...(request.url.variable ?? []),
        ...(request.body?.urlencoded ?? []),
      ]
      for (const { key, value } of fields) assert.deepEqual([at, typeof key, typeof value], [at, 'string', 'string'])
      if (request.body) assert.ok(['raw', 'urlencoded'].includes(request.body.mode), at)
      if (request.body?.mode === 'raw') assert.equal(typeof request.body.raw, 'string', at)
    }
    const { auth, variable } = collection
    assert.deepEqual(auth.bearer, [{ key: 'token', value: '{{token}}', type: 'string' }])
    assert.ok(variable.every(({ key, value }) => typeof key === 'string' && typeof value === 'string'))
  })

  test('has every operation of the document once, with every part of its path', () => {
    const sent = requests
      .filter(({ folder }) => folder !== 'Authorization')
      .map(({ request }) => `${request?.method} ${request?.url.path?.join('/')}`)
    const described = operations.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.slice(1).replace(/\{(\w+)\}/g, ':$1')}`,
    )
    assert.deepEqual(sent.sort(), described.sort())
    for (const { request } of requests) {
      const named = request?.url.path?.filter((part) => part.startsWith(':')).map((part) => part.slice(1)) ?? []
      assert.deepEqual(
        (request?.url.variable ?? []).map(({ key }) => key).sort(),
        named.sort(),
        String(request?.url.raw),
      )
    }
  })

  test('knows the addresses of the installation, and no secret of it', () => {
    const values = Object.fromEntries(collection.variable.map(({ key, value }) => [key, value]))
    assert.deepEqual(values, {
      base_url: 'https://tms.example.com',
      token: '',
      token_url: 'https://id.example.com/oauth2/token',
      audience: 'https://tms.example.com/',
      client_id: '',
      client_secret: '',
      username: '',
      password: '',
      refresh_token: '',
    })
  })

  test('has a folder that gets a token and keeps it for the other requests', () => {
    const [folder] = collection.item
    assert.equal(folder?.name, 'Authorization')
    const kept: Record<string, string> = {}
    const pm = {
      response: { json: () => ({ access_token: 'a', refresh_token: 'r' }) },
      collectionVariables: { set: (key: string, value: string) => (kept[key] = value) },
    }
    for (const { request, event } of folder?.item ?? []) {
      assert.equal(request?.url.raw, '{{token_url}}')
      new Function('pm', event?.[0]?.script.exec.join('\n') as string)(pm)
    }
    assert.deepEqual(kept, { token: 'a', refresh_token: 'r' })
  })

  test('sends nothing optional by itself, and a key of its own with every write that asks for one', () => {
    const fields = requests.flatMap(({ request }) => [...(request?.header ?? []), ...(request?.url.query ?? [])])
    const active = new Set(fields.filter(({ disabled }) => !disabled).map(({ key }) => key))
    assert.deepEqual(
      [...active].filter((key) => key !== 'Content-Type'),
      requiredQueries(),
    )
    const keys = fields.filter(({ key }) => key === 'Idempotency-Key')
    assert.ok(keys.length > 20 && keys.every(({ value }) => value === '{{$guid}}'))
  })
})

function requiredQueries(): string[] {
  const parameters = operations.flatMap(({ operation }) =>
    (operation.parameters ?? []).map((parameter) => inPlace(document, parameter)),
  )
  return [
    ...new Set(
      parameters.flatMap((parameter) => (parameter.in !== 'path' && parameter.required ? parameter.name : [])),
    ),
  ]
}

test('in the document of the reference page no example of an optional parameter is a value to be sent', () => {
  const { paths, components } = forTrying(document)
  const parameters = [
    ...Object.values(components.parameters ?? {}),
    ...Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => operation.parameters ?? []),
    ),
  ]
  for (const parameter of parameters) {
    if ('$ref' in parameter || parameter.required) continue
    assert.equal(parameter.example, undefined, parameter.name)
    for (const example of Object.values(parameter.examples ?? {}))
      assert.equal((example as Record<string, unknown>)['x-disabled'], true, parameter.name)
  }
  assert.equal(components.parameters?.IdempotencyKey?.examples, undefined)
  assert.ok(document.components.parameters?.IdempotencyKey?.example, 'the document itself stays as it is')
})

test('in the document of the reference page a record is named by its number where it has one, and by nothing that no installation has', () => {
  const { paths } = forTrying(document)
  const inPath = (path: string, method: string) =>
    paths[path]?.[method]?.parameters?.flatMap((parameter) =>
      'in' in parameter && parameter.in === 'path' ? [parameter.example] : [],
    )
  assert.deepEqual(inPath('/api/v1/bills/{billID}', 'get'), ['BILL-000034'])
  assert.deepEqual(inPath('/api/v1/payments/{paymentID}', 'get'), ['PAY-000020'])
  assert.deepEqual(inPath('/api/v1/services/{serviceID}', 'get'), ['ext:TL-DRY'])
  assert.deepEqual(inPath('/api/v1/webhooks/{webhookID}', 'get'), [undefined])
  // The order is named by its id alone.
  assert.deepEqual(inPath('/api/v1/manifests/{manifestID}/orders/{orderID}', 'delete'), ['MAN-26', undefined])
  const { post } = paths['/api/v1/orders'] as Record<string, Operation>
  const { requestBody } = post as { requestBody: Body }
  const { example } = requestBody.content['application/json'] as { example: { customer_id: string } }
  assert.equal(example.customer_id, 'CUST-1')
})

test('llms.txt names every operation, and every guide by the address of its text', () => {
  const guides = [{ name: 'oauth', label: 'OAuth', about: 'Tokens.', text: () => '' }]
  const text = llmsText(document, guides, settings)
  assert.match(text, /^# Lading API \d+\.\d+\.\d+\n\n> \S/)
  assert.ok(text.includes('- [OAuth](https://tms.example.com/docs/oauth.md): Tokens.\n'))
  for (const { method, path, operation } of operations)
    assert.ok(text.includes(`- \`${method.toUpperCase()} ${path}\`: ${operation.summary}`), path)
})
