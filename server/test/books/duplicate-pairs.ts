/**
 * The labelled pairs of invoices that duplicates are measured with: 40 written by hand, 460 made by rule with a fixed seed. The file next to this one is
 * what it makes; `node server/test/books/duplicate-pairs.ts > server/test/books/duplicate-pairs.json` writes it anew. The rules say how invoices come twice,
 * and how different ones look alike; they know nothing of how bills are compared.
 */
import type { ComparedInvoice } from '../../src/books/bills/duplicates/model.ts'

export type Pair = { sort: string; isDuplicate: boolean; one: ComparedInvoice; other: ComparedInvoice }

export function makePairs(): Pair[] {
  const random = randomFrom(20261116)
  const made = sorts.flatMap(({ sort, isDuplicate, count, make }) =>
    Array.from({ length: count }, () => pairOf(sort, isDuplicate, random, make)),
  )
  return [...byHand, ...made]
}

type Random = { int(least: number, most: number): number; pick<T>(list: readonly T[]): T; id(): string }
type Make = (one: ComparedInvoice, random: Random) => Partial<ComparedInvoice> & { first?: Partial<ComparedInvoice> }
type Sort = { sort: string; isDuplicate: boolean; count: number; make: Make }

const carriers = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(
  (letter) => `01900000-0000-7000-8000-00000000000${'abcdefgh'.indexOf(letter)}`,
)
const factor = '01900000-0000-7000-8000-0000000000ff'
const styles: ((n: number) => string)[] = [
  (n) => `INV-${n}`,
  (n) => `${n}`,
  (n) => `INV00${n}`,
  (n) => `F${n}`,
  (n) => `2026-${n}`,
  (n) => `PRO ${n}`,
  (n) => `${n}-BL`,
  (n) => `CT/${n}/26`,
]

const sorts: readonly Sort[] = [
  {
    sort: 'typed in another form',
    isDuplicate: true,
    count: 55,
    make: (one, r) => ({ reference_number: otherForm(one, r), bill_date: later(one, r.int(0, 20)) }),
  },
  {
    sort: 'with and without "invoice"',
    isDuplicate: true,
    count: 20,
    make: (one, r) => {
      const number = String(r.int(10_000, 999_999))
      return {
        first: { reference_number: r.pick(['INV', 'Invoice #', 'INV-', 'No. ']) + number },
        reference_number: number,
        bill_date: later(one, r.int(0, 9)),
      }
    },
  },
  {
    sort: 'a slip of a key',
    isDuplicate: true,
    count: 50,
    make: (one, r) => ({
      reference_number: slip(one.reference_number as string, r),
      bill_date: later(one, r.int(0, 12)),
      manifest_ids: r.pick([[], [], one.manifest_ids]),
    }),
  },
  {
    sort: 'the same number from a factoring company',
    isDuplicate: true,
    count: 30,
    make: (one, r) => ({
      partner_carrier_id: factor,
      bill_date: later(one, r.int(0, 30)),
      manifest_ids: r.pick([[], one.manifest_ids]),
    }),
  },
  {
    sort: 'the same load from a factoring company by its own number',
    isDuplicate: true,
    count: 15,
    make: (one, r) => ({
      partner_carrier_id: factor,
      reference_number: `RTS${r.int(100_000, 999_999)}`,
      bill_date: later(one, r.int(1, 20)),
      ...withLoad(one, r),
    }),
  },
  {
    sort: 'made from the manifest, then entered from the paper',
    isDuplicate: true,
    count: 25,
    make: (one, r) => ({ reference_number: null, bill_date: later(one, r.int(0, 15)), ...withLoad(one, r) }),
  },
  {
    sort: 'sent again with a corrected amount',
    isDuplicate: true,
    count: 20,
    make: (one, r) => ({
      total_amount: Math.round(one.total_amount * (1 + r.int(5, 150) / 1000)),
      bill_date: later(one, r.int(1, 30)),
    }),
  },
  {
    sort: 'sent again, marked as revised',
    isDuplicate: true,
    count: 15,
    make: (one, r) => {
      const number = `${r.int(10_000, 99_999)}`
      return {
        first: { reference_number: number },
        reference_number: `${number}${r.pick(['R', '-R1', ' C', 'B'])}`,
        bill_date: later(one, r.int(2, 40)),
      }
    },
  },
  {
    sort: 'next numbers of one lane',
    isDuplicate: false,
    count: 60,
    make: (_, r) => {
      const n = r.int(10_000, 99_900)
      const style = r.pick(styles)
      return {
        first: { reference_number: style(n) },
        reference_number: style(n + r.int(1, 12)),
        ...r.pick([{ manifest_ids: [] }, otherLoad(r)]),
      }
    },
  },
  {
    sort: 'the same amount on another day',
    isDuplicate: false,
    count: 35,
    make: (one, r) => ({
      reference_number: r.pick(styles)(r.int(10_000, 99_999)),
      bill_date: later(one, r.int(0, 14)),
      ...r.pick([{ manifest_ids: [] }, otherLoad(r)]),
    }),
  },
  {
    sort: 'the same number of another carrier',
    isDuplicate: false,
    count: 30,
    make: (one, r) => ({
      partner_carrier_id: otherCarrier(one, r),
      total_amount: r.int(300, 9000) * 100,
      bill_date: later(one, r.int(0, 300)),
      ...otherLoad(r),
    }),
  },
  {
    sort: 'an invoice in parts',
    isDuplicate: false,
    count: 35,
    make: (one, r) => {
      const n = r.int(10_000, 99_999)
      const [a, b] = r.pick([
        ['A', 'B'],
        ['-1', '-2'],
        ['/1', '/2'],
        ['-A', '-C'],
      ] as const)
      const half = r.int(0, 9) === 0
      return {
        first: { reference_number: `${n}${a}` },
        reference_number: `${n}${b}`,
        ...withLoad(one, r),
        ...(half ? {} : { total_amount: r.int(50, 900) * 100 }),
      }
    },
  },
  {
    sort: 'detention billed after the haul',
    isDuplicate: false,
    count: 25,
    make: (one, r) => ({
      reference_number: r.pick(styles)(r.int(10_000, 99_999)),
      total_amount: r.int(50, 400) * 100,
      bill_date: later(one, r.int(3, 30)),
      ...withLoad(one, r),
    }),
  },
  {
    sort: 'the same number in the next year',
    isDuplicate: false,
    count: 20,
    make: (one, r) => ({
      total_amount: r.int(300, 9000) * 100 + 7,
      bill_date: later(one, r.int(330, 700)),
      ...r.pick([{ manifest_ids: [] }, otherLoad(r)]),
    }),
  },
  {
    sort: 'a number that looks like another',
    isDuplicate: false,
    count: 25,
    make: (one, r) => ({
      reference_number: slip(one.reference_number as string, r),
      total_amount: r.int(300, 9000) * 100 + 3,
      bill_date: later(one, r.int(0, 60)),
      manifest_ids: [],
    }),
  },
]

