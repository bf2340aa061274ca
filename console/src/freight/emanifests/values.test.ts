import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Schemas } from '@lading/sdk'
import { contentOf, errorsIn, newCommodity, newShipment, versionOf } from './values.ts'

const party = {
  name: 'Northside Grocers',
  address_1: '410 Pine St',
  address_2: null,
  city: 'Seattle',
  state: 'WA',
  postal: '98101',
  country: 'US',
}
const emanifest = {
  ...{
    revision: 3,
    carrier_code: 'CSCD',
    trip_number: 'CSCDTRIP1',
    port: null,
    crossing_at: '2099-11-18T15:30:00.000Z',
    is_empty: false,
    tractor: null,
  },
  driver: {
    ...{ first_name: 'Sam', last_name: null, date_of_birth: '1984-03-11', gender: 'M', citizenship: null, phone: null },
    documents: [{ type: 'passport', number: 'GA1', country: 'CA', state: null }],
  },
  trailers: [
    { number: 'R-1', kind: 'reefer', plate: null, plate_state: null, plate_country: null, seals: ['11', '22'] },
  ],
  shipments: [
    {
      ...{
        order_id: 'an order',
        control_number: null,
        type: 'paps',
        trailer: null,
        in_bond_type: null,
        in_bond_number: null,
        destination_port: null,
      },
      ...{ foreign_destination_port: null, loading_port: '12345' },
      ...{ shipper: party, consignee: null, broker: null },
      commodities: [
        {
          ...{
            description: 'Peas',
            quantity: 22,
            unit: 'PLT',
            weight: 18400.5,
            weight_unit: 'kg',
            value: null,
            currency_id: null,
            country_of_origin: null,
          },
          ...{ hs_code: null, hazardous_code: null },
        },
      ],
    },
  ],
} as unknown as Schemas['Emanifest']

describe('the form of an e-manifest', () => {
  test('sends back what it was filled with', () => {
    const { revision, values } = versionOf(emanifest)
    assert.equal(revision, 3)
    const { driver, trailers, shipments, crossing_at, port, tractor } = contentOf(values) as Record<string, unknown>
    assert.deepEqual([driver, trailers, shipments], [emanifest.driver, emanifest.trailers, emanifest.shipments])
    assert.deepEqual([crossing_at, port, tractor], ['2099-11-18T15:30:00.000Z', null, null])
  })

  test('sends only the parts that were changed, with null for what was emptied', () => {
    const { values } = versionOf(emanifest)
    const changes = {
      port: ' 3004 ',
      driver: { fields: { ...values.driver.fields, first_name: ' ', date_of_birth: '', gender: '' }, documents: [] },
    }
    assert.deepEqual(contentOf(changes), { port: '3004', driver: null })
    const sealed = [{ ...values.trailers[0], seals: '11; 33,44' }]
    assert.deepEqual(
      (contentOf({ trailers: sealed as never }) as { trailers: { seals: string[] }[] }).trailers[0]?.seals,
      ['11', '33', '44'],
    )
  })

  test('a new shipment has goods, and says where a number is none', () => {
    const { values } = versionOf(emanifest)
    const shipment = { ...newShipment(), commodities: [{ ...newCommodity(), weight: '12 tons', quantity: '4' }] }
    assert.deepEqual(Object.keys(errorsIn({ ...values, shipments: [shipment] })), ['shipments.0.commodities.0.weight'])
    assert.deepEqual(errorsIn(values), {})
  })
})
