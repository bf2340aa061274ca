import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type X12Interchange, X12Parser } from 'node-x12'
import { anyText } from '../../../../test/any-text.ts'
import { complete, shipment } from '../../../../test/customs.ts'
import { runs } from '../../../../test/depth.ts'
import { faultsOf } from '../../../../test/x12/check.ts'
import { readX12 } from '../../../platform/x12/read.ts'
import { type Border, documentTypes, type Purpose, type TransactionSet, trailerKinds } from './codes.ts'
import { type CompleteEmanifest, isSameFreight, writeCancellation, writeInterchange } from './interchange.ts'
import { findMissing } from './missing.ts'
import { contentOf, type EmanifestEdit } from './model.ts'

const at = new Date('2026-11-18T14:00:00.000Z')
const emanifest = (more: object = {}, border: Border = 'ace'): CompleteEmanifest =>
  ({ ...contentOf(complete('CSCDTRIP5521', more as never) as EmanifestEdit), border }) as CompleteEmanifest
const write = (
  filed: CompleteEmanifest,
  {
    set = '309',
    purpose = 'original',
    previous = null,
  }: { set?: TransactionSet; purpose?: Purpose; previous?: string | null } = {},
) => obeying(writeInterchange(filed, { set, purpose, control: 42, at, isTest: false, previous }))
const cancel = (border: Border, written: Omit<Parameters<typeof writeCancellation>[1], 'at'>, filed: string) =>
  obeying(writeCancellation({ border, carrier_code: 'CSCD' }, { ...written, at }, filed))
/** Everything that these tests write obeys the grammar. */
const obeying = (text: string) => {
  assert.deepEqual(faultsOf(text), [])
  return text
}
const segmentsOf = (text: string) =>
  text
    .trim()
    .split('~\n')
    .map((segment) => segment.replace(/~$/, ''))

