/**
 * The grammars of the transactions that are written and read here: which segments stand in which order and how often, and what their elements are like. The
 * base is the release that is named; where customs asks for something else that is said. Of code lists it has those codes that are in use here.
 */

/** An element: `AN 1-30`, `ID! 2-4` where it is required, `ID 1 = K L` with its codes, `-` where it is not in use. `notes` are the relations of elements. */
export type Elements = { elements: readonly string[]; notes?: string }
export type Place = { tag: string; least: number; most: number; loop?: readonly Place[] }
export type Grammar = {
  set: string
  group: string
  version: string
  order: readonly Place[]
  segments: Record<string, Elements>
}

const once = (tag: string): Place => ({ tag, least: 1, most: 1 })
const upTo = (most: number, tag: string, loop?: readonly Place[]): Place => ({
  tag,
  least: 0,
  most,
  ...(loop && { loop }),
})
const some = (most: number, tag: string, loop: readonly Place[]): Place => ({ tag, least: 1, most, loop })
const unused = (count: number): string[] => Array(count).fill('-')

const equipment = 'CH CN FT SD TF TL TR TV TW'

const M10: Elements = {
  elements: [
    ...[
      'ID! 2-4',
      'ID! 1-2 = J',
      'ID! 2-3 = US CA',
      'ID 1-8',
      'AN 2-28',
      'AN 2-10',
      'AN 1-50',
      'R 1-15',
      'ID 1',
      'ID 1',
      'ID 1',
      'AN 1-50',
    ],
    ...['ID 2 = 00 01 04', '-', '-', '-', '-'],
  ],
  notes: 'P0410 R0405 P1516',
}
const P4: Elements = { elements: ['AN! 1-30', 'DT! 8', 'R 1-15', 'AN 1-30', 'TM 4-8', 'DT 8', 'TM 4-8'] }
const LX: Elements = { elements: ['N! 1-6'] }
const M13: Elements = {
  elements: [
    'ID! 2-4',
    'AN! 1-30',
    'ID 1 = A D R',
    'AN! 1-25',
    'R 1-15',
    'ID 2',
    'ID 1-2',
    'AN 1-25',
    'ID! 2-4',
    'ID 2-4',
    'ID 1-2',
    'AN 2-80',
  ],
  notes: 'P0810 P1112',
}
const M11: Elements = {
  elements: [
    ...[
      'AN! 1-25',
      'AN! 1-30',
      'R 1-15',
      'ID 1-3',
      'R 1-10',
      'ID 1 = K L',
      'R 1-8',
      'ID 1',
      'ID 2',
      'AN 1-17',
      'AN 1-25',
      'ID! 2-4',
    ],
    ...unused(12),
    // Not in the base: customs of the United States wants the kind of the code in 02 here.
    'ID 2 = K',
  ],
  notes: 'P0304 P0506 P0708 P1113',
}
const N9: Elements = {
  elements: ['ID! 2-3 = 8X TN', 'AN 1-50', 'AN 1-45', 'DT 8', 'TM 4-8', 'ID 2'],
  notes: 'R0203 C0605',
}
const N1: Elements = { elements: ['ID! 2-3 = SH CN CB BT', 'AN 1-60', 'ID 1-2', 'AN 2-80'], notes: 'R0203 P0304' }
const N3: Elements = { elements: ['AN! 1-55', 'AN 1-55'] }
const N4: Elements = {
  elements: ['AN 2-30', 'ID 2', 'ID 3-15', 'ID 2-3', 'ID 1-2', 'AN 1-30', 'ID 1-3'],
  notes: 'E0207 C0605 C0704',
}
const M7: Elements = { elements: ['AN! 2-15', 'AN 2-15', 'AN 2-15', 'AN 2-15', 'ID 2-3'] }
const VID: Elements = {
  elements: [
    `ID! 2 = ${equipment}`,
    'AN 1-4',
    'AN! 1-15',
    ...unused(6),
    'ID 1 = E L',
    ...unused(3),
    'AN 1-50',
    'ID 2',
    'ID 2-3',
    'AN 1-50',
  ],
  notes: 'P1415 C1615',
}
const MBL: Elements = { elements: ['ID! 2-4', 'AN! 1-25', 'ID 1-2', 'ID 1', 'ID 2', 'N 1-7'] }

const conveyance: Record<string, Elements> = {
  M10,
  VEH: {
    elements: [
      ...[
        'N 1-6',
        'AN 1-30',
        'N 4',
        'ID 2',
        'AN 1-50',
        'AN 1-50',
        'AN 1-50',
        'R 1-8',
        'AN 1-50',
        'ID 2',
        ...unused(6),
        'ID 2-3',
        'AN 1-60',
        'ID 2-3',
      ],
      ...[`ID 2 = ${equipment}`, 'AN 1-50'],
    ],
    notes: 'L040507 C0504 C0704 P1819 L200221',
  },
  NM1: {
    elements: ['ID! 2-3 = D1', 'ID! 1 = 1', 'AN 1-60', 'AN 1-35', 'AN 1-25', 'AN 1-10', 'AN 1-10', 'ID 1-2', 'AN 2-80'],
    notes: 'P0809',
  },
  DMG: { elements: ['ID 2-3 = D8', 'AN 1-35', 'ID 1 = F M U', 'ID 1', '-', 'ID 1-2', 'ID 2-3'], notes: 'P0102' },
  REF: { elements: ['ID! 2-3 = 5J ACU ACW ZZ', 'AN 1-50', 'AN 1-80'], notes: 'R0203' },
  P4,
  VID,
  M7,
}
const conveyanceOrder: readonly Place[] = [
  once('M10'),
  upTo(10, 'VEH'),
  upTo(999, 'NM1', [upTo(1, 'DMG'), upTo(10, 'REF'), upTo(2, 'N3'), upTo(1, 'N4')]),
]