function pairOf(sort: string, isDuplicate: boolean, random: Random, make: Make): Pair {
  const base: ComparedInvoice = {
    partner_carrier_id: random.pick(carriers),
    reference_number: random.pick(styles)(random.int(10_000, 999_999)),
    currency_id: random.pick(['usd', 'usd', 'cad']),
    total_amount: random.int(300, 9000) * 100 + random.pick([0, 0, 50, 25]),
    bill_date: new Date(Date.UTC(2026, random.int(0, 9), random.int(1, 28))).toISOString(),
    manifest_ids: random.pick([[], [random.id()]]),
  }
  const { first = {}, ...change } = make(base, random)
  const one = { ...base, ...first }
  const other = { ...one, manifest_ids: random.pick([one.manifest_ids, []]), ...change }
  // Both have the load that the rule is about.
  const isOfOneLoad =
    change.manifest_ids &&
    change.manifest_ids.length > 0 &&
    base.manifest_ids.length === 0 &&
    /load|manifest|parts|detention/.test(sort)
  return {
    sort,
    isDuplicate,
    one: isOfOneLoad ? { ...one, manifest_ids: change.manifest_ids as string[] } : one,
    other,
  }
}

function withLoad(one: ComparedInvoice, random: Random): Pick<ComparedInvoice, 'manifest_ids'> {
  return { manifest_ids: one.manifest_ids.length > 0 ? one.manifest_ids : [random.id()] }
}

function otherLoad(random: Random): Pick<ComparedInvoice, 'manifest_ids'> {
  return { manifest_ids: [random.id()] }
}

function otherCarrier({ partner_carrier_id }: ComparedInvoice, random: Random): string {
  return random.pick(carriers.filter((id) => id !== partner_carrier_id))
}

function later({ bill_date }: ComparedInvoice, days: number): string {
  return new Date(Date.parse(bill_date as string) + days * 86_400_000).toISOString()
}