describe('an interchange', () => {
  test('of an e-manifest into the United States has all of it in a 309', () => {
    assert.deepEqual(segmentsOf(write(emanifest())), [
      'ISA*00*          *00*          *02*CSCD           *ZZ*USCBP          *261118*1400*^*00502*000000042*0*P*>',
      'GS*AQ*CSCD*USCBP*20261118*1400*42*X*005020',
      'ST*309*0001',
      'M10*CSCD*J*US**TRUCK T-104*CDTRIP5521*CSCDTRIP5521*1*****00',
      'VEH*1*1XKWDB0X57J211825*******PA12345*ON*******CA***TR*T-104',
      'VEH*2********TR998*ON*******CA***TW*R-2210',
      'NM1*D1*1*Ortiz*Sam',
      'DMG*D8*19840311*M****CA',
      'REF*ACW*GA302922*CA',
      'P4*3004*20991118*1**1530',
      'LX*1',
      'M11*CSCD0099321*12345*22*PLT*18400*K******CSCD*************K ',
      'N9*8X*PAPS',
      'N1*SH*Legumes du Nord',
      'N3*1200 Rue Notre-Dame',
      'N4*Montreal*QC*H3C 1J5*CA',
      'N1*CN*Northside Grocers',
      'N3*410 Pine St',
      'N4*Seattle*WA*98101*US',
      'VID*TW**R-2210*******L',
      'M7*889122',
      'N10*22*Frozen vegetables*****K*18400**PLT',
      'SE*21*0001',
      'GE*1*42',
      'IEA*1*000000042',
    ])
  })

  test('of the conveyance is a 358: the truck, its driver, its units and the shipments on each', () => {
    const trailers = [
      { number: 'A-1', kind: 'flatbed', plate: 'X1', plate_country: 'CA', plate_state: 'ON' },
      { number: 'A-2', kind: 'chassis', plate: 'X2', plate_country: 'CA', plate_state: 'ON' },
    ]
    const shipments = [
      shipment('CSCD1001'),
      shipment('CSCD1002', { trailer: 'A-2' }),
      shipment('CSCD1003', { trailer: 'A-1' }),
    ]
    const text = segmentsOf(write(emanifest({ trailers, shipments }, 'aci'), { set: '358' }))
    assert.equal(text[1], 'GS*BD*CSCD*CBSA*20261118*1400*42*X*005020')
    assert.equal(text[3], 'M10*CSCD*J*CA**TRUCK T-104*CDTRIP5521*CSCDTRIP5521*3*****00')
    assert.deepEqual(
      text.filter((one) => /^(?:VID|MBL)/.test(one)),
      ['VID*FT**A-1*******L', 'MBL*CSCD*CSCD1001', 'MBL*CSCD*CSCD1003', 'VID*CH**A-2*******L', 'MBL*CSCD*CSCD1002'],
    )
  })

  test('of an empty truck without a trailer says so', () => {
    const text = segmentsOf(write(emanifest({ is_empty: true, trailers: [], shipments: [] }), { set: '358' }))
    assert.ok(text.includes('VID*TV**T-104*******E'))
    assert.equal(
      text.some((one) => one.startsWith('MBL')),
      false,
    )
  })

  test('says what a value is in, and which documents a driver has', () => {
    const goods = { description: 'A', quantity: 1, unit: 'PCS', weight: 1, weight_unit: 'kg' }
    const commodities = [
      { ...goods, value: 5 },
      { ...goods, value: 1200, currency_id: 'EUR', hs_code: '071080' },
      goods,
    ]
    const documents = documentTypes.slice(0, 5).map((type) => ({ type, number: '1', country: 'US', state: 'WA' }))
    const text = segmentsOf(
      write(
        emanifest(
          {
            driver: { ...(complete('X').driver as object), documents },
            shipments: [shipment('CSCD1', { commodities })],
          },
          'aci',
        ),
      ),
    )
    assert.deepEqual(
      text.filter((one) => one.startsWith('N10')),
      ['N10*1*A****05*K*1**PCS***CAD', 'N10*1*A**J*071080*1200*K*1**PCS***EUR', 'N10*1*A*****K*1**PCS'],
    )
    assert.deepEqual(
      text.filter((one) => one.startsWith('REF')),
      ['REF*ACW*1*US WA', 'REF*5J*1*US WA', 'REF*5J*1*ENHANCED US WA', 'REF*ZZ*1*FAST US WA', 'REF*ZZ*1*NEXUS US WA'],
    )
  })

  test('of an amendment says of each shipment whether it is added, replaced or deleted', () => {
    const before = write(emanifest({ shipments: [shipment('CSCD1001'), shipment('CSCD1002')] }))
    const text = segmentsOf(
      write(emanifest({ shipments: [shipment('CSCD1002'), shipment('CSCD1003')] }), {
        purpose: 'amendment',
        previous: before,
      }),
    )
    assert.ok(text.some((one) => one.startsWith('M10*') && one.endsWith('*04')))
    assert.deepEqual(
      text.filter((one) => one.startsWith('M13')),
      ['M13*CSCD*3004*R*CSCD1002*****CSCD', 'M13*CSCD*3004*A*CSCD1003*****CSCD', 'M13*CSCD*3004*D*CSCD1001*****CSCD'],
    )
  })

  test('of a cancellation takes back what was filed, shipment by shipment', () => {
    const before = write(emanifest({ shipments: [shipment('CSCD1001')] }))
    const gone = write(emanifest({ shipments: [shipment('CSCD1002')] }), { purpose: 'amendment', previous: before })
    const text = segmentsOf(cancel('ace', { set: '309', control: 43, isTest: true }, gone))
    assert.ok(text.some((one) => one.startsWith('M10*') && one.endsWith('*01')))
    assert.deepEqual(
      text.filter((one) => /^(?:M13|M11|LX)/.test(one)).map((one) => one.split('*').slice(0, 5).join('*')),
      ['LX*1', 'M13*CSCD*3004*D*CSCD1002', 'M11*CSCD1002*12345*22*PLT'],
    )
    assert.ok(text[0]?.endsWith('*0*T*>'))
  })

  test('weights of different units are summed in kilograms, and never written with an exponent', () => {
    const commodities = [
      { description: 'A', quantity: 2, unit: 'BOX', weight: 100, weight_unit: 'lb' },
      {
        description: 'B',
        quantity: 3,
        unit: 'PLT',
        weight: 0.0000001,
        weight_unit: 'kg',
        hs_code: '071080',
        value: 12,
        country_of_origin: 'ca',
        hazardous_code: 'un1845',
      },
    ]
    const text = segmentsOf(write(emanifest({ shipments: [shipment('CSCD1001', { commodities })] })))
    assert.ok(text.includes('M11*CSCD1001*12345*5*PKG*45.359*K******CSCD*************K '), text.join('\n'))
    assert.deepEqual(
      text.filter((one) => /^(?:N10|H1)/.test(one)),
      ['N10*2*A*****L*100**BOX', 'N10*3*B**A*071080*12*K*0**PLT*CA**USD', 'H1*UN1845'],
    )
  })

  test('that another reader of X12 reads and writes again is the same, byte for byte', () => {
    for (const border of ['ace', 'aci'] as const)
      for (const set of ['309', '358'] as const)
        for (const purpose of ['original', 'amendment'] as const) {
          const text = write(emanifest({ shipments: [shipment('CSCD1001'), shipment('CSCD1002')] }, border), {
            set,
            purpose,
          })
          assert.equal(writtenAgain(text), text)
          const cancellation = cancel(border, { set, control: 9, isTest: false }, text)
          assert.equal(writtenAgain(cancellation), cancellation)
        }
  })

  test('holds whatever people enter: no text breaks a segment, and what was written is read back', () => {
    // Validating has seen to it that something of each can be written.
    const text = anyText({ maxLength: 40 }).map((entered) => `A${entered}`)
    fc.assert(
      fc.property(text, text, text, (name, city, description) => {
        const party = { name, address_1: name, city: `A${city}`, state: 'QC', postal: 'H3C', country: 'CA' }
        const commodities = [{ description, quantity: 1, unit: 'PCS', weight: 1, weight_unit: 'kg' }]
        const filed = emanifest({ shipments: [shipment('CSCD1001', { shipper: party, commodities })] })
        const written = writeInterchange(filed, { set: '309', purpose: 'original', control: 42, at, isTest: false })
        assert.match(written, /^[\x20-\x7e\n]*$/)
        assert.equal(readX12(written)[0]?.groups[0]?.transactions.length, 1)
        assert.equal(isSameFreight(filed, written), true)
        assert.equal(writtenAgain(written), written)
      }),
      { numRuns: runs(100) },
    )
  })

  test('obeys the grammar whatever was entered, where nothing is found missing or wrong', () => {
    const text = (maxLength: number, ...good: string[]) =>
      fc
        .oneof(
          { weight: 60, arbitrary: fc.constantFrom(...good) },
          anyText({ maxLength: 9 }),
          anyText({ maxLength: 60 }),
          fc.string({ maxLength }),
        )
        .map((entered) => entered.slice(0, maxLength))
    const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 4 })
    const party = fc.record({
      ...{
        name: text(60, 'Acme'),
        address_1: text(55, '1 Main St'),
        address_2: maybe(text(55, 'Dock 4')),
        city: text(30, 'Omsk'),
        state: text(2, 'ON', 'WA'),
      },
      ...{ postal: text(15, '98101'), country: fc.constantFrom('US', 'CA', 'RU') },
    })
    const commodity = fc.record({
      ...{
        description: text(45, 'Peas'),
        quantity: fc.integer({ min: 1, max: 99_999_999 }),
        unit: fc.constantFrom('PCS', 'PLT'),
        weight_unit: fc.constantFrom('kg', 'lb'),
      },
      weight: fc.oneof(fc.integer({ min: 1, max: 9_999_999 }), fc.double({ min: 0.0001, max: 9_999_999, noNaN: true })),
      ...{
        value: maybe(fc.integer({ min: 0, max: 99_999_999 })),
        currency_id: maybe(text(3, 'usd')),
        hs_code: maybe(text(10, '071080')),
      },
      ...{ country_of_origin: maybe(text(2, 'CA')), hazardous_code: maybe(fc.constantFrom('UN1845')) },
    })
    const plate = { plate: text(15, 'X1'), plate_state: text(2, 'ON'), plate_country: fc.constantFrom('CA', 'DE') }
    const entered = fc.record({
      driver: fc.record({
        ...{
          first_name: text(35, 'Sam'),
          last_name: text(60, 'Ortiz'),
          date_of_birth: fc.constant('1984-03-11'),
          gender: fc.constantFrom('M', 'F', 'X'),
        },
        ...{ citizenship: fc.constant('CA'), phone: maybe(text(30, '1')) },
        documents: fc.array(
          fc.record({
            type: fc.constantFrom(...documentTypes),
            number: text(30, '1'),
            country: fc.constant('US'),
            state: maybe(text(2, 'WA')),
          }),
          {
            ...{ minLength: 1, maxLength: 5 },
          },
        ),
      }),
      tractor: fc.record({ number: text(15, '7', 'T-1'), vin: maybe(text(17, '1XKW')), ...plate }),
      trailers: fc.uniqueArray(
        fc.record({
          number: text(15, 'R1', 'R2', 'R3'),
          kind: fc.constantFrom(...trailerKinds),
          seals: fc.array(text(15, '889122'), { maxLength: 4 }),
          ...plate,
        }),
        { maxLength: 10, selector: ({ number }) => number },
      ),
      shipments: fc.array(
        fc.record({
          ...{
            control_number: fc.constant('CSCD1001'),
            type: fc.constantFrom('paps', 'in_bond', 'pars', 'paps'),
            loading_port: text(30, '12345', 'USSEA'),
          },
          ...{
            in_bond_type: maybe(fc.constantFrom('61', '62', '63')),
            in_bond_number: maybe(text(15, 'V1')),
            destination_port: maybe(text(4, '3901')),
          },
          ...{
            foreign_destination_port: maybe(text(30, '12345')),
            shipper: party,
            consignee: party,
            broker: maybe(party),
          },
          commodities: fc.array(commodity, { minLength: 1, maxLength: 3 }),
        }),
        { maxLength: 1 },
      ),
    })
    let filed = 0
    fc.assert(
      fc.property(entered, fc.constantFrom('ace', 'aci'), (more, border) => {
        const content = emanifest({ ...more, is_empty: more.shipments.length === 0 }, border)
        if (findMissing({ ...content, border, accepted_at: null }, at).length > 0) return
        filed += 1
        const set = content.shipments.length === 0 ? '358' : '309'
        const original = write(content, { set })
        cancel(border, { set, control: 43, isTest: false }, original)
        cancel(border, { set: '358', control: 44, isTest: false }, write(content, { set: '358', purpose: 'amendment' }))
        if (set === '309') assert.equal(isSameFreight(content, original), true)
      }),
      { numRuns: runs(1000) },
    )
    assert.ok(filed > 0, `${filed} could be filed`)
  })

  test('tells whether the freight of another is the same', () => {
    const accepted = write(emanifest())
    assert.equal(isSameFreight(emanifest({ port: '0901', driver: null }), accepted), true)
    assert.equal(isSameFreight(emanifest({ shipments: [shipment('CSCD1002')] }), accepted), false)
    assert.equal(isSameFreight(emanifest({ trailers: [] }), accepted), false)
  })
})