const manifest: Grammar = {
  ...{ set: '309', group: 'AQ', version: '00502' },
  order: [
    ...conveyanceOrder,
    some(20, 'P4', [
      some(9999, 'LX', [
        ...[
          upTo(1, 'M13'),
          upTo(1, 'M11'),
          upTo(999, 'N9'),
          upTo(20, 'N1', [upTo(2, 'N3'), upTo(1, 'N4'), upTo(1, 'PER')]),
          upTo(1, 'M12'),
        ],
        upTo(999, 'VID', [upTo(5, 'M7'), upTo(999, 'N10', [upTo(99, 'H1')])]),
      ]),
    ]),
  ],
  segments: {
    ...{ ...conveyance, LX, M13, M11, N9, N1, N3, N4 },
    M12: {
      elements: [
        'ID! 2 = 61 62 63',
        'AN 1-15',
        'AN 1-30',
        'AN 1-30',
        'AN 2-8',
        'AN 1-25',
        'ID 2-4',
        'ID 2-3',
        'AN 1-50',
      ],
      notes: 'E0206 C0608 P0809',
    },
    N10: {
      elements: [
        'R 1-15',
        'AN 1-45',
        'AN 1-48',
        'ID 1 = A J',
        'AN 1-30',
        'AN 2-8',
        'ID 1 = K L',
        'R 1-10',
        'AN 1-50',
        'ID 1-3',
        'ID 2-3',
        'ID 2-3',
        'ID 3',
      ],
      notes: 'P0405 P0613 P0708',
    },
    H1: { elements: ['AN! 4-10', 'AN 1-4', 'ID 1', 'AN 2-30'] },
  },
}

const consist: Grammar = {
  ...{ set: '358', group: 'BD', version: '00502' },
  order: [
    ...conveyanceOrder,
    some(20, 'P4', [upTo(9999, 'VID', [upTo(5, 'M7'), upTo(9999, 'MBL', [upTo(1, 'M13')])])]),
  ],
  segments: { ...conveyance, MBL, M13 },
}

const remarks = upTo(10, 'K1')
const K1: Elements = { elements: ['AN! 1-30', 'AN 1-30'] }
/** As customs answers it. The remarks may stand behind each segment. */
const decision: Grammar = {
  ...{ set: '355', group: 'AZ', version: '00502' },
  order: [
    ...[once('M10'), remarks],
    some(20, 'P4', [
      remarks,
      upTo(9999, 'LX', [
        ...[upTo(1, 'M13', [remarks]), upTo(1, 'M11', [remarks]), upTo(999, 'N9', [remarks])],
        ...[
          upTo(5, 'N1', [remarks, upTo(2, 'N3', [remarks]), upTo(1, 'N4', [remarks])]),
          upTo(999, 'VID', [remarks, upTo(9999, 'MBL', [remarks])]),
        ],
      ]),
    ]),
    once('K3'),
  ],
  segments: { M10, P4, LX, M13, M11, N9, N1, N3, N4, VID, MBL, K1, K3: { elements: ['AN! 1-80', 'ID 1-2'] } },
}

const status: Grammar = {
  ...{ set: '350', group: 'AU', version: '00502' },
  order: [
    upTo(1, 'M10'),
    upTo(20, 'P4', [
      upTo(20, 'V9'),
      upTo(9999, 'VID'),
      upTo(4, 'K1'),
      upTo(9999, 'X4', [upTo(4, 'K1'), upTo(999, 'N9')]),
    ]),
  ],
  segments: {
    ...{ M10, P4, VID, K1, N9 },
    V9: { elements: ['ID! 3', 'AN 1-25', 'DT 8', 'TM 4-8', 'AN 2-30', 'ID 2', 'ID 2-3'], notes: 'C0605' },
    X4: {
      elements: ['AN 1-25', 'R 1-15', 'ID 2', 'AN 1-15', 'DT! 8', 'TM 4-8', 'ID! 2', 'AN 1-25', 'ID! 2-4', 'ID 2-4'],
      notes: 'P0304 P0810',
    },
  },
}