function otherForm({ reference_number }: ComparedInvoice, random: Random): string {
  const number = reference_number as string
  const forms: ((text: string) => string)[] = [
    (text) => text.toLowerCase(),
    (text) => text.replaceAll('0', 'O'),
    (text) => text.replaceAll('1', random.pick(['I', 'l'])),
    (text) => text.replace(/([0-9]+)/, '00$1'),
    (text) => text.replace(/[-/ ]/g, ''),
    (text) => text.split('').join(random.pick(['', ' '])),
    (text) => `  ${text}.`,
    (text) => text.replace(/[-/ ]/g, random.pick([' ', '_', '.'])),
  ]
  return random.pick(forms)(random.pick(forms)(number))
}

/** One character wrong, missing or twice, two swapped, or a digit read as the letter that looks like it. */
function slip(number: string, random: Random): string {
  const places = [...number].flatMap((character, index) => (/[0-9]/.test(character) ? [index] : []))
  const at = random.pick(places)
  const digit = number[at] as string
  const next = number[at + 1]
  const read: Record<string, string> = { 5: 'S', 8: 'B', 2: 'Z', 6: 'G', 0: 'D' }
  const slips = [
    number.slice(0, at) + String((Number(digit) + random.int(1, 9)) % 10) + number.slice(at + 1),
    number.slice(0, at) + number.slice(at + 1),
    number.slice(0, at) + digit + digit + number.slice(at + 1),
    number.slice(0, at) + (read[digit] ?? digit + digit) + number.slice(at + 1),
    ...(next && /[0-9]/.test(next) && next !== digit
      ? [number.slice(0, at) + next + digit + number.slice(at + 2)]
      : []),
  ]
  return random.pick(slips)
}

const [hauler, other] = carriers as [string, string]
const load = '01911111-0000-7000-8000-000000000001'
const load2 = '01911111-0000-7000-8000-000000000002'
const bill = (
  reference_number: string | null,
  dollars: number,
  day: string,
  more: Partial<ComparedInvoice> = {},
): ComparedInvoice => ({
  ...{
    partner_carrier_id: hauler,
    reference_number,
    currency_id: 'usd',
    total_amount: Math.round(dollars * 100),
    bill_date: `${day}T00:00:00.000Z`,
  },
  ...{ manifest_ids: [], ...more },
})
const pair = (isDuplicate: boolean, one: ComparedInvoice, another: ComparedInvoice): Pair => ({
  sort: 'by hand',
  isDuplicate,
  one,
  other: another,
})

