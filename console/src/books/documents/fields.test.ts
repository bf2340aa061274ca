import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { addressValuesOf } from '../../app/values/address:ts.ts'
import { billFields, billList } from '../bills/fields.ts'
import { creditListOf } from '../credits/fields.ts'
import { invoiceFields, invoiceList } from '../invoices/fields.ts'
import { statementFields, statementList } from '../statements/fields.ts'
import { type AnyFields, type Field, fieldsWithInput, type HiddenField, shownFields } from './field.ts'
import { filterQueryOf, type List, pageQueryOf, searchIn } from './search.ts'
import { blankValues, bodyOf, errorNamesOf, problemsIn, valuesOf } from './values.ts'

type Property = { description?: string }
type Reference = { $ref?: string }
type Operation = {
  parameters: ({ name?: string } & Reference)[]
  requestBody: { content: { 'application/json': { schema: Reference } } }
}

const api = JSON.parse(readFileSync(new URL('../../../../server/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<'get' | 'post' | 'put', Operation>>
  components: {
    schemas: Record<string, { properties: Record<string, Property> }>
    parameters: Record<string, { name: string }>
  }
}
const nameIn = ({ $ref = '' }: Reference) => $ref.split('/').at(-1) as string

const dollar = { id: 'usd', iso_4217: 'USD', minor_units: 2, name: 'US Dollar' }
const bill = {
  partner_carrier_id: 'c-1',
  currency_id: 'usd',
  reference_number: 'INV-1',
  bill_date: '2026-03-01T00:00:00.000Z',
  due_date: null,
  pay_term_id: null,
  is_tax_on: true,
  tax_amount: 1234,
  send_to_email: 'ap@carrier.example',
  cc_to_email: null,
  remit_to: { company_name: 'Haulage', city: 'Toledo' },
  bill_to: null,
  notes: 'Two\nlines',
}

const kinds: [name: string, fields: AnyFields, list: List, path: string, one: string, schema: string][] = [
  ['bill', billFields, billList, '/api/v1/bills', '/api/v1/bills/{billID}', 'Bill'],
  ['invoice', invoiceFields, invoiceList, '/api/v1/invoices', '/api/v1/invoices/{invoiceID}', 'Invoice'],
  [
    'credit of a carrier',
    creditListOf('carrier').fields,
    creditListOf('carrier'),
    '/api/v1/credits',
    '/api/v1/credits/{creditID}',
    'Credit',
  ],
  [
    'statement',
    statementFields,
    statementList,
    '/api/v1/consolidated_bills',
    '/api/v1/consolidated_bills/{consolidatedBillID}',
    'ConsolidatedBill',
  ],
]

for (const [name, fields, list, path, one, schema] of kinds) {
  describe(`the fields of a ${name}`, () => {
    test('are those of the API, none forgotten and none made up', () => {
      assert.deepEqual(Object.keys(fields).sort(), Object.keys(api.components.schemas[schema]?.properties ?? {}).sort())
    })

    test('that a client can set have an input, or say why not', () => {
      const body = api.paths[one]?.put.requestBody.content['application/json'].schema ?? {}
      const { properties } = api.components.schemas[nameIn(body)] ?? { properties: {} }
      const settable = Object.keys(properties).filter(
        (field) => !properties[field]?.description?.startsWith('Ignored') && field in fields,
      )
      assert.ok(settable.length > 10)
      const silent = settable.filter((field) => {
        const { input, noInput, notShown } = fields[field] as Partial<Field & HiddenField>
        return !input && !noInput && !notShown
      })
      assert.deepEqual(silent, [])
    })

    test('are filtered and sorted by parameters that the API has', () => {
      const known = new Set(
        api.paths[path]?.get.parameters.map(
          (parameter) => parameter.name ?? api.components.parameters[nameIn(parameter)]?.name,
        ),
      )
      const used = shownFields(fields).flatMap(({ filter }) =>
        !filter ? [] : 'param' in filter ? [filter.param] : 'flag' in filter ? [filter.flag] : [filter.from, filter.to],
      )
      assert.deepEqual(
        used.filter((param) => !known.has(param)),
        [],
      )
      assert.ok(!list.term || known.has(list.term.param))
      assert.ok(Object.keys(list.sorts).every((sort) => sort.replace('-', '') in fields))
    })
  })
}

describe('a form over a document', () => {
  test('sends back exactly what it was filled with, and nothing where nothing was changed', () => {
    const values = valuesOf(billFields, bill, dollar, 'UTC')
    const content = (value: unknown) =>
      typeof value === 'string' && value.endsWith('T00:00:00.000Z') ? value.slice(0, 10) : value
    const expected = Object.fromEntries(Object.entries(bill).map(([name, value]) => [name, content(value)]))
    const remit_to = {
      ...Object.fromEntries(Object.keys(addressValuesOf(null)).map((part) => [part, null])),
      ...bill.remit_to,
    }
    assert.deepEqual(bodyOf(billFields, values, values, dollar), { ...expected, remit_to })
    assert.deepEqual(bodyOf(billFields, {}, values, dollar), {})
  })

  test('clears a field that was emptied, and leaves out a tax that does not apply', () => {
    const values = { ...valuesOf(billFields, bill, dollar, 'UTC'), is_tax_on: false }
    const body = bodyOf(
      billFields,
      { notes: '  ', remit_to: addressValuesOf(null), tax_amount: '9.99', is_tax_on: false },
      values,
      dollar,
    )
    assert.deepEqual(body, { notes: null, remit_to: null, is_tax_on: false })
  })

  test('finds an amount that cannot be read, unless it does not apply', () => {
    const values = { ...valuesOf(billFields, bill, dollar, 'UTC'), tax_amount: '1.005' }
    assert.deepEqual(Object.keys(problemsIn(billFields, values, dollar)), ['tax_amount'])
    assert.deepEqual(problemsIn(billFields, { ...values, is_tax_on: false }, dollar), {})
  })

  test('has a field that is added to the list, without another change', () => {
    const fields: AnyFields = {
      ...billFields,
      po_number: { label: 'PO number', kind: 'text', input: { on: 'both' }, filter: { key: 'po', param: 'po_number' } },
    }
    assert.deepEqual(
      [blankValues(fields, 'new').po_number, valuesOf(fields, { ...bill, po_number: null }, dollar, 'UTC').po_number],
      ['', ''],
    )
    const values = { ...blankValues(fields, 'new'), po_number: ' PO-7 ' }
    assert.equal(bodyOf(fields, values, values, dollar).po_number, 'PO-7')
    assert.ok(
      errorNamesOf(fields).includes('po_number') &&
        fieldsWithInput(fields, 'edit').some(({ name }) => name === 'po_number'),
    )
    assert.deepEqual(filterQueryOf({ ...billList, fields }, searchIn({ ...billList, fields }, { po: 'PO-7' })), {
      po_number: 'PO-7',
    })
  })
})

describe('a list of documents in the address', () => {
  test('asks the API for what the address says', () => {
    const search = searchIn(billList, {
      state: 'saved',
      q: ' F-2 ',
      carrier: 'c-1',
      due_from: '2026-03-01',
      sort: 'due_date',
      page: '3',
    })
    assert.deepEqual(pageQueryOf(billList, search), {
      status_ids: ['saved'],
      search_term: 'F-2',
      partner_carrier_ids: ['c-1'],
      due_start_at: '2026-03-01',
      sort: 'due_date',
      limit: 20,
      offset: 40,
    })
    const overdue = searchIn(billList, { state: 'overdue', size: '100' })
    assert.deepEqual(pageQueryOf(billList, overdue), { overdue: true, sort: 'due_date', limit: 100, offset: 0 })
    assert.deepEqual(
      filterQueryOf(statementList, searchIn(statementList, { type: 'driver_settlement', period_to: '2026-03-31' })),
      {
        consolidated_bill_type_ids: ['driver_settlement'],
        period_end_at: '2026-03-31',
      },
    )
  })

  test('leaves out what makes no sense', () => {
    assert.deepEqual(
      searchIn(billList, {
        state: 'gone',
        sort: 'org_id',
        due_from: '2026-02-31x',
        carrier: {},
        page: '0',
        size: '21',
        q: {},
      }),
      {},
    )
    assert.deepEqual(searchIn(billList, { state: 'all' }), {})
    assert.deepEqual(searchIn(statementList, { type: 'other', period_from: 'yesterday', q: [] }), {})
  })
})
