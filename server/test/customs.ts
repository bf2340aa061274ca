/** E-manifests and what customs answers, for tests. */

type Json = Record<string, unknown>

/** Far enough ahead that no test is ever late for it. */
export const crossingAt = '2099-11-18T15:30:00.000Z'

export const shipper = {
  ...{
    name: 'Légumes du Nord',
    address_1: '1200 Rue Notre-Dame',
    city: 'Montréal',
    state: 'QC',
    postal: 'H3C 1J5',
    country: 'CA',
  },
}
export const consignee = {
  name: 'Northside Grocers',
  address_1: '410 Pine St',
  city: 'Seattle',
  state: 'WA',
  postal: '98101',
  country: 'US',
}

export const shipment = (control_number: string, more: Json = {}): Json => ({
  ...{ control_number, type: 'paps', loading_port: '12345', shipper, consignee },
  commodities: [{ description: 'Frozen vegetables', quantity: 22, unit: 'PLT', weight: 18400, weight_unit: 'kg' }],
  ...more,
})

/** All that customs asks for. */
export const complete = (trip_number: string, more: Json = {}): Json => ({
  ...{ carrier_code: 'CSCD', trip_number, port: '3004', crossing_at: crossingAt },
  driver: {
    ...{ first_name: 'Sam', last_name: 'Ortiz', date_of_birth: '1984-03-11', gender: 'M', citizenship: 'CA' },
    documents: [{ type: 'passport', number: 'GA302922', country: 'CA' }],
  },
  tractor: { number: 'T-104', vin: '1XKWDB0X57J211825', plate: 'PA12345', plate_state: 'ON', plate_country: 'CA' },
  trailers: [
    { number: 'R-2210', kind: 'reefer', plate: 'TR998', plate_state: 'ON', plate_country: 'CA', seals: ['889122'] },
  ],
  shipments: [shipment('CSCD0099321')],
  ...more,
})

type Envelope = { control?: string; country?: 'US' | 'CA'; code?: string }

const groups: Record<string, string> = { '997': 'FA', '355': 'AZ', '350': 'AU' }

/** An interchange of customs around transactions of one kind, each given as its code and its segments. */
export function fromCustoms(
  transactions: readonly { code: string; segments: readonly string[] }[],
  { control = '000000501', country = 'US', code = groups[transactions[0]?.code ?? ''] ?? 'FA' }: Envelope = {},
): string {
  const sender = country === 'US' ? 'USCBP' : 'CBSA'
  const sets = transactions.flatMap(({ code, segments }, index) => {
    const number = String(index + 1).padStart(4, '0')
    return [`ST*${code}*${number}`, ...segments, `SE*${segments.length + 2}*${number}`]
  })
  return [
    `ISA*00*          *00*          *ZZ*${sender.padEnd(15)}*02*CSCD           *261118*1405*^*00502*${control}*0*P*>`,
    `GS*${code}*${sender}*CSCD*20261118*1405*${Number(control)}*X*005020`,
    ...sets,
    `GE*${transactions.length}*${Number(control)}`,
    `IEA*1*${control}`,
  ]
    .map((segment) => `${segment}~\n`)
    .join('')
}

/** The syntax of the interchange with this control number was accepted, or rejected. */
export const syntaxOf = (control: string, verdict: 'A' | 'R' = 'A') => ({
  code: '997',
  segments: [
    `AK1*AQ*${Number(control)}`,
    'AK2*309*0001',
    ...(verdict === 'R' ? ['AK3*N4*14**8', 'AK4*2**7*ZZ'] : []),
    `AK5*${verdict}`,
    `AK9*${verdict}*1*1*${verdict === 'A' ? 1 : 0}`,
  ],
})

/** Customs has decided about a trip; with remarks it rejects. */
export const decisionOn = (
  trip: string,
  { country = 'US', remarks = [] }: { country?: string; remarks?: readonly string[] } = {},
) => ({
  code: '355',
  segments: [
    `M10*CSCD*J*${country}**TRUCK T-104*${trip.slice(-10)}*${trip}`,
    'P4*3004*20991118',
    ...(remarks.length === 0 ? ['K1*ACCEPTED'] : remarks),
    'K3*END OF MESSAGE',
  ],
})

export const statusOf = (trip: string, control: string) => ({
  code: '350',
  segments: [
    `M10*CSCD*J*US**TRUCK T-104*${trip.slice(-10)}*${trip}`,
    'P4*3004*20991118',
    `X4*${control}*22*01*31612345678*20991118*1531*1C**CSCD`,
    'K1*ENTERED AND RELEASED',
  ],
})