const byHand: readonly Pair[] = [
  pair(true, bill('INV-20417', 1850, '2026-11-02'), bill('inv 20417', 1850, '2026-11-02')),
  pair(true, bill('INV-20417', 1850, '2026-11-02'), bill('INV-2O417', 1850, '2026-11-09')),
  pair(true, bill('000881', 920.5, '2026-10-01'), bill('881', 920.5, '2026-10-01')),
  pair(true, bill('Invoice No 55102', 640, '2026-10-12'), bill('55102', 640, '2026-10-14')),
  pair(true, bill('INV-10442', 2400, '2026-09-30'), bill('INV-10424', 2400, '2026-09-30')),
  pair(true, bill('TX-77120', 1125, '2026-08-03'), bill('TX-7712O', 1125, '2026-08-20')),
  pair(
    true,
    bill('B4471', 3300, '2026-07-01', { manifest_ids: [load] }),
    bill(null, 3300, '2026-06-28', { manifest_ids: [load] }),
  ),
  pair(true, bill('99812', 1500, '2026-05-05'), bill('99812', 1500, '2026-05-07', { partner_carrier_id: factor })),
  pair(
    true,
    bill('99812', 1500, '2026-05-05', { manifest_ids: [load] }),
    bill('RTS-1', 1500, '2026-05-09', { partner_carrier_id: factor, manifest_ids: [load] }),
  ),
  pair(true, bill('4471-26', 780, '2026-03-11'), bill('4471/26', 780, '2026-03-11')),
  pair(true, bill('A-1001', 980, '2026-03-11'), bill('A-1001', 1030, '2026-03-19')),
  pair(true, bill('SLT50021', 1410, '2026-02-14'), bill('5LT50021', 1410, '2026-02-15')),
  pair(true, bill('30088', 2210, '2026-01-20'), bill('300088', 2210, '2026-01-22')),
  pair(true, bill('71120', 875, '2026-01-20'), bill('71120R', 875, '2026-01-29')),
  pair(true, bill('INV#8123', 1999.99, '2026-04-01'), bill('8123', 1999.99, '2026-04-01')),
  pair(true, bill(null, 760, '2026-04-01'), bill('88120', 760, '2026-04-02')),
  pair(
    true,
    bill('7001', 415, '2026-04-01', { manifest_ids: [load] }),
    bill('7001', 415, '2026-12-20', { manifest_ids: [load] }),
  ),
  pair(true, bill('L1V-3301', 905, '2026-06-01'), bill('LIV-3301', 905, '2026-06-03')),
  pair(true, bill('66012', 1200, '2026-06-01'), bill('66012', 1200, '2026-12-15')),
  pair(true, bill('CT/5001/26', 1720, '2026-09-09'), bill('CT 5001-26', 1720, '2026-09-10')),
  pair(false, bill('20417', 1850, '2026-11-02'), bill('20418', 1850, '2026-11-02')),
  pair(
    false,
    bill('20417', 1850, '2026-11-02', { manifest_ids: [load] }),
    bill('20427', 1850, '2026-11-09', { manifest_ids: [load2] }),
  ),
  pair(
    false,
    bill('20417-A', 1500, '2026-11-02', { manifest_ids: [load] }),
    bill('20417-B', 350, '2026-11-02', { manifest_ids: [load] }),
  ),
  pair(
    false,
    bill('20417A', 900, '2026-11-02', { manifest_ids: [load] }),
    bill('20417B', 900, '2026-11-02', { manifest_ids: [load] }),
  ),
  pair(false, bill('1001', 1500, '2026-05-05'), bill('1001', 740, '2026-06-01', { partner_carrier_id: other })),
  pair(
    false,
    bill('12', 1500, '2026-01-05', { manifest_ids: [load] }),
    bill('12', 740, '2026-02-09', { manifest_ids: [load2] }),
  ),
  pair(false, bill('INV-3', 640, '2025-01-12'), bill('INV-3', 810, '2026-01-14')),
  pair(false, bill('5512', 1850, '2026-11-02'), bill('9930', 1850, '2026-11-02')),
  pair(false, bill('5512', 1850, '2026-11-02'), bill('9930', 1850, '2026-11-03', { manifest_ids: [load] })),
  pair(
    false,
    bill('88120', 1500, '2026-04-02', { manifest_ids: [load] }),
    bill('88544', 225, '2026-04-20', { manifest_ids: [load] }),
  ),
  pair(
    false,
    bill('88120', 1500, '2026-04-02'),
    bill('88120', 1500, '2026-04-02', { partner_carrier_id: other, manifest_ids: [load], currency_id: 'cad' }),
  ),
  pair(false, bill('12345', 1500, '2026-04-02'), bill('12354', 610, '2026-04-12')),
  pair(
    false,
    bill('12345', 1500, '2026-04-02', { manifest_ids: [load] }),
    bill('12354', 1500, '2026-04-12', { manifest_ids: [load2] }),
  ),
  pair(false, bill('P-9', 300, '2026-04-02'), bill('P-8', 300, '2026-04-09')),
  pair(false, bill('JAN-01', 300, '2026-01-31'), bill('FEB-01', 300, '2026-02-28')),
  pair(false, bill('W40', 1250, '2026-10-02'), bill('W41', 1250, '2026-10-09')),
  pair(false, bill('2026-10-LEASE', 2100, '2026-10-01'), bill('2026-11-LEASE', 2100, '2026-11-01')),
  pair(
    false,
    bill(null, 300, '2026-01-31', { manifest_ids: [load] }),
    bill(null, 300, '2026-01-31', { manifest_ids: [load2] }),
  ),
  pair(false, bill(null, 450, '2026-01-03'), bill('8812', 450, '2026-02-20')),
  pair(false, bill('70011', 1500, '2026-05-05'), bill('80011', 2210, '2026-05-06')),
]

/** A linear congruential generator: the same numbers on every machine. */
function randomFrom(seed: number): Random {
  let state = BigInt(seed)
  const next = () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn
    return Number(state >> 33n)
  }
  const int = (least: number, most: number) => least + (next() % (most - least + 1))
  let made = 0
  return {
    int,
    pick: (list) => list[int(0, list.length - 1)] as never,
    id: () => {
      made += 1
      return `01922222-0000-7000-8000-${String(made).padStart(12, '0')}`
    },
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  process.stdout.write(
    `[\n${makePairs()
      .map((one) => JSON.stringify(one))
      .join(',\n')}\n]\n`,
  )
