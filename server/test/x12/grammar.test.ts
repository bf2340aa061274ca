import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { writeInterchange } from '../../src/freight/emanifests/contents/interchange.ts'
import { contentOf, type EmanifestEdit } from '../../src/freight/emanifests/contents/model.ts'
import { complete, decisionOn, fromCustoms, shipment, statusOf, syntaxOf } from '../customs.ts'
import { bare, credit, interchange, taxed, truckload } from '../interchanges.ts'
import { faultsOf } from './check.ts'

const at = new Date('2026-11-18T14:00:00.000Z')
const goods = { description: 'A', quantity: 1, unit: 'PCS', weight: 1, weight_unit: 'kg', value: 12, hs_code: '071080' }
const inBond = {
  type: 'in_bond',
  in_bond_type: '61',
  in_bond_number: 'V1',
  destination_port: '3901',
  commodities: [goods],
}
const content = contentOf(complete('CSCDTRIP5521', { shipments: [shipment('CSCD1001', inBond)] }) as EmanifestEdit)
const write = (set: '309' | '358') =>
  writeInterchange({ ...content, border: 'ace' } as never, {
    set,
    purpose: 'amendment',
    control: 42,
    at,
    isTest: false,
    previous: null,
  })
const [manifest, consist] = [write('309'), write('358')]
const remarks = ['LX*1', 'M11*CSCD1*12345**********CSCD', 'K1*042*INVALID ADDRESS']

/** The interchange with another text at a place, and with the number of segments that it has then. */
function changed(text: string, from: string, to: string): string {
  assert.ok(text.includes(from), `${from} is in the interchange`)
  const next = text.replace(from, to)
  const count = next.slice(next.indexOf('ST*'), next.indexOf('SE*')).split('~\n').length
  return next.replace(/SE\*\d+/, `SE*${count}`)
}