/** Read by node-x12 and written by it, with the separators that it found. */
function writtenAgain(text: string): string {
  const parsed = new X12Parser(true).parse(text) as X12Interchange
  const options = {
    elementDelimiter: '*',
    subElementDelimiter: '>',
    segmentTerminator: '~',
    repetitionDelimiter: '^',
    endOfLine: '\n',
    format: true,
  }
  return `${parsed.toString(options).trimEnd()}\n`
}

describe('what is missing', () => {
  const now = new Date('2026-11-18T00:00:00Z')
  const missing = (more: object, border: Border = 'ace', accepted_at: string | null = null) =>
    findMissing({ ...contentOf({ ...complete('CSCDTRIP5521'), ...more } as EmanifestEdit), border, accepted_at }, now)
  const fields = (...asked: Parameters<typeof missing>) =>
    missing(...asked).map(({ field, code }) => `${field} ${code}`)

  test('is nothing where all is there', () => {
    assert.deepEqual(missing({}), [])
    assert.deepEqual(missing({ shipments: [shipment('CSCD0099321', { type: 'pars' })] }, 'aci'), [])
    assert.deepEqual(missing({ is_empty: true, shipments: [] }), [])
  })

  test('is everything at its place where nothing is there', () => {
    const found = findMissing({ ...contentOf({}), border: 'ace', accepted_at: null }, now)
    assert.deepEqual(
      found.map(({ field }) => field),
      ['carrier_code', 'trip_number', 'port', 'crossing_at', 'driver', 'tractor', 'shipments'],
    )
    for (const { message } of found) assert.match(message, /^[A-Z].*\.$/)
  })

  test('names each field of each part', () => {
    assert.deepEqual(fields({ driver: {} }), [
      ...[
        'driver.first_name',
        'driver.last_name',
        'driver.date_of_birth',
        'driver.citizenship',
        'driver.gender',
        'driver.documents',
      ].map((field) => `${field} missing`),
    ])
    assert.deepEqual(
      fields({ driver: {} }, 'aci').filter((field) => field.startsWith('driver.gender')),
      [],
    )
    assert.deepEqual(
      fields({
        tractor: { plate_country: 'US' },
        trailers: [{ plate: 'X', plate_country: 'Q1' }],
        shipments: [shipment('CSCD0099321')],
      }),
      [
        ...['tractor.number', 'tractor.plate', 'tractor.plate_state', 'trailers.0.number', 'trailers.0.kind'].map(
          (field) => `${field} missing`,
        ),
        'trailers.0.plate_country wrong',
      ],
    )
    assert.deepEqual(fields({ shipments: [{ shipper: { country: 'CA' }, consignee: null, commodities: [{}] }] }), [
      ...[
        'control_number',
        'type',
        'loading_port',
        'shipper.name',
        'shipper.address_1',
        'shipper.city',
        'shipper.state',
        'shipper.postal',
        'consignee',
      ].map((field) => `shipments.0.${field} missing`),
      ...['description', 'quantity', 'unit', 'weight', 'weight_unit'].map(
        (field) => `shipments.0.commodities.0.${field} missing`,
      ),
    ])
    const license = [{ type: 'drivers_license', number: '1', country: 'US' }, {}]
    assert.deepEqual(fields({ driver: { ...(complete('X').driver as object), documents: license } }), [
      'driver.documents.0.state missing',
      ...['type', 'number', 'country'].map((field) => `driver.documents.1.${field} missing`),
    ])
  })

  test('is also what is not as it must be', () => {
    const twice = [shipment('CSCD1001'), shipment('CSCD1001', { trailer: 'Z' })]
    assert.deepEqual(fields({ shipments: twice }), ['shipments.1.control_number wrong', 'shipments.1.trailer wrong'])
    assert.deepEqual(fields({ shipments: [shipment('ABCD1001')] }), ['shipments.0.control_number wrong'])
    assert.deepEqual(fields({ shipments: [shipment('CSCD1001', { type: 'pars' })] }), ['shipments.0.type wrong'])
    assert.deepEqual(fields({ trip_number: 'ABCD12345' }), ['trip_number wrong'])
    assert.deepEqual(fields({ trip_number: `CSCD${'1'.repeat(13)}` }), ['trip_number wrong'])
    assert.deepEqual(fields({ port: '813' }), ['port wrong'])
    assert.deepEqual(fields({ is_empty: true }), ['is_empty wrong'])
    assert.deepEqual(fields({ crossing_at: '2026-11-17T00:00:00Z' }), ['crossing_at wrong'])
    assert.deepEqual(fields({ crossing_at: '2026-11-17T00:00:00Z' }, 'ace', '2026-11-16T00:00:00.000Z'), [])
    const bond = shipment('CSCD1001', { type: 'in_bond' })
    assert.deepEqual(
      fields({ shipments: [bond] }),
      ['in_bond_type', 'in_bond_number', 'destination_port'].map((field) => `shipments.0.${field} missing`),
    )
    const leaving = {
      ...bond,
      in_bond_type: '62',
      in_bond_number: 'V1',
      destination_port: '3901',
      loading_port: 'Montreal',
    }
    assert.deepEqual(fields({ shipments: [leaving] }), [
      'shipments.0.loading_port wrong',
      'shipments.0.foreign_destination_port missing',
    ])
    assert.deepEqual(fields({ shipments: [{ ...leaving, foreign_destination_port: 'Oslo', loading_port: '12345' }] }), [
      'shipments.0.foreign_destination_port wrong',
    ])
    const trailer = (complete('X').trailers as object[])[0]
    const trailers = Array.from({ length: 10 }, (_, index) => ({ ...trailer, number: `R-${index}` }))
    assert.deepEqual(fields({ trailers }), ['trailers wrong'])
    assert.deepEqual(fields({ trailers: [{ ...trailer, seals: ['Ж1'], plate_state: 'Q' }] }), [
      'trailers.0.plate_state wrong',
      'trailers.0.seals wrong',
    ])
    const goods = {
      description: 'A',
      quantity: 1,
      unit: 'PCS',
      weight: 1,
      weight_unit: 'kg',
      value: 4,
      currency_id: 'us',
      hs_code: 'peas',
    }
    const broker = { name: 'B', address_1: 'Ж', city: 'Y', postal: '1', state: '1', country: 'C' }
    assert.deepEqual(
      fields({ shipments: [shipment('CSCD1001', { broker, commodities: [goods] })] }),
      [
        'broker.address_1',
        'broker.country',
        'broker.state',
        'broker.city',
        'broker.postal',
        'commodities.0.currency_id',
        'commodities.0.hs_code',
      ].map((field) => `shipments.0.${field} wrong`),
    )
    const cyrillic = shipment('CSCD1001', { shipper: { name: 'Север', address_1: '1', city: 'Omsk', country: 'RU' } })
    assert.deepEqual(fields({ shipments: [cyrillic] }), ['shipments.0.shipper.name wrong'])
  })
})
