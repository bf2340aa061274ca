import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { X12Parser } from 'node-x12'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { anyText } from '../../../test/any-text.ts'
import { runs } from '../../../test/depth.ts'
import { bare, credit, interchange, truckload } from '../../../test/interchanges.ts'
import { newCaller, sharedService } from '../../../test/service.ts'
import { faultsOf } from '../../../test/x12/check.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { uploadFolder } from '../../platform/files/contents/folders.ts'
import { openStorage } from '../../platform/files/storage/open.ts'
import { storageAway } from '../../platform/files/storage/storage.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { verifyCarrierInvoices } from '../carrier-invoices/received/verify.ts'
import { receiveDirectory } from './directory.ts'
import { writeAcknowledgements } from './interchanges.ts'
import { receiveMail } from './mail.ts'
import { listenForMail } from './smtp.ts'
import { verifyInbox } from './verify.ts'

const service = await sharedService()
const keeping = { storage: openStorage(service.settings), folder: uploadFolder(service.settings) }
const invoices = '/api/v1/carrier_invoices'

type Json = Record<string, unknown>
type Line = {
  type: string | null
  description: string | null
  amount: number
  quantity?: number
  unit?: string
  unit_price?: number
}
type Kept = Json & {
  id: string
  lines: Line[]
  documents: { id: string; file_name: string; media_type: string; document_type: string }[]
  notes: string
}

const pdf = (text: string = newId()) => Buffer.from(`%PDF-1.4\n% ${text}\ntrailer<</Root 1 0 R>>\n%%EOF\n`)

/** An organization with a carrier and two bill item types. */
async function desk() {
  const caller = await newCaller(service)
  const make = async (path: string, body: Json): Promise<string> => {
    const answer = await caller.call('POST', `/api/v1/${path}`, body)
    assert.equal(answer.statusCode, 201, answer.body)
    return (Object.values(answer.json())[0] as { id: string }).id
  }
  await make('bill_item_types', { name: 'Line haul' })
  await make('bill_item_types', { name: 'Fuel', external_id: 'FUE' })
  const carrier = await make('partner_carriers', {
    name: 'Cascade Carriers',
    currency_id: 'usd',
    scac: 'CSCD',
    email: 'AR@cascade.example',
    external_id: 'CASC',
  })
  const edi = (text: string, headers: Record<string, string> = {}) =>
    caller.call('POST', `${invoices}/edi`, text, { 'content-type': 'application/edi-x12', ...headers })
  const csv = (text: string, query = '') =>
    caller.call('POST', `${invoices}/import${query}`, text, { 'content-type': 'text/csv' })
  const list = async (): Promise<Kept[]> => (await caller.get(`${invoices}?limit=200`)).json().carrier_invoices
  return { ...caller, make, carrier, edi, csv, list, ctx: systemContext(service.database, caller.org) }
}

/** The bytes of a mail as a client would send them. */
async function mailOf(options: SendMailOptions): Promise<Buffer> {
  const sent = await createTransport({ streamTransport: true, buffer: true }).sendMail({
    from: 'Lee Park <ar@cascade.example>',
    to: 'inbox@lading.example',
    ...options,
  })
  return sent.message as Buffer
}

const body = 'Load number: TRIP-5521\nInvoice date: 2026-11-15\nTotal due: USD 1,280.00\n'