describe('the grammar', () => {
  test('takes what is written, what customs answers and what carriers send', () => {
    const answers = [
      syntaxOf('000000001'),
      syntaxOf('000000001', 'R'),
      decisionOn('CSCDTRIP1'),
      decisionOn('CSCDTRIP1', { remarks }),
      statusOf('CSCDTRIP1', 'CSCD1'),
    ]
    for (const text of [
      manifest,
      consist,
      ...answers.map((answer) => fromCustoms([answer])),
      interchange([truckload(), taxed()]),
    ])
      assert.deepEqual(faultsOf(text), [])
  })

  test('names what carriers send otherwise, and is read all the same', () => {
    assert.deepEqual(faultsOf(interchange([bare()])), ['B3 (segment 4), B306: "261114" has 6 characters, not 8 to 8'])
    assert.deepEqual(faultsOf(interchange([credit()])), [
      'B3 (segment 4), B307: "-80.00" is no N',
      'L1 (segment 7), L104: "-80.00" is no N',
    ])
  })

  const cases: [rule: string, text: string, fault: RegExp][] = [
    [
      'the driver has REF and no N9',
      changed(manifest, 'REF*ACW', 'N9*ACW'),
      /^P4: it is missing before N9 .*|^N9 .*: it may not stand here/,
    ],
    [
      'the driver has no PER',
      changed(manifest, 'REF*ACW*GA302922*CA~\n', 'PER*DR**TE*1~\n'),
      /PER .*: it may not stand here|the transaction has no such segment/,
    ],
    [
      'M10 has the code or the name of a conveyance (R)',
      changed(manifest, 'TRUCK T-104', ''),
      /M10 .*: its elements break R0405/,
    ],
    [
      'VEH has a name with its country (P)',
      changed(manifest, '*CA***TR*T-104', '*CA*T-104'),
      /VEH .*: its elements break P1819/,
    ],
    [
      'VEH says which piece of equipment it is (L)',
      changed(manifest, '*TW*R-2210~\nNM1', '*TW~\nNM1'),
      /VEH .*: its elements break L200221/,
    ],
    ['N10 has a value with its currency (P)', changed(manifest, '**USD', ''), /N10 .*: its elements break P0613/],
    [
      'M13 names the carrier again (required)',
      changed(manifest, '*****CSCD~\nM11', '~\nM11'),
      /M13 .*, M1309: it is missing/,
    ],
    [
      'a city is too long for a code of a place',
      changed(manifest, '*12345*', `*${'Montreal'.repeat(4)}*`),
      /M1102: "Montreal.*" has 32 characters, not 1 to 30/,
    ],
    [
      'N4 has a state or a part of a country (E)',
      changed(manifest, 'QC*H3C 1J5*CA', 'QC*H3C 1J5*CA***QC'),
      /N4 .*: its elements break E0207/,
    ],
    [
      'N4 has the kind of a location with it (C)',
      changed(manifest, 'QC*H3C 1J5*CA', 'QC*H3C 1J5*CA**1'),
      /N4 .*: its elements break C0605/,
    ],
    ['a segment that is required', changed(consist, 'P4*3004*20991118*1**1530~\n', ''), /P4: it is missing/],
    ['a manifest has a shipment', changed(manifest.replace(/LX[\s\S]*?SE/, 'SE'), 'IEA', 'IEA'), /LX: it is missing/],
    [
      'the order',
      changed(manifest, 'N9*8X*IN_BOND~\n', '')
        .replace('VID*', 'N9*8X*IN_BOND~\nVID*')
        .replace(/SE\*\d+/, (found) => `SE*${Number(found.slice(3)) + 1}`),
      /N9 .*: it may not stand here/,
    ],
    [
      'how often',
      changed(manifest, 'VEH*1', `${'VEH*9~\n'.repeat(9)}VEH*1`),
      /VEH: there are 11, and at most 10 may be/,
    ],
    [
      'a segment of another transaction',
      changed(consist, 'MBL*', 'N10*'),
      /N10 .*: the transaction has no such segment/,
    ],
    ['an element too many', changed(manifest, 'LX*1', 'LX*1*2'), /LX02: there is no such element/],
    [
      'an element that is not in use',
      changed(manifest, 'N9*8X*IN_BOND', 'N9*8X*IN_BOND').replace('VID*TW**R-2210', 'VID*TW**R-2210*1234'),
      /VID04: it is not in use/,
    ],
    ['too short', changed(manifest, 'H3C 1J5', 'H3'), /N403: "H3" has 2 characters, not 3 to 15/],
    ['a code', changed(manifest, 'NM1*D1', 'NM1*DR'), /NM101: "DR" is none of D1/],
    ['a number', changed(manifest, 'N10*1*', 'N10*one*'), /N1001: "one" is no R/],
    ['a day', changed(manifest, '*20991118*', '*20991318*'), /P402: "20991318" is no day/],
    ['a time', changed(manifest, '**1530', '**1575'), /P405: "1575" is no time/],
    ['blanks at an end', changed(manifest, 'Ortiz*Sam', 'Ortiz *Sam'), /NM103: "Ortiz " has blanks at an end/],
    ['empty elements at an end', changed(manifest, 'LX*1', 'LX*1*'), /LX .*: empty elements stand at its end/],
    ['the group', manifest.replace('GS*AQ', 'GS*BD'), /GS01: a 309 is in a group AQ, not BD/],
    ['the release', manifest.replaceAll('005020', '004010'), /there is no grammar of 309 in release 004010/],
    [
      'the verdict of a 997',
      fromCustoms([{ code: '997', segments: ['AK1*AQ*1', 'AK2*309*0001', 'AK9*A*1*1*1'] }]),
      /AK5: it is missing before AK9/,
    ],
    [
      'the end of a 355',
      changed(fromCustoms([decisionOn('CSCDTRIP1')]), 'K3*END OF MESSAGE~\n', ''),
      /K3: it is missing/,
    ],
    [
      'the carrier of a status',
      changed(fromCustoms([statusOf('CSCDTRIP1', 'CSCD1')]), '**CSCD', ''),
      /X409: it is missing/,
    ],
    ['the amount of an invoice', changed(interchange([truckload()]), '*174950**', '***'), /B307: it is missing/],
  ]
  for (const [rule, text, fault] of cases)
    test(`catches: ${rule}`, () => {
      assert.match(faultsOf(text).join('\n'), fault)
    })
})
