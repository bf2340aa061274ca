/**
 * Reads texts that double in length with every reader of what others send, and says which of them take longer than their length explains. A process of
 * its own, so that the CPU that it uses is that of the readers alone. Says what is wrong as JSON.
 */

import { partOf } from '../src/books/bills/duplicates/numbers.ts'
import { ratesInXml } from '../src/books/rates/ecb.ts'
import { normalRate } from '../src/books/rates/model.ts'
import { readAnswers } from '../src/freight/emanifests/contents/answers.ts'
import { readFreightInvoices } from '../src/payables/arrivals/reading/edi.ts'
import { readMailContent } from '../src/payables/arrivals/reading/mail-content.ts'
import { readMessage } from '../src/payables/arrivals/reading/message.ts'
import { Refusal } from '../src/platform/core/refusal.ts'
import { csvLine, readCsv } from '../src/platform/core/tables/csv.ts'
import { readTable } from '../src/platform/core/tables/csv-table.ts'
import { parseDate } from '../src/platform/core/values/dates.ts'
import { refuseInexact } from '../src/platform/core/values/json-text.ts'
import { isDecimal } from '../src/platform/core/values/ratio.ts'
import { checkedType } from '../src/platform/files/contents/content-type.ts'
import { nameIn } from '../src/platform/files/contents/file-names.ts'
import { preferredOf } from '../src/platform/http/answers/media.ts'
import { isAddress, requireAddresses } from '../src/platform/mail/addresses.ts'
import { readReport } from '../src/platform/mail/bounce-report.ts'
import { maskedJson, maskedJsonText, maskedQuery } from '../src/platform/request-log/masking.ts'
import { acknowledge } from '../src/platform/x12/acknowledgement.ts'
import { outlineX12 } from '../src/platform/x12/outline.ts'
import { segment } from '../src/platform/x12/write.ts'
import { some } from './depth.ts'

const isa = 'ISA*00*          *00*          *02*CSCD           *ZZ*BLUERIDGE      *261115*0930*U*00401*000000123*0*P*>~'
const head = `${isa}GS*IM*CSCD*BLUERIDGE*20261115*0930*123*X*004010~ST*210*0001~`
const known = { units: new Map([['usd', 2]]), currency: 'usd' }

/** Texts of a length that keep patterns busy: runs of one piece, with something before and behind it. */
const shapes = (pieces: readonly string[], { before = '', behind = '' } = {}) =>
  pieces.map((piece) => (length: number) => before + piece.repeat(Math.ceil(length / piece.length)) + behind)

const blanks = [' ', '\t', '\n', '\r\n', '\ufeff']
const html = ['<', '<a', '<!--', '<a href="', '<a b="" ', '>', '&', '&#', '</', '<?', "<a x='"]
const signs = [
  '0',
  '1',
  '-',
  '.',
  ',',
  ';',
  '=',
  '*',
  '"',
  "'",
  '@',
  '/',
  '?',
  '&',
  'a',
  'a.',
  'a@',
  '?a',
  '&a=',
  ':',
  '://',
  'eyJ',
  'eyJCJ-',
  'eyJaaaaaaaa.',
  'Bearer ',
]
const all = [...blanks, ...html, ...signs]

/** `seen` took seconds once, and is tried every time; of `texts` a part. */
type Text = (length: number) => string
type Reader = { read(text: string): unknown; texts: Text[]; seen?: Text[] }

const edi = [
  ...shapes([...all, 'ISA', ' ISA', 'ISA*', '~', '~ ', '~\n', 'ST*210*1~', 'L1*1~', 'N9*PO*1~', 'GS~'], {
    before: isa,
  }),
  ...shapes([...all, 'L1*1***100~', 'LX*1~', 'N9*PO*1~', '~'], { before: head }),
  ...shapes([...blanks, isa, `${isa}IEA*0*000000123~`, `${isa}\n`]),
]
const mailOf = (body: string, type = 'text/html') =>
  Buffer.from(`From: ar@cascade.example\r\nSubject: Invoice\r\nContent-Type: ${type}\r\n\r\n${body}`)
const sample = (text: string) => ({ head: Buffer.from(text).subarray(0, 65536), tail: Buffer.alloc(0), hasZero: false })
const words = [
  'invoice ',
  'inv ',
  'invoice # ',
  'total ',
  'amount due ',
  'load ',
  'trip #',
  'invoice date ',
  'INV-1',
  'total: $',
  '1,000.',
  'no ',
  'number ',
  'number: ',
]