describe('carrier invoices that arrive', { concurrency: true }, () => {
  test('by EDI: each transaction becomes an invoice with carrier, types, lines and the file; a second arrival is a 409', async () => {
    const { edi, carrier, list, get } = await desk()
    const file = interchange([truckload(), credit()])
    const made = await edi(file)
    assert.equal(made.statusCode, 201, made.body)
    const [first, second] = made.json().carrier_invoices as [Kept, Kept]
    assert.deepEqual(
      [
        first.invoice_number,
        first.invoice_date,
        first.currency_id,
        first.reference_number,
        first.total_amount,
        first.source,
        first.partner_carrier_id,
      ],
      ['INV-20417', '2026-11-15', 'usd', 'TRIP-5521', 174950, 'edi', carrier],
    )
    assert.deepEqual(
      first.lines.map(({ type, description, amount, quantity, unit, unit_price }) => [
        type,
        description,
        amount,
        quantity,
        unit,
        unit_price,
      ]),
      [
        ['Line haul', 'Frozen foods', 108000, 432, 'mile', 250],
        ['Fuel', 'Fuel surcharge', 28000, undefined, undefined, undefined],
        [null, 'Detention at shipper', 30000, undefined, undefined, undefined],
        [null, 'Stop-off', 8950, undefined, undefined, undefined],
      ],
    )
    assert.equal(first.notes, 'References: BM 88123001, PO PO-7781, CN PRO554433')
    assert.deepEqual([second.currency_id, second.total_amount, second.lines[0]?.amount], ['cad', -8000, -8000])
    assert.match(second.notes, /correction \(CO\)/)
    const [document] = first.documents
    assert.deepEqual(
      [document?.media_type, document?.document_type, second.documents],
      ['application/edi-x12', 'invoice', first.documents],
    )
    assert.equal((await get(`/api/v1/documents/${document?.id}/content`)).body, file)
    const again = await edi(file)
    assert.deepEqual([again.statusCode, again.json().error_code], [409, 'arrived_before'])
    const more = await edi(interchange([truckload(), credit(), bare()]))
    assert.deepEqual([more.statusCode, more.json().error_code], [409, 'arrived_in_part'])
    assert.equal((await list()).length, 2)
    assert.equal((await edi(interchange([bare()], { sender: 'OTHER' }))).statusCode, 400, 'no currency is known')
    assert.equal(
      (await edi(interchange([truckload()], { sender: 'OTHER' }))).statusCode,
      201,
      'another sender has the same control numbers',
    )
  })

  test('by EDI: all or nothing, in words that name the segment; a dry run keeps nothing; an unknown carrier is said in the notes', async () => {
    const { edi, list, call } = await desk()
    const wrong = await edi(interchange([truckload(), ['B3**7****20261115*x']]))
    assert.deepEqual(
      [wrong.statusCode, wrong.json().error_code, wrong.json().details[0].field],
      [400, 'bad_edi', 'B307'],
      wrong.body,
    )
    assert.match(wrong.json().error_message, /^Segment 30 \(B3\), element B307: "x" is not an amount/)
    const yen = await edi(interchange([['B3**7****20261115*150', 'C3*JPY']]))
    assert.match(yen.json().error_message, /is no amount of JPY, which has 0 decimals/)
    assert.equal((await edi(interchange([['B3**7****20261115*100', 'C3*XQQ']]))).statusCode, 400)
    assert.equal((await call('POST', `${invoices}/edi`, {})).statusCode, 415)
    const tried = await edi(interchange([truckload()]), { prefer: 'dry-run' })
    assert.equal(tried.statusCode, 201, tried.body)
    assert.deepEqual(await list(), [])
    const key = { 'idempotency-key': newId() }
    const unknown = interchange([['B3**7****20261115*100****WXYZ', 'C3*USD']])
    const [once, twice] = [await edi(unknown, key), await edi(unknown, key)]
    assert.deepEqual([once.statusCode, twice.body], [201, once.body])
    const [kept] = await list()
    assert.deepEqual([kept?.partner_carrier_id, kept?.notes], [null, 'The SCAC WXYZ is that of no carrier here.'])
  })

  test('by EDI: a file that is not small is read in another thread, to the same end, and blanks in it cost nothing', async () => {
    const { edi, list } = await desk()
    const blanks = ' '.repeat(80_000)
    const wrong = await edi(`${interchange([truckload()])}${blanks}xISA*`)
    assert.deepEqual([wrong.statusCode, wrong.json().error_code], [400, 'bad_edi'], wrong.body)
    assert.match(String(wrong.headers.link), /edi_interchanges/)
    const made = await edi(`${interchange([truckload()])}${blanks}`)
    assert.equal(made.statusCode, 201, made.body)
    assert.deepEqual(
      made.json().edi_interchanges.map(({ status }: { status: string }) => status),
      ['accepted'],
    )
    assert.equal((await list()).length, 1)
  })

  test('by EDI: an acknowledgement is kept of every interchange, which another reader of X12 understands, taken or refused, and by whichever way it came', async () => {
    const { edi, get, ctx, org } = await desk()
    const at = '/api/v1/edi_interchanges'
    type Kept = {
      id: string
      status: string
      problems: { segment: string; element: number | null }[]
      carrier_invoice_ids: string[]
      control_number: string
    }
    const acknowledged = async (path: string) => {
      const answer = await get(path, { accept: 'application/edi-x12' })
      assert.deepEqual(
        [answer.statusCode, String(answer.headers['content-type']).split(';')[0]],
        [200, 'application/edi-x12'],
        answer.body,
      )
      return answersIn(answer.body)
    }
    const made = (await edi(interchange([truckload(), credit()]))).json()
    const [good] = made.edi_interchanges as [Kept]
    assert.deepEqual(
      [good.status, good.carrier_invoice_ids],
      ['accepted', made.carrier_invoices.map(({ id }: { id: string }) => id)],
    )
    const answer = await acknowledged(`${at}/${good.id}/acknowledgement`)
    assert.deepEqual(answer.isa.slice(4, 8), ['ZZ', 'BLUERIDGE', '02', 'CSCD'], 'it goes back to who sent it')
    assert.deepEqual(
      [answer.groups, answer.said],
      [['FA BLUERIDGE CSCD'], ['AK1*IM*7', 'AK2*210*0001', 'AK5*A', 'AK2*210*0002', 'AK5*A', 'AK9*A*2*2*2']],
    )
    // A date without its century, and no method of payment: it can be read, and the sender hears of both.
    const noted = (
      await edi(interchange([['B3**9932****261114*45000****CSCD', 'C3*USD']], { control: '000000124' }))
    ).json().edi_interchanges[0] as Kept
    assert.deepEqual(
      [noted.status, noted.problems.map(({ segment, element }) => `${segment}${element}`)],
      ['accepted_with_errors', ['B34', 'B36']],
    )
    assert.deepEqual((await acknowledged(`${at}/${noted.id}/acknowledgement`)).said, [
      ...[
        'AK1*IM*7',
        'AK2*210*0001',
        'AK3*B3*2**8',
        'AK4*4**1',
        'AK3*B3*2**8',
        'AK4*6**4*261114',
        'AK5*E*5',
        'AK9*E*1*1*1',
      ],
    ])
    // Refused as a whole: each transaction that is wrong says where, and none of the others was taken.
    const linkOf = ({ headers }: { headers: Record<string, unknown> }) =>
      /<([^>]+)>/.exec(String(headers.link))?.[1] as string
    const wrong = await edi(
      interchange([truckload('OK-1'), ['B3**7****20261115*x****CSCD', 'C3*USD'], ['C3*USD']], { control: '000000125' }),
    )
    assert.deepEqual([wrong.statusCode, wrong.json().error_code], [400, 'bad_edi'])
    assert.deepEqual((await acknowledged(linkOf(wrong))).said, [
      ...['AK1*IM*7', 'AK2*210*0001', 'AK5*R', 'AK2*210*0002', 'AK3*B3*2**8', 'AK4*7**6*x', 'AK5*R*5'],
      ...['AK2*210*0003', 'AK3*B3*2**3', 'AK5*R*5', 'AK9*R*3*3*0'],
    ])
    for (const [change, said] of [
      [
        ['ST*210*0001', 'ST*214*0001'],
        ['AK1*IM*7', 'AK2*214*0001', 'AK5*R*1', 'AK9*R*1*1*0'],
      ],
      [
        ['SE*26*', 'SE*25*'],
        ['AK1*IM*7', 'AK2*210*0001', 'AK5*R*4', 'AK9*R*1*1*0'],
      ],
      [
        ['GE*1*7', 'GE*2*7'],
        ['AK1*IM*7', 'AK2*210*0001', 'AK5*R', 'AK9*R*1*1*0*5'],
      ],
      [
        ['GE*1*7', 'GE*1*8'],
        ['AK1*IM*7', 'AK2*210*0001', 'AK5*R', 'AK9*R*1*1*0*4'],
      ],
    ] as const) {
      const refused = await edi(interchange([truckload()], { control: '000000126' }).replace(change[0], change[1]))
      assert.equal(refused.statusCode, 400, refused.body)
      assert.deepEqual((await acknowledged(linkOf(refused))).said, said)
    }
    // The envelope itself is wrong: that is said before the groups.
    const ended = await edi(
      interchange([truckload()], { control: '000000127' }).replace('IEA*1*000000127', 'IEA*2*000000127'),
    )
    assert.match((await get(linkOf(ended), { accept: '*/*' })).body, /\nTA1\*000000127\*261115\*0930\*R\*021~\nGS\*FA/)
    const broken = await edi(interchange([truckload()], { control: '000000128' }).slice(0, 400))
    assert.match((await get(linkOf(broken), { accept: '*/*' })).body, /\nTA1\*000000128\*261115\*0930\*R\*02[23]~/)
    assert.doesNotMatch(String((await edi('hello')).headers.link), /acknowledgement/, 'there is nobody to answer to')
    // A second arrival is told where the first acknowledgement is.
    const again = await edi(interchange([truckload(), credit()]))
    assert.deepEqual([again.statusCode, linkOf(again)], [409, `${at}/${good.id}/acknowledgement`])

    const attachments = [
      { filename: 'a.edi', content: interchange([truckload('M-1')], { control: '000000200' }) },
      { filename: 'b.edi', content: interchange([['C3*USD']], { control: '000000201' }) },
    ]
    await receiveMail(ctx, keeping, await mailOf({ subject: 'EDI', text: 'x', attachments }))
    const directory = mkdtempSync(join(tmpdir(), 'lading-inbox-'))
    const out = mkdtempSync(join(tmpdir(), 'lading-out-'))
    after(() => [directory, out].map((path) => rmSync(path, { recursive: true })))
    mkdirSync(join(directory, 'invoices'))
    writeFileSync(join(directory, 'invoices', 'c.edi'), interchange([truckload('D-1')], { control: '000000202' }))
    writeFileSync(join(directory, 'invoices', 'd.edi'), interchange([['C3*USD']], { control: '000000203' }))
    const watched = { database: service.database, keeping, directory, names: { invoices: org }, settledMs: 0 }
    await receiveDirectory(watched)
    const list = async (query = ''): Promise<(Kept & { source: string })[]> =>
      (await get(`${at}?limit=50${query}`)).json().edi_interchanges
    assert.deepEqual(
      (await list())
        .slice(0, 4)
        .map(({ source, status, control_number }) => `${source} ${status} ${control_number}`)
        .sort(),
      [
        'directory accepted 000000202',
        'directory rejected 000000203',
        'email accepted 000000200',
        'email rejected 000000201',
      ],
    )
    assert.deepEqual(
      (await list('&statuses=accepted&control_number=000000202')).map(({ control_number }) => control_number),
      ['000000202'],
    )
    const other = await newCaller(service)
    assert.equal((await other.get(`${at}/${good.id}`)).statusCode, 404)
    assert.equal((await other.get(`${at}/${good.id}/acknowledgement`, { accept: '*/*' })).statusCode, 404)
    assert.deepEqual((await get(`${at}/${good.id}`)).json().edi_interchange, good)

    // Written to the outgoing directory once, and once more where the same arrives again.
    const writing = { database: service.database, directory: out, names: { invoices: org } }
    await writeAcknowledgements(writing)
    const files = readdirSync(join(out, 'invoices'))
    assert.equal(files.length, (await list()).length)
    const [first] = files as [string]
    assert.equal(
      readFileSync(join(out, 'invoices', first), 'utf8'),
      (await get(`${at}/${good.id}/acknowledgement`, { accept: '*/*' })).body,
    )
    for (const name of files) rmSync(join(out, 'invoices', name))
    writeFileSync(join(directory, 'invoices', 'e.edi'), interchange([truckload('D-1')], { control: '000000202' }))
    await receiveDirectory(watched)
    await writeAcknowledgements(writing)
    assert.equal(readdirSync(join(out, 'invoices')).length, 1)
  })

  test('by EDI: whatever is done to a file, the answer is no 500', async () => {
    const { edi } = await desk()
    const good = interchange([truckload(), bare(), credit()])
    const change = fc.record({
      at: fc.integer({ min: 0, max: good.length }),
      length: fc.integer({ min: 0, max: 30 }),
      text: fc.oneof(
        anyText({ maxLength: 8 }),
        fc.constantFrom('~', '*', '\n', '\0', '99999999999999999', 'L1*1***9~', '\ufffd'),
      ),
    })
    await fc.assert(
      fc.asyncProperty(change, fc.nat(999_999_999), async ({ at, length, text }, control) => {
        const file = good.replaceAll('000000123', String(control).padStart(9, '0'))
        const answer = await edi((file.slice(0, at) + text + file.slice(at + length)).toWellFormed())
        assert.ok([201, 400, 409, 413].includes(answer.statusCode), `${answer.statusCode} ${answer.body}`)
      }),
      { numRuns: runs(400) },
    )
  })

  test('by mail: one invoice with the attachments and the mail itself; what is beyond doubt is read, and nothing else', async () => {
    const { ctx, list, carrier, call, get } = await desk()
    const logo = Buffer.from('\x89PNG\r\n\x1a\n0', 'latin1')
    const mail = await mailOf({
      subject: 'Invoice #20417 from Cascade',
      text: body,
      html: '<p>See attached</p><img src="cid:logo">',
      attachments: [
        { filename: 'invoice-20417.pdf', content: pdf(), contentType: 'application/octet-stream' },
        { filename: 'scan.jpg', content: Buffer.from('\x89PNG\r\n\x1a\n1', 'latin1') },
        { filename: 'terms.html', content: '<html><script>alert(1)</script></html>' },
        { filename: 'logo.png', content: logo, cid: 'logo' },
      ],
    })
    const { ids, isNew } = await receiveMail(ctx, keeping, mail)
    assert.deepEqual([ids.length, isNew], [1, true])
    assert.deepEqual(await receiveMail(ctx, keeping, mail), { ids, isNew: false })
    const [invoice] = (await list()) as [Kept]
    assert.deepEqual(
      [
        invoice.source,
        invoice.partner_carrier_id,
        invoice.invoice_number,
        invoice.invoice_date,
        invoice.reference_number,
        invoice.total_amount,
      ],
      ['email', carrier, '20417', '2026-11-15', 'TRIP-5521', 128000],
    )
    assert.deepEqual([invoice.state, invoice.missing_fields], ['received', []])
    assert.deepEqual(
      invoice.documents.map(({ file_name, media_type, document_type }) => [file_name, media_type, document_type]),
      [
        ['invoice-20417.pdf', 'application/pdf', 'invoice'],
        ['scan.png', 'image/png', 'invoice'],
        ['mail.eml', 'message/rfc822', 'other'],
      ],
    )
    assert.match(
      invoice.notes,
      /^From: Lee Park <ar@cascade.example>\nSubject: Invoice #20417 from Cascade\nterms.html was not kept as a document/,
    )
    assert.deepEqual((await get(`/api/v1/documents/${invoice.documents[2]?.id}/content`)).rawPayload, mail)
    const { events } = (await get(`${invoices}/${invoice.id}/history`)).json()
    assert.deepEqual([events.length, events[0].data.documents], [1, invoice.documents])
    assert.equal((await call('POST', `${invoices}/${invoice.id}/audit`)).statusCode, 200)
  })

  test('by mail: what it does not say waits for a person, and is neither audited nor guessed', async () => {
    const { ctx, call, get, list } = await desk()
    await receiveMail(
      ctx,
      keeping,
      await mailOf({ from: 'nobody@elsewhere.example', subject: 'Our invoice', text: 'See attached.' }),
    )
    const [invoice] = (await list()) as [Kept]
    assert.deepEqual(
      [invoice.partner_carrier_id, invoice.invoice_number, invoice.total_amount, invoice.currency_id],
      [null, 'Our invoice', 0, 'usd'],
    )
    assert.deepEqual(invoice.missing_fields, ['invoice_number', 'total_amount'])
    const refused = await call('POST', `${invoices}/${invoice.id}/audit`)
    assert.deepEqual([refused.statusCode, refused.json().error_code], [409, 'incomplete'])
    const back = await call('PUT', `${invoices}/${invoice.id}`, { carrier_invoice: { ...invoice, notes: 'seen' } })
    assert.deepEqual(back.json().carrier_invoice.missing_fields, ['invoice_number', 'total_amount'], back.body)
    const half = await call('PUT', `${invoices}/${invoice.id}`, { total_amount: 128000 })
    assert.deepEqual(half.json().carrier_invoice.missing_fields, ['invoice_number'])
    const whole = await call('PUT', `${invoices}/${invoice.id}`, { missing_fields: [] })
    assert.deepEqual(
      [whole.json().carrier_invoice.missing_fields, whole.json().carrier_invoice.invoice_number],
      [[], 'Our invoice'],
    )
    assert.equal((await call('POST', `${invoices}/${invoice.id}/audit`)).statusCode, 200)
    assert.equal((await get(`${invoices}/${invoice.id}`)).json().carrier_invoice.total_amount, 128000)
  })

  test('by mail: EDI in an attachment is read as EDI, once; broken EDI is said in the notes; automatic replies are refused', async () => {
    const { ctx, list, edi } = await desk()
    const file = interchange([truckload(), bare()].map((segments) => [...segments, 'C3*USD']))
    const attachments = [
      { filename: 'week46.txt', content: file },
      { filename: 'week46.edi', content: file },
      { filename: 'pod.pdf', content: pdf() },
    ]
    const { ids } = await receiveMail(ctx, keeping, await mailOf({ subject: 'EDI', text: 'x', attachments }))
    assert.equal(ids.length, 2)
    assert.deepEqual(
      (await list()).map(({ source, documents }) => [source, documents.length]),
      [
        ['edi', 4],
        ['edi', 4],
      ],
    )
    assert.equal((await edi(file)).json().error_code, 'arrived_before')
    await receiveMail(
      ctx,
      keeping,
      await mailOf({
        subject: 'EDI 2',
        text: 'x',
        attachments: [{ filename: 'a.edi', content: file.replace('B3*B', 'B4*B') }],
      }),
    )
    const [broken] = (await list()) as [Kept]
    assert.equal(broken.source, 'email')
    assert.match(broken.notes, /a\.edi could not be read as EDI\. Segment 3 \(ST\): the transaction has no B3/)
    const reply = await mailOf({ subject: 'Out of office', text: 'x', headers: { 'Auto-Submitted': 'auto-replied' } })
    await assert.rejects(receiveMail(ctx, keeping, reply), { code: 'automatic_reply' })
    await assert.rejects(receiveMail(ctx, keeping, Buffer.from('')), { code: 'unreadable_mail' })
  })

  test('by mail: any bytes become an invoice or are refused in words', async () => {
    const { ctx } = await desk()
    const good = (
      await mailOf({ subject: 'Invoice 1', text: body, attachments: [{ filename: 'a.pdf', content: pdf() }] })
    ).toString('latin1')
    const change = fc.record({
      at: fc.integer({ min: 0, max: good.length }),
      length: fc.integer({ min: 0, max: 60 }),
      text: anyText({ maxLength: 20 }),
    })
    await fc.assert(
      fc.asyncProperty(change, async ({ at, length, text }) => {
        const bytes = Buffer.from(good.slice(0, at) + text + good.slice(at + length), 'latin1')
        await receiveMail(ctx, keeping, bytes).catch((error) =>
          assert.ok(['unreadable_mail', 'automatic_reply'].includes(error.code), error),
        )
      }),
      { numRuns: runs(200) },
    )
  })

  test('two at the same time with one mail make one invoice', async () => {
    const { ctx, list } = await desk()
    const mail = await mailOf({ subject: 'Invoice 7', text: body })
    const made = await Promise.all(Array.from({ length: 4 }, () => receiveMail(ctx, keeping, mail)))
    assert.equal(made.filter(({ isNew }) => isNew).length, 1)
    assert.equal(new Set(made.flatMap(({ ids }) => ids)).size, 1)
    assert.equal((await list()).length, 1)
  })

  test('from a directory: files are taken once and moved; what is refused has its reason; the doctor names what is stuck', async () => {
    const { org, list } = await desk()
    const directory = mkdtempSync(join(tmpdir(), 'lading-inbox-'))
    after(() => rmSync(directory, { recursive: true }))
    const folder = join(directory, org)
    mkdirSync(folder)
    mkdirSync(join(directory, 'nobody'))
    const mail = await mailOf({ subject: 'Invoice 7', text: body })
    const put = (name: string, content: string | Buffer, to = folder) => writeFileSync(join(to, name), content)
    put('a.eml', mail)
    put('b.EDI', interchange([truckload()]))
    put('c.210', 'ISA*nothing')
    put('.d.eml', mail)
    put('e.txt', 'not looked at')
    put('f.eml', mail, join(directory, 'nobody'))
    const watched = { database: service.database, keeping, directory, names: {}, settledMs: 0 }
    await receiveDirectory({ ...watched, settledMs: 3_600_000 })
    assert.equal((await list()).length, 0, 'a file that may still be written to is left alone')
    const away = { ...keeping.storage, put: () => Promise.reject(storageAway(new Error('no disk'))) }
    await assert.rejects(receiveDirectory({ ...watched, keeping: { ...keeping, storage: away } }), {
      code: 'unavailable',
    })
    assert.ok(existsSync(join(folder, 'a.eml')) && existsSync(join(folder, 'failed', 'c.210')))
    await receiveDirectory(watched)
    assert.deepEqual(
      (await list()).map(({ source }) => source),
      ['edi', 'email'],
    )
    assert.deepEqual(
      [readdirSync(join(folder, 'done')), readdirSync(join(folder, 'failed'))],
      [
        ['a.eml', 'b.EDI'],
        ['c.210', 'c.210.reason.txt'],
      ],
    )
    assert.match(readFileSync(join(folder, 'failed', 'c.210.reason.txt'), 'utf8'), /^Segment 1 \(ISA\), element ISA01/)
    // As after a process that ended between its transaction and the move.
    put('a.eml', mail)
    await receiveDirectory(watched)
    assert.equal((await list()).length, 2)
    assert.deepEqual(readdirSync(join(folder, 'done')).sort(), ['a-2.eml', 'a.eml', 'b.EDI'])
    const faults = await verifyInbox(service.database, { directory, names: {}, listen: null })
    assert.deepEqual(
      faults.map((fault) => fault.replace(org, 'ORG')),
      [
        'ORG/failed/c.210 was refused; c.210.reason.txt next to it says why. Correct it and move it back, or remove both.',
        'nobody/f.eml is in the folder of no organization.',
      ],
    )
    assert.match(
      (await verifyInbox(service.database, { directory: join(directory, 'gone'), names: {}, listen: null }))[0] ?? '',
      /cannot be read/,
    )
    await receiveDirectory({ ...watched, names: { nobody: org } })
    assert.equal((await list()).length, 2, 'a name of the settings is a folder too, and the mail is known')
    assert.deepEqual(await verifyCarrierInvoices(service.pool, [org]), [])
  })

  test('by SMTP: what was acknowledged is there; recipients that are unknown, and mails that are too large, are refused', async () => {
    const { org, list } = await desk()
    const quiet = { info() {}, error() {} }
    let storage = keeping.storage
    const changing = { ...keeping.storage, put: (...given: Parameters<typeof storage.put>) => storage.put(...given) }
    const parts = {
      database: service.database,
      keeping: { ...keeping, storage: changing },
      names: { invoices: org },
      closeTimeoutMs: 100,
      log: quiet,
    }
    const { port, close } = await listenForMail({ ...parts, listen: { host: '127.0.0.1', port: 0 } })
    after(close)
    await assert.rejects(
      listenForMail({ ...parts, listen: { host: '127.0.0.1', port } }),
      /SMTP_LISTEN=127\.0\.0\.1:\d+ cannot be used \(EADDRINUSE\)/,
    )
    const client = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
    const send = (to: string, subject: string) =>
      client.sendMail({
        from: 'ar@cascade.example',
        to,
        subject,
        text: body,
        attachments: [{ filename: 'i.pdf', content: pdf(subject) }],
      })
    await send(`${org}@lading.example`, 'Invoice 101')
    assert.deepEqual(
      (await list()).map(({ invoice_number, documents }) => [invoice_number, documents.length]),
      [['101', 2]],
    )
    await send('Invoices+cascade@lading.example', 'Invoice 2')
    assert.equal((await list()).length, 2)
    await assert.rejects(send(`${newId()}@lading.example`, 'Invoice 3'), { responseCode: 550 })
    await assert.rejects(send('someone@elsewhere.example', 'Invoice 3'), { responseCode: 550 })
    storage = { ...storage, put: () => Promise.reject(storageAway(new Error('no disk'))) }
    await assert.rejects(send(`${org}@lading.example`, 'Invoice 4'), { responseCode: 451 })
    storage = keeping.storage
    assert.equal((await list()).length, 2)
    assert.match(await talk(port, ['EHLO x', 'MAIL FROM:<a@b.example> SIZE=30000000']), /^552/m)
    assert.match(
      await talk(port, ['EHLO x', 'MAIL FROM:<a@b.example>', `RCPT TO:<${org}@x>`, 'DATA', 'hello\r\n.']),
      /^554 5\.6\.0 It cannot be read/m,
    )
  })

  test('by CSV: rows of one carrier and number are one invoice, a wrong one leaves the others alone, and a file can be sent again', async () => {
    const { csv, list, carrier, make } = await desk()
    const twin = await make('partner_carriers', { name: 'Twin Lines' })
    await make('partner_carriers', { name: 'Twin Lines' })
    const file = [
      'partner_carrier,invoice_number,invoice_date,currency_id,reference_number,total_amount,line_type,line_quantity,line_unit,line_unit_price,line_amount,colour',
      'cascade carriers,A-1,2026-11-15,usd,TRIP-1,128000,Line haul,432,mile,250,108000,red',
      'cascade carriers,A-1,,,,,Fuel,,,,28000,',
      'CSCD,A-2,,,,,,,,,,',
      `${twin},A-3,,eur,,500,,,,,,`,
      'Twin Lines,A-4,,eur,,500,,,,,,',
      'Nobody,A-5,,eur,,500,,,,,,',
      ',A-6,,xyz,,500,,,,,,',
      ',A-7,2026-13-01,usd,,500,,,,,,',
      ',A-8,,usd,,500,Fuel,,,,,',
      'CASC,A-1,,usd,,5,,,,,,',
      'CASC,A-9,,usd,,5,,,,,,',
      'CASC,A-9,,eur,,,,,,,1,',
      'CASC,A-10,,usd,,5,,,,,,',
      'CASC,A-10',
      'CASC,A-11,,usd,,5,,,,,,',
      'CASC,A-12,,usd,,5,,,,,,',
    ].join('\n')
    const tried = await csv(file, '?dry_run=true')
    assert.equal(tried.statusCode, 200, tried.body)
    assert.deepEqual(
      [tried.json().counts, tried.json().results[0].status],
      [{ created: 4, updated: 0, unchanged: 0, failed: 10 }, 'would_create'],
    )
    assert.deepEqual(await list(), [])
    const report = (await csv(file)).json()
    assert.deepEqual(report.unknown_columns, ['colour'])
    assert.deepEqual(
      report.results.map(({ line, rows, invoice_number, status, error }: Json & { error?: { error_code: string } }) =>
        [line, rows, invoice_number, status, error?.error_code].join(' ').trim(),
      ),
      [
        '2 2 A-1 created',
        '4 1 A-2 created',
        '5 1 A-3 created',
        '6 1 A-4 failed ambiguous_carrier',
        '7 1 A-5 failed unknown_carrier',
        '8 1 A-6 failed unknown_currency',
        '9 1  failed bad_date',
        '10 1 A-8 failed required',
        '11 1 A-1 failed duplicate_row',
        '12 2 A-9 failed rows_differ',
        '14 1  failed unreadable_row',
        '15 1  failed wrong_number_of_cells',
        '16 1  failed unreadable_row',
        '17 1 A-12 created',
      ],
    )
    const kept = (await list()).find(({ invoice_number }) => invoice_number === 'A-1') as Kept
    assert.deepEqual(
      [kept.partner_carrier_id, kept.source, kept.total_amount, kept.reference_number],
      [carrier, 'upload', 128000, 'TRIP-1'],
    )
    assert.deepEqual(kept.lines, [
      { type: 'Line haul', quantity: 432, unit: 'mile', unit_price: 250, amount: 108000 },
      { type: 'Fuel', amount: 28000 },
    ])
    const again = (await csv(file)).json()
    assert.deepEqual([again.counts.created, again.counts.unchanged], [0, 4])
    const other = (await csv('partner_carrier,invoice_number,currency_id,total_amount\nCSCD,A-2,usd,7\n')).json()
    assert.deepEqual([other.results[0].status, other.results[0].error.error_code], ['failed', 'arrived_before'])
    assert.equal((await csv('a;b\n1;2\n')).statusCode, 400)
    assert.equal((await list()).length, 4)
  })

  test('by CSV with money as every CSV file writes it: decimal numbers, and the currency in capitals', async () => {
    const { csv, list } = await desk()
    const file = [
      'partner_carrier,invoice_number,currency,total_amount_decimal,line_type,line_unit_price_decimal,line_amount_decimal,line_amount',
      'CASC,D-1,USD,1280.50,Line haul,2.50,1000.50,100050',
      'CASC,D-1,,,Fuel,,280,',
      'CASC,D-2,JPY,1280,,,,',
      'CASC,D-3,JPY,1280.5,,,,',
      'CASC,D-4,USD,,Fuel,,280,2800',
      'CASC,D-5,USD,"1,280.00",,,,',
      'CASC,D-6,XYZ,1,,,,',
      'CASC,D-7,,12.34,,,,',
    ].join('\n')
    const report = (await csv(file)).json()
    assert.deepEqual(report.unknown_columns, [])
    assert.deepEqual(
      report.results.map(({ invoice_number, status, error }: Json & { error?: { error_code: string } }) =>
        [invoice_number, status, error?.error_code].join(' ').trim(),
      ),
      [
        'D-1 created',
        'D-2 created',
        'D-3 failed bad_amount',
        'D-4 failed columns_disagree',
        'D-5 failed bad_amount',
        'D-6 failed unknown_currency',
        'D-7 created',
      ],
    )
    const kept = new Map((await list()).map((one) => [one.invoice_number, one]))
    const amounts = ['D-1', 'D-2', 'D-7'].map((number) => [
      kept.get(number)?.currency_id,
      kept.get(number)?.total_amount,
    ])
    assert.deepEqual(amounts, [
      ['usd', 128050],
      ['jpy', 1280],
      ['usd', 1234],
    ])
    assert.deepEqual(kept.get('D-1')?.lines, [
      { type: 'Line haul', unit_price: 250, amount: 100050 },
      { type: 'Fuel', amount: 28000 },
    ])
    assert.equal((await csv(file)).json().counts.unchanged, 3)
  })

  test('by CSV again with another date, load, line or split of the same total are errors that name it', async () => {
    const { csv, list } = await desk()
    const file = (date: string, load: string, ...lines: string[]) =>
      [
        'partner_carrier,invoice_number,invoice_date,currency_id,reference_number,notes,line_type,line_amount',
        ...lines.map((line, index) => `CASC,B-1,${index === 0 ? `${date},usd,${load},` : ',,,'},${line}`),
      ].join('\n')
    const same = ['2026-11-15', 'TRIP-1', 'Line haul,100000', 'Fuel,28000'] as const
    const statusOf = async (text: string) => {
      const [{ status, error }] = (await csv(text)).json().results
      return [status, ...(error?.details ?? []).map(({ field }: Json) => field)].join(' ')
    }
    assert.equal(await statusOf(file(...same)), 'created')
    assert.equal(await statusOf(file(...same)), 'unchanged')
    assert.equal(
      await statusOf(file('2026-11-16', 'TRIP-2', 'Line haul,100000', 'Fuel,28000')),
      'failed invoice_date reference_number',
    )
    assert.equal(await statusOf(file('2026-11-15', 'TRIP-1', 'Line haul,90000', 'Fuel,38000')), 'failed lines')
    assert.equal(await statusOf(file('2026-11-15', 'TRIP-1', 'Line haul,100000', 'Detention,28000')), 'failed lines')
    assert.equal(
      await statusOf(file('2026-11-15', 'TRIP-1', 'Line haul,100000', 'Fuel,28001')),
      'failed total_amount lines',
    )
    assert.equal((await list()).length, 1)
  })

  test('by the API with documents that were uploaded before', async () => {
    const { call, get, list } = await desk()
    const sent = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="a.pdf"' }
    const { id } = (await call('POST', '/api/v1/documents?document_type=invoice', pdf(), sent)).json().document
    const made = await call('POST', invoices, {
      invoice_number: 'U-1',
      currency_id: 'usd',
      source: 'upload',
      document_ids: [id],
    })
    assert.equal(made.statusCode, 201, made.body)
    const invoice = made.json().carrier_invoice as Kept
    assert.deepEqual(invoice.documents, [
      { id, file_name: 'a.pdf', media_type: 'application/pdf', size: pdf().length, document_type: 'invoice' },
    ])
    assert.deepEqual((await list())[0], invoice)
    const wrong = await call('POST', invoices, { invoice_number: 'U-2', currency_id: 'usd', document_ids: [newId()] })
    assert.deepEqual([wrong.statusCode, wrong.json().error_code], [400, 'unknown_record'])
    const { headers } = await get(`${invoices}/${invoice.id}`)
    assert.equal((await call('DELETE', `/api/v1/documents/${id}`)).statusCode, 204)
    const after = await get(`${invoices}/${invoice.id}`, { 'if-none-match': String(headers.etag) })
    assert.deepEqual([after.statusCode, after.json().carrier_invoice.documents], [200, []])
  })
})