const codes = (count: number) => Array(count).fill('ID 1-3')
const acknowledgement = (version: string): Grammar => ({
  ...{ set: '997', group: 'FA', version },
  order: [
    once('AK1'),
    upTo(Number.POSITIVE_INFINITY, 'AK2', [upTo(Number.POSITIVE_INFINITY, 'AK3', [upTo(99, 'AK4')]), once('AK5')]),
    once('AK9'),
  ],
  segments: {
    AK1: { elements: ['ID! 2', 'N! 1-9', ...(version === '00502' ? ['AN 1-12'] : [])] },
    AK2: { elements: ['ID! 3', 'AN! 4-9', ...(version === '00502' ? ['AN 1-35'] : [])] },
    AK3: { elements: ['ID! 2-3', 'N! 1-6', 'AN 1-6', 'ID 1-3 = 1 2 3 4 5 6 7 8'] },
    AK4: { elements: ['AN! 1-2', 'N 1-4', 'ID! 1-3 = 1 2 3 4 5 6 7 8 9 10', 'AN 1-99'] },
    AK5: { elements: ['ID! 1 = A E M P R W X', ...codes(5)] },
    AK9: { elements: ['ID! 1 = A E M P R W X', 'N! 1-6', 'N! 1-6', 'N! 1-6', ...codes(5)] },
  },
})

const address = [upTo(1, 'N2'), upTo(2, 'N3'), upTo(1, 'N4'), upTo(5, 'N9')]
/** Motor carrier freight details and invoice, as far as it is read. */
const freightInvoice: Grammar = {
  ...{ set: '210', group: 'IM', version: '00401' },
  order: [
    ...[
      once('B3'),
      upTo(1, 'C3'),
      upTo(300, 'N9'),
      upTo(6, 'G62'),
      upTo(12, 'R3'),
      upTo(10, 'K1'),
      upTo(10, 'N1', address),
      upTo(10, 'N7', [upTo(2, 'M7')]),
    ],
    upTo(9999, 'LX', [upTo(5, 'N9'), upTo(30, 'L5'), upTo(10, 'L0'), upTo(10, 'L1'), upTo(10, 'K1')]),
    upTo(1, 'L3'),
  ],
  segments: {
    ...{ LX, N1, N3, N4, M7, K1 },
    N2: { elements: ['AN! 1-60', 'AN 1-60'] },
    N9: { elements: ['ID! 2-3', 'AN 1-30', 'AN 1-45', 'DT 8', 'TM 4-8', 'ID 2'], notes: 'R0203 C0605' },
    B3: {
      elements: [
        'ID 1',
        'AN! 1-22',
        'AN 1-30',
        'ID! 2',
        'ID 1',
        'DT! 8',
        'N! 1-12',
        'ID 2',
        'DT 8',
        'ID 3',
        'ID! 2-4',
        'DT 8',
        'ID 2',
        'ID 3',
      ],
      notes: 'P0910',
    },
    C3: { elements: ['ID! 3', 'R 4-10', 'ID 3', 'ID 3'] },
    G62: { elements: ['ID 2', 'DT 8', 'ID 1-2', 'TM 4-8', 'ID 2'], notes: 'R0103 P0102 P0304' },
    R3: { elements: ['ID! 2-4', 'ID! 1-2', 'AN 2-30', 'ID 1-2', 'ID 6-9', 'AN 1-22', 'DT 8', 'N 1-15', 'AN 1-45'] },
    N7: { elements: ['AN 1-4', 'AN! 1-10', 'R 1-10', 'ID 1-2', ...unused(6), 'ID 2', 'ID 2-4'], notes: 'P0304' },
    L5: {
      elements: ['N 1-3', 'AN 1-50', 'AN 1-30', 'ID 1', 'AN 3-5', 'AN 1-48', 'ID 1-2', 'ID 1', 'AN 1-30', 'ID 1'],
      notes: 'P0304 C0706 P0809',
    },
    L0: {
      elements: [
        'N 1-3',
        'R 1-11',
        'ID 2',
        'R 1-10',
        'ID 1-2',
        'R 1-8',
        'ID 1',
        'N 1-7',
        'ID 3',
        'AN 2-25',
        'ID 1',
        'ID 2',
      ],
      notes: 'P0203 P0405 P0607 P0809 C1104',
    },
    L1: {
      elements: [
        ...[
          'N 1-3',
          'R 1-9',
          'ID 2',
          'N 1-12',
          'N 1-9',
          'N 1-9',
          'AN 3-9',
          'ID 3',
          'ID 1-3',
          'ID 1',
          'ID 1',
          'AN 2-25',
          'ID 1',
          'N 2-12',
          'ID 2',
        ],
        ...['ID 1', 'R 1-11', 'ID 2', 'R 1-10', 'ID 3', 'N 1-15'],
      ],
      notes: 'P0203 R040506 P1415 P1718',
    },
    L3: {
      elements: [
        'R 1-10',
        'ID 1-2',
        'R 1-9',
        'ID 2',
        'N 1-12',
        'N 1-9',
        'N 1-9',
        'ID 3',
        'R 1-8',
        'ID 1',
        'N 1-7',
        'ID 1',
        'AN 1-7',
      ],
      notes: 'P0102 P0304 P0910 C1201',
    },
  },
}

export const grammars: readonly Grammar[] = [
  manifest,
  consist,
  decision,
  status,
  acknowledgement('00401'),
  acknowledgement('00502'),
  freightInvoice,
]