const readers: Record<string, Reader> = {
  'freight invoices': { read: readFreightInvoices, texts: edi, seen: shapes([' '], { before: isa }) },
  'answers of customs': { read: readAnswers, texts: edi },
  'the outline of an interchange, and its acknowledgement': {
    read: (text) =>
      outlineX12(text)
        .slice(0, 20)
        .map((interchange) => acknowledge({ interchange, isTaken: false, faults: [], number: 1, at: new Date(0) })),
    texts: edi,
    seen: shapes([' ', ' ISA'], { before: isa, behind: 'xISA*' }),
  },
  'a written segment': { read: (text) => segment('N1', text, ''), texts: shapes(all) },
  'rates in XML': {
    read: ratesInXml,
    texts: [
      ...shapes(all),
      ...shapes(all, { before: '<Cube ', behind: '>' }),
      ...shapes(all, { before: '<Cube time="', behind: '">' }),
      ...shapes(['<a>', '<Cube/>', "<b c='>'>"]),
    ],
    seen: shapes(['<!--']),
  },
  'what a mail says': {
    read: (text) => readMailContent('', text, known),
    texts: [
      ...shapes([...all, ...words]),
      ...words.flatMap((before) => shapes([...blanks, '-', '1', '#'], { before, behind: '!' })),
    ],
    seen: shapes([' '], { before: 'invoice' }),
  },
  'the text of a mail in HTML': {
    read: (text) => readMessage(mailOf(text)),
    texts: shapes([...html, ' ', '0']),
    seen: shapes(['<']),
  },
  'a report of a mail that came back': {
    read: (text) =>
      readReport(
        mailOf(`--x\r\nContent-Type: message/delivery-status\r\n\r\n${text}\r\n--x--`, 'multipart/report; boundary=x'),
      ),
    texts: shapes(['a', ' ', 'Action:failed', ';', ':', '<', 'Action: ;']),
  },
  'records of a CSV': {
    read: (text) => Array.fromAsync(readCsv([Buffer.from(text)])),
    texts: shapes([...all, 'a,b\n', '""', '"a";', "';=", "\n'-"]),
  },
  'a table': {
    read: async (text) =>
      Array.fromAsync((await readTable([Buffer.from(text)], { read: { a: 'integer' }, ignored: [] })).rows),
    texts: [...shapes(['a,', 'a\n', ',']), ...shapes(all, { before: 'a\n"', behind: '"\n' })],
    seen: [(length) => Array.from({ length: length / 6 }, (_, index) => `c${index}`).join(',')],
  },
  'a written record': { read: (text) => csvLine([text]), texts: shapes([...all, ';=', ';"', ";'"]) },
  decimals: {
    read: (text) => isDecimal(text, 4),
    texts: shapes(all),
    seen: shapes(['0'], { before: '1.', behind: '1' }),
  },
  rates: { read: normalRate, texts: shapes(all), seen: shapes(['0'], { before: '1.', behind: '1' }) },
  dates: {
    read: (text) => parseDate(text),
    texts: [...shapes(all), ...shapes(['0'], { before: '2026-11-15T09:30:00.', behind: 'x' })],
  },
  addresses: { read: (text) => [isAddress(text), requireAddresses(text, 'to')], texts: shapes(all) },
  'numbers in JSON': {
    read: (text) => refuseInexact(text, -1),
    texts: [
      ...shapes(['0', '1'], { before: '1.', behind: '1' }),
      ...shapes(['1e5,', '10,'], { before: '[', behind: '1]' }),
    ],
  },
  'what the request log shows': {
    read: (text) => [
      maskedJson({ text: `https://a.example/${text}` }, 1e6),
      maskedQuery(text, 1e6),
      maskedJsonText(`[${text}`, text.length),
    ],
    texts: [...shapes(all), ...shapes(['eyJCJ-', 'a-', '-eyJaaaaaaaa'], { behind: '.a' })],
  },
  'the kind of a file': {
    read: (text) => checkedType(sample(text), 'a.txt', undefined),
    texts: [...shapes([...all, 'a:b\n', 'a:b\n c\n', '<!---->', '<a:']), ...shapes(all, { before: '<?xml ' })],
  },
  'the name of a file': {
    read: nameIn,
    texts: [...shapes(all, { before: 'attachment; filename=' }), ...shapes([...all, '; filename', ';filename ='])],
  },
  'what a caller accepts': {
    read: (text) => preferredOf(text, ['application/json']),
    texts: shapes([';', ' ', 'q', ';q', 'a/b,', 'a/b;q=1,']),
  },
  // Numbers of invoices have 255 characters at most; with any more they would be quadratic.
  'numbers of invoices': { read: (text) => partOf(text.slice(0, 255)), texts: shapes(all) },
}

const shortest = 500
const doublings = 7
/** So many times of what the length explains are not much: what is short is read before its code is compiled, what is long fills memory. */
const allowance = 5
/** Shorter times say nothing. */
const leastMs = 1

/** The least of a few tries, as long as it is more than this. */
async function cpuOf(read: Reader['read'], text: string, most: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < 3 && least > most; repeat++) {
    const before = process.cpuUsage()
    await Promise.try(read, text).catch((error) => {
      if (!(error instanceof Refusal)) throw error
    })
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

const wrong: string[] = []
for (const [name, { read, texts, seen = [] }] of Object.entries(readers)) {
  for (const text of [...seen, ...some(texts, 4)]) {
    const base = Math.max(leastMs, await cpuOf(read, text(shortest), leastMs))
    for (let doubling = 1; doubling <= doublings; doubling++) {
      const length = shortest * 2 ** doubling
      const most = base * 2 ** doubling * allowance
      const ms = await cpuOf(read, text(length), most)
      if (ms <= most) continue
      wrong.push(
        `${name}: ${JSON.stringify(text(20).slice(-40))}… of ${length} characters takes ${Math.round(ms)} ms, and of ${shortest} ${base.toFixed(1)} ms`,
      )
      break
    }
  }
}
process.stdout.write(JSON.stringify(wrong))