/** An acknowledgement as another reader of X12 has it: its ISA, its groups, and what they say between ST and SE. */
function answersIn(file: string): { isa: string[]; groups: string[]; said: string[] } {
  const read = new X12Parser(true).parse(file)
  assert.ok('functionalGroups' in read)
  assert.deepEqual(faultsOf(file), [])
  const written = ({ tag, elements }: { tag: string; elements: { value?: string }[] }) =>
    [tag, ...elements.map(({ value }) => value ?? '')].join('*').replace(/\*+$/, '')
  const groups = read.functionalGroups.map(({ header }) =>
    header.elements
      .slice(0, 3)
      .map(({ value }) => value)
      .join(' '),
  )
  const transactions = read.functionalGroups.flatMap(({ transactions }) => transactions)
  assert.ok(transactions.every(({ header }) => header.elements[0]?.value === '997'))
  return {
    isa: read.header.elements.map(({ value }) => (value ?? '').trim()),
    groups,
    said: transactions.flatMap(({ segments }) => segments.map(written)),
  }
}

/** Sends lines one after the other, each when the one before was answered. Answers all that came back. */
async function talk(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  const left = [...lines, 'QUIT']
  socket.on('data', (chunk) => {
    heard += chunk
    // The last line of an answer has a space behind its number.
    if (
      /^\d{3} .*\r\n$/m.test(
        String(chunk)
          .split(/(?<=\r\n)/)
          .at(-1) ?? '',
      ) &&
      left.length > 0
    )
      socket.write(`${left.shift()}\r\n`)
  })
  await once(socket, 'close')
  return heard
}
