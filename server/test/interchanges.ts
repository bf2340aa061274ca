/** EDI 210 as carriers send it, for tests. */

type Envelope = { sender?: string; control?: string; date?: string; separator?: string; terminator?: string }

/** An interchange around transactions, each given as its segments between ST and SE, with `*` between elements. */
export function interchange(transactions: readonly (readonly string[])[], envelope: Envelope = {}): string {
  const { sender = 'CSCD', control = '000000123', date = '261115', separator = '*', terminator = '~\n' } = envelope
  const sets = transactions.flatMap((segments, index) => {
    const number = String(index + 1).padStart(4, '0')
    return [`ST*210*${number}`, ...segments, `SE*${segments.length + 2}*${number}`]
  })
  return [
    `ISA*00*          *00*          *02*${sender.padEnd(15)}*ZZ*BLUERIDGE      *${date}*0930*U*00401*${control}*0*P*>`,
    `GS*IM*${sender}*BLUERIDGE*20${date}*0930*7*X*004010`,
    ...sets,
    `GE*${transactions.length}*7`,
    `IEA*1*${control}`,
  ]
    .map((segment) => `${segment.replaceAll('*', separator)}${terminator}`)
    .join('')
}

/** A truckload with line haul by the mile, fuel, detention and a stop, as large carriers write it. */
export const truckload = (number = 'INV-20417', load = 'TRIP-5521'): string[] => [
  `B3*B*${number}*${load}*PP*L*20261115*174950**20261112*035*CSCD*20261115`,
  'C3*USD',
  'N9*BM*88123001',
  'N9*PO*PO-7781',
  'N9*CN*PRO554433',
  'G62*86*20261110',
  'R3*CSCD*B**M',
  'N1*SH*Acme Foods*25*ACME01',
  'N3*100 Depot Way',
  'N4*Portland*OR*97201*US',
  'N1*CN*Boise Market*25*BOI01',
  'N1*BT*Blue Ridge Logistics*25*BLUERIDGE',
  'N7**T4471*********TL',
  'LX*1',
  'L5*1*Frozen foods*73*N*PLT*22',
  'L0*1*432*DM*38400*G***22*PLT',
  'L1*1*2.5*PM*108000',
  'LX*2',
  'L1*2***28000****405****Fuel surcharge',
  'LX*3',
  'L1*3*75*PH*30000****DTL****Detention at shipper',
  'LX*4',
  'L1*4***8950****SOC',
  'L3*38400*G***174950******22',
]

/** A Canadian carrier: special charges without words, under the goods that they are for, and the taxes on all of it. */
export const taxed = (number = 'CA-771'): string[] => [
  `B3**${number}*TRIP-5521*PP**20261115*128870****CSCD`,
  'C3*CAD',
  'LX*1',
  'L5*1*Frozen foods',
  'L1*1***100000****400',
  'L1*1***12000****ENS',
  'LX*2',
  'L1*2***5600****GST',
  'L1*3***11270****QST****Quebec sales tax',
]

/** A small carrier: one amount, no lines, no currency, a date of six digits. */
export const bare = (number = '9931'): string[] => [`B3**${number}**CC**261114*45000****HPLT`, 'N9*LO*TRIP-5530']

/** A credit: a negative charge, in Canadian dollars, with the point written. */
export const credit = (): string[] => [
  'B3**CR-17*TRIP-5521*PP**20261116*-80.00*CO***CSCD',
  'C3*CAD',
  'LX*1',
  'L1*1***-80.00****400',
]
