import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { setImmediate as soon } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { applicationIn, type Caller, callerIn, databaseOf, newCaller, sharedService } from '../../../test/service.ts'
import { type Scope, scopeNames } from '../access/scopes.ts'
import { newId } from '../core/values/ids.ts'
import { sql } from '../db/sql/sql.ts'
import { createDocument, keepContent } from './actions.ts'
import { deleteOldUploads, deleteUnheld } from './cleaning.ts'
import { uploadFolder } from './contents/folders.ts'
import { receiveUpload } from './contents/receive.ts'
import { verifyDocuments } from './contents/verify.ts'
import { openStorage } from './storage/open.ts'
import { pathOf, type Storage } from './storage/storage.ts'

const service = await sharedService()
const storage = openStorage(service.settings)
const folder = uploadFolder(service.settings)
const path = '/api/v1/documents'

const pdf = (text = newId()) => Buffer.from(`%PDF-1.4\n% ${text}\ntrailer<</Root 1 0 R>>\n%%EOF\n`)
const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), deflateSync(Buffer.from('dots'))])
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const placeOf = (org: string, bytes: Buffer) => join(storage.name, pathOf({ org, sha256: hashOf(bytes) }))

type Sent = { type?: string; name?: string; query?: string; headers?: Record<string, string> }

/** The file as the body itself. */
function send(
  { token }: Pick<Caller, 'token'>,
  bytes: Buffer | Readable,
  { type = 'application/pdf', name = 'pod.pdf', query = '', headers = {} }: Sent = {},
  app = service.app,
) {
  return app.inject({
    method: 'POST',
    url: `${path}${query}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(type !== '' && { 'content-type': type }),
      ...(name !== '' && { 'content-disposition': `attachment; filename="${name}"` }),
      ...headers,
    },
    payload: bytes,
  })
}

async function upload(caller: Pick<Caller, 'token'>, bytes: Buffer = pdf(), sent: Sent = {}) {
  const answer = await send(caller, bytes, sent)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().document as {
    id: string
    sha256: string
    attached_to: { type: string; id: string }[]
    media_type: string
    file_name: string
    revision: number
  }
}

function form(
  parts: readonly (readonly [name: string, value: string | Buffer, file?: { name: string; type: string }])[],
): { type: string; bytes: Buffer } {
  const boundary = `b${newId()}`
  const pieces = parts.flatMap(([name, value, file]) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file ? `; filename="${file.name}"\r\ncontent-type: ${file.type}` : ''}\r\n\r\n`,
    ),
    Buffer.from(value as string),
    Buffer.from('\r\n'),
  ])
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

async function make({ call }: Caller, url: string, body: object): Promise<string> {
  const answer = await call('POST', url, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return (Object.values(answer.json())[0] as { id: string }).id
}

const newBill = (caller: Caller, body: object = {}) =>
  make(caller, '/api/v1/bills', { currency_id: 'usd', items: [{ unit_price: 100 }], ...body })
/** The background work, for these organizations alone, without the time that it usually gives. */
const clean = (...callers: Caller[]) =>
  deleteUnheld(databaseOf(service, new Set(callers.map(({ org }) => org))), storage, undefined, {
    unattached: 0,
    content: 0,
  })
const cleanContents = (...callers: Caller[]) =>
  deleteUnheld(databaseOf(service, new Set(callers.map(({ org }) => org))), storage, undefined, { content: 0 })

describe('an upload', { concurrency: 8 }, () => {
  test('as a body is kept with its name, type, size and hash, and comes back byte for byte', async () => {
    const caller = await newCaller(service)
    const bytes = pdf()
    const answer = await send(caller, bytes, { name: 'Proof of delivery.pdf', query: '?document_type=pod' })
    assert.equal(answer.statusCode, 201, answer.body)
    const { document } = answer.json()
    assert.deepEqual(
      [
        document.file_name,
        document.media_type,
        document.size,
        document.sha256,
        document.document_type,
        document.attached_to,
      ],
      ['Proof of delivery.pdf', 'application/pdf', bytes.length, hashOf(bytes), 'pod', []],
    )
    assert.equal(answer.headers.location, `${path}/${document.id}`)
    const content = await caller.get(`${path}/${document.id}/content`)
    assert.deepEqual(content.rawPayload, bytes)
    await whenNothingHas(bytes)
    assert.deepEqual(
      (await caller.events()).map(({ type }) => type),
      ['document.created'],
    )
  })

  test('as a form takes its type, and the records to attach it to as JSON or as fields of their own', async () => {
    const caller = await newCaller(service)
    const [one, other] = [await newBill(caller), await newBill(caller)]
    const file = { name: 'Lieferschein Nr. 7 – Köln.png', type: 'image/png' }
    const asJson = form([
      ['document_type', 'bol'],
      ['attached_to', JSON.stringify([{ type: 'bill', id: one }])],
      ['file', png, file],
    ])
    const document = await upload(caller, asJson.bytes, { type: asJson.type, name: '' })
    assert.deepEqual(
      [document.file_name, document.media_type, document.attached_to],
      [file.name, 'image/png', [{ type: 'bill', id: one }]],
    )
    const asFields = form([
      ['file', png, file],
      ['attached_to', `bill:${one}`],
      ['attached_to', `bill:${other}`],
    ])
    assert.equal((await upload(caller, asFields.bytes, { type: asFields.type, name: '' })).attached_to.length, 2)
  })

  test('is written to disk while it arrives', async () => {
    const caller = await newCaller(service)
    const body = new Readable({ read() {} })
    const answered = send(caller, body)
    const first = pdf()
    body.push(first)
    while (!hasArriving(first)) await soon()
    body.push(null)
    assert.equal((await answered).statusCode, 201)
  })

  test('of more than 25 MiB is a 413 that leaves nothing, and one of 25 MiB is taken', async () => {
    const caller = await newCaller(service)
    const largest = Buffer.concat([pdf(), Buffer.alloc(25 * 2 ** 20)]).subarray(0, 25 * 2 ** 20)
    const tooLarge = Buffer.concat([largest, Buffer.from('x')])
    // Without its length, as a client sends it that makes the file meanwhile.
    const unmeasured = () => Readable.from([tooLarge.subarray(0, 2 ** 20), tooLarge.subarray(2 ** 20)])
    const asForm = form([['file', tooLarge, { name: 'a.pdf', type: 'application/pdf' }]])
    const answers = [
      await send(caller, tooLarge),
      await send(caller, unmeasured()),
      await send(caller, asForm.bytes, { type: asForm.type }),
    ]
    for (const answer of answers)
      assert.deepEqual([answer.statusCode, answer.json().error_code], [413, 'body_too_large'])
    assert.equal(existsSync(placeOf(caller.org, tooLarge)), false)
    assert.equal((await caller.get(path)).json().total, 0)
    assert.equal((await upload(caller, largest)).sha256, hashOf(largest))
  })

  test('that is no form, has no file, two files, or an empty one is a 400', async () => {
    const caller = await newCaller(service)
    const file = { name: 'a.pdf', type: 'application/pdf' }
    const forms = [
      [form([['document_type', 'pod']]), 'one_file_required'],
      [
        form([
          ['file', pdf(), file],
          ['file', pdf(), file],
        ]),
        'one_file_required',
      ],
      [{ type: 'multipart/form-data', bytes: pdf() }, 'malformed_form'],
      [
        {
          type: 'multipart/form-data; boundary=x',
          bytes: Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-'),
        },
        'malformed_form',
      ],
      [form([['file', '', file]]), 'empty_file'],
      [
        form([
          ['file', pdf(), file],
          ['attached_to', 'bill'],
        ]),
        'bad_reference',
      ],
      [
        form([
          ['file', pdf(), file],
          ['attached_to', '[{"type":"bill"}]'],
        ]),
        'required',
      ],
      [
        form([
          ['file', pdf(), file],
          ['document_type', 'poem'],
        ]),
        'unknown_value',
      ],
    ] as const
    for (const [{ type, bytes }, code] of forms) {
      const answer = await send(caller, bytes, { type, name: '' })
      assert.deepEqual([answer.statusCode, answer.json().error_code], [400, code], answer.body)
    }
    assert.equal((await send(caller, Buffer.alloc(0))).json().error_code, 'body_required')
  })

  test('with a dry run answers the same and keeps neither document nor content; with an Idempotency-Key it is done once', async () => {
    const caller = await newCaller(service)
    const bytes = pdf()
    const tried = await send(caller, bytes, { headers: { prefer: 'dry-run' } })
    assert.equal(tried.statusCode, 201, tried.body)
    assert.equal(existsSync(placeOf(caller.org, bytes)), false)
    const headers = { 'idempotency-key': newId() }
    const [first, second] = [await send(caller, bytes, { headers }), await send(caller, bytes, { headers })]
    assert.deepEqual([second.statusCode, second.body, second.headers['idempotent-replayed']], [201, first.body, 'true'])
    assert.equal((await send(caller, pdf('another'), { headers })).json().error_code, 'idempotency_key_reused')
    assert.equal((await caller.get(path)).json().total, 1)
  })
})

describe('the content of an upload', { concurrency: 8 }, () => {
  const docx = (...names: string[]) =>
    Buffer.from(`PK\x03\x04${['[Content_Types].xml', ...names].join('\0\0')}`, 'latin1')
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1')
  const mail = Buffer.from('Received: from a by b\r\nFrom: a@example.com\r\nSubject: Invoice\r\n\r\nHello\r\n')
  const office = 'application/vnd.openxmlformats-officedocument'

  for (const [name, bytes, type, found] of [
    ['a.pdf', pdf(), 'application/pdf', 'application/pdf'],
    ['a', pdf(), 'application/octet-stream', 'application/pdf'],
    ['a.png', png, '', 'image/png'],
    ['a.jpeg', Buffer.from('\xff\xd8\xff\xe0 dots', 'latin1'), 'image/jpg', 'image/jpeg'],
    ['a.gif', Buffer.from('GIF89a dots'), 'image/gif', 'image/gif'],
    ['a.webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'), 'image/webp', 'image/webp'],
    ['a.tif', Buffer.from('II*\0dots', 'latin1'), 'image/tiff', 'image/tiff'],
    ['a.heic', heic, 'image/heif', 'image/heic'],
    ['a.docx', docx('word/document.xml'), `${office}.wordprocessingml.document`, `${office}.wordprocessingml.document`],
    ['a.xlsx', docx('xl/workbook.xml'), 'application/octet-stream', `${office}.spreadsheetml.sheet`],
    ['a.csv', Buffer.from('a,b\n1,2\n'), 'application/vnd.ms-excel', 'text/csv'],
    ['a.txt', Buffer.from('Grüße', 'latin1'), 'text/plain; charset=iso-8859-1', 'text/plain'],
    ['a.xml', Buffer.from('<?xml version="1.0"?><invoice/>'), 'text/xml', 'application/xml'],
    ['a.eml', mail, 'message/rfc822', 'message/rfc822'],
    ['a.edi', Buffer.from('ISA*00*          *00*'), 'application/edi-x12', 'application/edi-x12'],
  ] as const) {
    test(`of ${name} sent as ${type || 'nothing in particular'} is found to be ${found}`, async () => {
      const document = await upload(await newCaller(service), bytes, { type, name })
      assert.equal(document.media_type, found)
      assert.equal(document.file_name, name === 'a' ? 'a.pdf' : name)
    })
  }

  for (const [what, name, bytes, type, code] of [
    [
      'HTML that says it is a PDF',
      'a.pdf',
      Buffer.from('<!doctype html><script>alert(1)</script>'),
      'application/pdf',
      'unsupported_media_type',
    ],
    ['HTML under its own name', 'a.html', Buffer.from('<html>'), 'text/html', 'unsupported_media_type'],
    [
      'HTML behind a comment, as text',
      'a.txt',
      Buffer.from('<!-- a --> <!-- b --><html>'),
      'text/plain',
      'unsupported_media_type',
    ],
    [
      'a drawing that can run scripts',
      'a.svg',
      Buffer.from('<svg onload="alert(1)"/>'),
      'image/svg+xml',
      'unsupported_media_type',
    ],
    [
      'such a drawing as XML',
      'a.xml',
      Buffer.from('<?xml version="1.0"?><svg/>'),
      'application/xml',
      'unsupported_media_type',
    ],
    ['a program', 'a.pdf', Buffer.from('MZ\x90\0\x03\0', 'latin1'), 'application/pdf', 'unsupported_media_type'],
    [
      'an archive',
      'a.zip',
      Buffer.from('PK\x03\x04anything', 'latin1'),
      'application/octet-stream',
      'unsupported_media_type',
    ],
    [
      'a document with macros',
      'a.docx',
      docx('word/document.xml', 'word/vbaProject.bin'),
      '',
      'unsupported_media_type',
    ],
    ['a picture that says it is a PDF', 'a.pdf', png, 'application/pdf', 'content_mismatch'],
    ['a PDF that says it is a picture', 'a.png', pdf(), 'image/png', 'content_mismatch'],
    ['text that says it is XML', 'a.xml', Buffer.from('plain'), 'application/xml', 'content_mismatch'],
    ['a picture whose name says it is a page', 'a.html', png, 'image/png', 'content_mismatch'],
    ['a PDF whose name says it is a program', 'invoice.pdf.exe', pdf(), 'application/pdf', 'content_mismatch'],
  ] as const) {
    test(`is held against its type and name: ${what} is a 415, and nothing is kept`, async () => {
      const caller = await newCaller(service)
      const answer = await send(caller, bytes, { type, name })
      assert.deepEqual([answer.statusCode, answer.json().error_code], [415, code], answer.body)
      assert.equal(existsSync(placeOf(caller.org, bytes)), false)
    })
  }

  test('has a name without folders, invisible characters and turned directions', async () => {
    const caller = await newCaller(service)
    const named = async (header: string) =>
      (await upload(caller, pdf(), { name: '', headers: { 'content-disposition': header } })).file_name
    assert.equal(await named('attachment; filename="../../etc/passwd.pdf"'), 'passwd.pdf')
    assert.equal(
      await named(
        `attachment; filename="x"; filename*=UTF-8''${encodeURIComponent('C:\\scans\\r\u202efdp.\u0007pdf')}`,
      ),
      'rfdp.pdf',
    )
    assert.equal(await named('attachment'), 'document.pdf')
    assert.ok((await named(`attachment; filename="${'a'.repeat(500)}.pdf"`)).endsWith('a.pdf'))
  })
})

describe('a download', { concurrency: 8 }, () => {
  test('can run nothing: it is saved under the type that was found, and only PDF and pictures may be shown', async () => {
    const caller = await newCaller(service)
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent('Rechnung “7”.pdf')}`
    const shown = await upload(caller, pdf(), { name: '', headers: { 'content-disposition': disposition } })
    const saved = await upload(caller, Buffer.from('a,b\n'), { name: 'a.csv', type: 'text/csv' })
    const { headers } = await caller.get(`${path}/${shown.id}/content`)
    assert.equal(headers['content-type'], 'application/pdf')
    assert.equal(
      headers['content-disposition'],
      `attachment; filename="Rechnung _7_.pdf"; filename*=UTF-8''Rechnung%20%E2%80%9C7%E2%80%9D.pdf`,
    )
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'; frame-ancestors 'none'")
    assert.equal(headers['x-frame-options'], 'DENY')
    assert.equal(headers['cache-control'], 'private, no-cache')
    assert.match(
      String((await caller.get(`${path}/${shown.id}/content?inline=true`)).headers['content-disposition']),
      /^inline;/,
    )
    assert.match(
      String((await caller.get(`${path}/${saved.id}/content?inline=true`)).headers['content-disposition']),
      /^attachment;/,
    )
  })

  test('answers parts, 304 to who has the content, and its length to HEAD', async () => {
    const caller = await newCaller(service)
    const bytes = pdf()
    const { id, sha256 } = await upload(caller, bytes)
    const url = `${path}/${id}/content`
    for (const [range, status, part, place] of [
      ['bytes=5-9', 206, bytes.subarray(5, 10), `bytes 5-9/${bytes.length}`],
      ['bytes=-4', 206, bytes.subarray(-4), `bytes ${bytes.length - 4}-${bytes.length - 1}/${bytes.length}`],
      ['bytes=9-', 206, bytes.subarray(9), `bytes 9-${bytes.length - 1}/${bytes.length}`],
      ['bytes=9999-', 200, bytes, undefined],
    ] as const) {
      const answer = await caller.get(url, { range })
      assert.deepEqual(
        [answer.statusCode, answer.headers['content-range'], answer.rawPayload],
        [status, place, part],
        range,
      )
    }
    assert.equal((await caller.get(url, { range: 'bytes=0-1', 'if-range': '"another"' })).statusCode, 200)
    assert.equal((await caller.get(url, { 'if-none-match': `"${sha256}"` })).statusCode, 304)
    const head = await caller.call('HEAD', url)
    assert.deepEqual([head.statusCode, head.headers['content-length'], head.body], [200, String(bytes.length), ''])
  })

  test('of a file that is gone from the storage is a 503, and the doctor names it', async () => {
    const caller = await newCaller(service)
    const bytes = pdf()
    const { id } = await upload(caller, bytes)
    rmSync(placeOf(caller.org, bytes))
    assert.equal((await caller.get(`${path}/${id}/content`)).statusCode, 503)
  })
})

describe('what a document is attached to', { concurrency: 8 }, () => {
  test('decides which scopes it takes to read, list, change, download and delete it', async () => {
    const caller = await newCaller(service)
    const bill = await newBill(caller)
    const invoice = await make(caller, '/api/v1/invoices', {})
    const customer = await make(caller, '/api/v1/customers', { name: 'Acme' })
    const payment = (direction: string, party: string) =>
      make(caller, '/api/v1/payments', {
        direction,
        [party]: newId(),
        currency_id: 'usd',
        amount: 1,
        method: 'wire',
        status: 'draft',
      })
    const cases: [attached: string[], scopes: Scope[]][] = [
      [[], ['bills']],
      [[`bill:${bill}`], ['bills']],
      [[`invoice:${invoice}`], ['invoices']],
      [
        [`bill:${bill}`, `invoice:${invoice}`],
        ['bills', 'invoices'],
      ],
      [[`customer:${customer}`], ['customers']],
      [[`payment:${await payment('out', 'partner_carrier_id')}`], ['bills']],
      [[`payment:${await payment('in', 'customer_id')}`], ['invoices']],
      [[`credit:${await make(caller, '/api/v1/credits', { direction: 'in' })}`], ['invoices']],
      [
        [
          `carrier_invoice:${await make(caller, '/api/v1/carrier_invoices', { invoice_number: 'INV-1', currency_id: 'usd' })}`,
        ],
        ['bills'],
      ],
      [
        [
          `consolidated_bill:${await make(caller, '/api/v1/consolidated_bills', { bill_ids: [await savedBill(caller)] })}`,
        ],
        ['consolidated_bills'],
      ],
    ]
    for (const [attached, scopes] of cases) {
      const query = `?attached_to=${attached.join()}`
      const { id } = await upload(caller, pdf(), { query })
      const able = callerIn(service, caller.org, scopes)
      assert.equal((await able.get(`${path}/${id}`)).statusCode, 200, attached.join())
      assert.equal((await able.get(`${path}/${id}/content`)).statusCode, 200)
      assert.ok((await able.get(path)).json().documents.some((one: { id: string }) => one.id === id))
      for (const scope of scopes) {
        const unable = callerIn(
          service,
          caller.org,
          scopeNames.filter((name) => name !== scope),
        )
        for (const [method, url, body] of [
          ['GET', `${path}/${id}`],
          ['GET', `${path}/${id}/content`],
          ['GET', `${path}/${id}/history`],
          ['PUT', `${path}/${id}`, { document_type: 'pod' }],
          ['DELETE', `${path}/${id}`],
        ] as const) {
          const answer = await unable.call(method, url, body)
          assert.deepEqual(
            [answer.statusCode, answer.json().error_code],
            [403, 'insufficient_scope'],
            `${method} ${url} without ${scope}`,
          )
        }
        assert.ok(
          !(await unable.get(`${path}?limit=200`)).json().documents.some((one: { id: string }) => one.id === id),
        )
        assert.equal((await send(unable, pdf(), { query })).statusCode, 403)
      }
    }
  })

  test('must be there, in this organization, and be of its type', async () => {
    const [caller, other] = [await newCaller(service), await newCaller(service)]
    const theirs = await newBill(other)
    const customer = await make(caller, '/api/v1/customers', { name: 'Acme' })
    const wrong = [
      `bill:${theirs}`,
      `bill:${newId()}`,
      `order:${customer}`,
      `poem:${customer}`,
      `invoice:${await newBill(caller)}`,
    ]
    for (const name of wrong) {
      const answer = await send(caller, pdf(), { query: `?attached_to=${name}` })
      assert.deepEqual([answer.statusCode, answer.json().error_code], [400, 'unknown_record'], name)
    }
    const { id } = await upload(caller)
    const [type, record] = (wrong[0] as string).split(':')
    assert.equal(
      (await caller.call('PUT', `${path}/${id}`, { attached_to: [{ type, id: record }] })).json().error_code,
      'unknown_record',
    )
    assert.equal((await caller.get(path)).json().total, 1)
  })

  test('names records by their external ids and numbers, in forms, parameters, changes and searches', async () => {
    const caller = await newCaller(service)
    const bill = await newBill(caller, { external_id: 'B-1' })
    await caller.call('POST', `/api/v1/bills/${bill}/save`)
    const number = (await caller.get(`/api/v1/bills/${bill}`)).json().bill.number
    const carrier = await make(caller, '/api/v1/partner_carriers', { name: 'Carrier', external_id: 'C-1' })
    const full = (await caller.get(`/api/v1/partner_carriers/${carrier}`)).json().partner_carrier.full_id
    const both = ['bill', 'partner']
    const typesOf = (document: { attached_to: { type: string }[] }) =>
      document.attached_to.map(({ type }) => type).sort()
    const file = { name: 'a.pdf', type: 'application/pdf' }
    const asFields = form([
      ['file', pdf(), file],
      ['attached_to', 'bill:ext:B-1'],
      ['attached_to', `partner_carrier:${full}`],
    ])
    const json = [
      { type: 'bill', id: number },
      { type: 'partner', id: 'external_id:C-1' },
    ]
    const asJson = form([
      ['file', pdf(), file],
      ['attached_to', JSON.stringify(json)],
    ])
    for (const { bytes, type } of [asFields, asJson])
      assert.deepEqual(typesOf(await upload(caller, bytes, { type, name: '' })), both)
    const raw = await upload(caller, pdf(), { query: `?attached_to=bill:${number},partner:ext:C-1` })
    assert.deepEqual(typesOf(raw), both)
    const changed = await caller.call('PUT', `${path}/${raw.id}`, { document: { attached_to: [json[1]] } })
    assert.deepEqual(changed.json().document?.attached_to, [{ type: 'partner', id: carrier }], changed.body)
    for (const [name, total] of [
      [`bill:${number}`, 2],
      ['bill:ext:B-1', 2],
      ['partner_carrier:ext:C-1', 3],
    ] as const)
      assert.equal((await caller.get(`${path}?attached_to=${name}`)).json().total, total, name)
    for (const answer of [
      await caller.get(`${path}?attached_to=bill:ext:none`),
      await send(caller, pdf(), { query: '?attached_to=bill:BILL-999999' }),
      await caller.call('PUT', `${path}/${raw.id}`, { attached_to: [{ type: 'bill', id: 'ext:none' }] }),
    ])
      assert.deepEqual([answer.statusCode, answer.json().error_code], [400, 'unknown_reference'], answer.body)
  })

  test('can be of any kind of object, also one that the organization has defined', async () => {
    const caller = applicationIn(service, (await newCaller(service)).org)
    const v2 = '/api/v2/platformModel'
    assert.equal(
      (await caller.call('POST', `${v2}/definitions`, { objectKey: 'dockCheck', name: 'Dock check', prefix: 'DOCK' }))
        .statusCode,
      201,
    )
    const check = (
      await caller.call('PATCH', `${v2}/objects`, { objectKey: 'dockCheck', json: { name: 'One', externalId: 'D-1' } })
    ).json().id
    const carrier = await make(caller, '/api/v1/partner_carriers', { name: 'Carrier' })
    const { attached_to } = await upload(caller, pdf(), {
      query: `?attached_to=dock_check:${check},partner_carrier:${carrier}`,
    })
    assert.deepEqual(attached_to.map(({ type }) => type).sort(), ['dock_check', 'partner'])
    for (const name of ['dock_check:ext:D-1', 'dock_check:DOCK-1', `dock_check:${check.toUpperCase()}`])
      assert.equal((await caller.get(`${path}?attached_to=${name}`)).json().total, 1, name)
  })

  test('ends with the record: a document is deleted with the last one, and stays while another holds it', async () => {
    const caller = await newCaller(service)
    const [one, other] = [await newBill(caller), await newBill(caller)]
    const bytes = pdf()
    const only = await upload(caller, bytes, { query: `?attached_to=bill:${one}` })
    const both = await upload(caller, pdf(), { query: `?attached_to=bill:${one},bill:${other}` })
    assert.equal((await caller.call('DELETE', `/api/v1/bills/${one}`)).statusCode, 204)
    for (const url of [`${path}/${only.id}`, `${path}/${only.id}/content`])
      assert.equal((await caller.get(url)).statusCode, 404)
    assert.deepEqual((await caller.get(`${path}/${both.id}`)).json().document.attached_to, [
      { type: 'bill', id: other },
    ])
    assert.equal((await caller.get(path)).json().total, 1)
    await clean(caller)
    assert.equal(existsSync(placeOf(caller.org, bytes)), false)
    assert.equal((await caller.get(`${path}/${both.id}/content`)).statusCode, 200)
    const last = (await caller.events()).at(-1)
    assert.deepEqual([last?.type, last?.subject_id], ['document.deleted', only.id])
    const invoice = await make(caller, '/api/v1/carrier_invoices', { invoice_number: 'INV-1', currency_id: 'usd' })
    const paper = await upload(caller, pdf(), { query: `?attached_to=carrier_invoice:${invoice}` })
    assert.equal((await caller.call('DELETE', `/api/v1/carrier_invoices/${invoice}`)).statusCode, 204)
    assert.equal((await caller.get(`${path}/${paper.id}`)).statusCode, 404)
  })

  test('of an object that is deleted comes back with it', async () => {
    const caller = await newCaller(service)
    const customer = await make(caller, '/api/v1/customers', { name: 'Acme' })
    const { id } = await upload(caller, pdf(), { query: `?attached_to=customer:${customer}` })
    await caller.call('DELETE', `/api/v1/customers/${customer}`)
    await clean(caller)
    await caller.call('POST', `/api/v2/platformModel/objects/${customer}/restore`)
    assert.equal((await caller.get(`${path}?attached_to=customer:${customer}`)).json().documents[0].id, id)
  })

  test('changes with PUT: under If-Match, with an event, never to nothing; what was read can be sent back', async () => {
    const caller = await newCaller(service)
    const [one, other] = [await newBill(caller), await newBill(caller)]
    const { id } = await upload(caller, pdf(), { query: `?attached_to=bill:${one}` })
    const url = `${path}/${id}`
    const changed = await caller.call(
      'PUT',
      url,
      { attached_to: [{ type: 'bill', id: other }], document_type: 'pod', file_name: 'pod' },
      { 'if-match': '"1"' },
    )
    assert.equal(changed.statusCode, 200, changed.body)
    const { document } = changed.json()
    assert.deepEqual(
      [document.attached_to, document.document_type, document.file_name, document.revision],
      [[{ type: 'bill', id: other }], 'pod', 'pod.pdf', 2],
    )
    assert.equal((await caller.call('PUT', url, { document_type: 'bol' }, { 'if-match': '"1"' })).statusCode, 412)
    assert.equal((await caller.call('PUT', url, changed.json())).json().document.revision, 2)
    assert.equal((await caller.call('PUT', url, { attached_to: [] })).json().error_code, 'last_attachment')
    assert.equal((await caller.call('PUT', url, { file_name: 'pod.exe' })).json().error_code, 'bad_name')
    const history = (await caller.get(`${url}/history`)).json().events
    assert.deepEqual(
      history.map(({ type }: { type: string }) => type),
      ['document.updated', 'document.created'],
    )
    assert.deepEqual(history[0].previous.attached_to, [{ type: 'bill', id: one }])
  })
})

test('another organization finds nothing of a document by any route, and its content neither by hash', async () => {
  const [ours, theirs] = [await newCaller(service), await newCaller(service)]
  const bytes = pdf()
  const { id } = await upload(theirs, bytes)
  for (const [method, url, body] of [
    ['GET', `${path}/${id}`],
    ['GET', `${path}/${id}/content`],
    ['GET', `${path}/${id}/history`],
    ['PUT', `${path}/${id}`, { document_type: 'pod' }],
    ['DELETE', `${path}/${id}`],
  ] as const)
    assert.equal((await ours.call(method, url, body)).statusCode, 404, `${method} ${url}`)
  assert.equal((await ours.get(`${path}?sha256=${hashOf(bytes)}`)).json().total, 0)
  // The same content is kept for each organization apart: neither learns that the other has it, nor loses it with the other.
  const own = await upload(ours, bytes)
  await theirs.call('DELETE', `${path}/${id}`)
  await cleanContents(ours, theirs)
  assert.deepEqual([existsSync(placeOf(theirs.org, bytes)), existsSync(placeOf(ours.org, bytes))], [false, true])
  assert.equal((await ours.get(`${path}/${own.id}/content`)).statusCode, 200)
})

test('a search finds by record, type, name, content, time and whether it is attached', async () => {
  const caller = await newCaller(service)
  const bill = await newBill(caller)
  const bytes = pdf()
  await upload(caller, bytes, { name: 'Delivery 4711.pdf', query: `?attached_to=bill:${bill}&document_type=pod` })
  await upload(caller, png, { name: 'photo.png', type: 'image/png' })
  const found = async (query: string) =>
    (await caller.get(`${path}?${query}`)).json().documents.map(({ file_name }: { file_name: string }) => file_name)
  for (const query of [
    `attached_to=bill:${bill}`,
    'document_types=pod,bol',
    'search_term=DELIVERY%204711',
    `sha256=${hashOf(bytes)}`,
    'attached=true',
    'offset=1',
  ])
    assert.deepEqual(await found(query), ['Delivery 4711.pdf'], query)
  assert.deepEqual(await found('attached=false'), ['photo.png'])
  assert.deepEqual(await found('created_end_at=2020-01-01'), [])
  assert.equal((await caller.get(`${path}?attached_to=nonsense`)).json().error_code, 'bad_reference')
})

describe('content and document', { concurrency: 8 }, () => {
  test('are kept once for many documents, and the content is removed with the last', async () => {
    const caller = await newCaller(service)
    const bytes = pdf()
    const [one, other] = [await upload(caller, bytes), await upload(caller, bytes, { name: 'again.pdf' })]
    assert.deepEqual(readdirSync(join(placeOf(caller.org, bytes), '..')), [hashOf(bytes)])
    await caller.call('DELETE', `${path}/${one.id}`)
    await cleanContents(caller)
    assert.deepEqual((await caller.get(`${path}/${other.id}/content`)).rawPayload, bytes)
    await caller.call('DELETE', `${path}/${other.id}`)
    await cleanContents(caller)
    assert.equal(existsSync(placeOf(caller.org, bytes)), false)
  })

  test('end together where the process ends between them: neither is there afterwards', async () => {
    const caller = await newCaller(service)
    const bytes = pdf()
    const received = await receiveUpload(Readable.from([bytes]), { 'content-type': 'application/pdf' }, folder)
    await keepContent(caller.ctx, storage, received)
    // Here it ends: the content is in the storage, and no document has it.
    assert.equal(existsSync(placeOf(caller.org, bytes)), true)
    assert.equal((await caller.get(path)).json().total, 0)
    await deleteUnheld(databaseOf(service, new Set([caller.org])), storage)
    assert.equal(existsSync(placeOf(caller.org, bytes)), true, 'an upload that is under way is left alone')
    await cleanContents(caller)
    assert.equal(existsSync(placeOf(caller.org, bytes)), false)
    assert.equal(await countFiles(caller.org), 0)
    // A request that was only slow, and not ended, puts it there again.
    const { json } = await createDocument(caller.ctx, storage, received, { document_type: 'other', attached_to: [] })
    assert.deepEqual((await caller.get(`${path}/${JSON.parse(json).id}/content`)).rawPayload, bytes)
    rmSync(received.path)
  })

  test('that cannot be written though it arrived whole is a 503, as on a full disk', {
    skip: process.platform !== 'linux',
  }, async () => {
    const body = Readable.from([pdf()])
    // Nobody can make a file there.
    await assert.rejects(receiveUpload(body, { 'content-type': 'application/pdf' }, '/proc/self'), {
      name: 'Refusal',
      kind: 'unavailable',
    })
    assert.equal(body.destroyed && body.readableEnded, true)
  })

  test('are there together or not at all where the storage fails, and the answer is a 503', async () => {
    const failing: Storage = { ...storage, put: () => Promise.reject(new Error('the disk is full')) }
    const caller = await newCaller(service)
    const received = await receiveUpload(Readable.from([pdf()]), { 'content-type': 'application/pdf' }, folder)
    await assert.rejects(
      createDocument(caller.ctx, failing, received, { document_type: 'other', attached_to: [] }),
      /the disk is full/,
    )
    assert.equal(await countFiles(caller.org), 0)
    assert.deepEqual(await caller.events(), [])
    rmSync(received.path)
  })

  test('stay consistent where removing is cut short: it is done again, and an upload in between has its content', async () => {
    const caller = await newCaller(service)
    const bytes = pdf()
    const { id } = await upload(caller, bytes)
    await caller.call('DELETE', `${path}/${id}`)
    const cutShort: Storage = {
      ...storage,
      async remove(key) {
        await storage.remove(key)
        throw new Error('the process ends here')
      },
    }
    const database = databaseOf(service, new Set([caller.org]))
    await assert.rejects(deleteUnheld(database, cutShort, undefined, { content: 0 }), /ends here/)
    assert.deepEqual([existsSync(placeOf(caller.org, bytes)), await countFiles(caller.org)], [false, 1])
    const again = await upload(caller, bytes)
    await cleanContents(caller)
    assert.deepEqual((await caller.get(`${path}/${again.id}/content`)).rawPayload, bytes)
  })

  test('a document that nobody attaches is deleted after a day; files of uploads that were cut short too', async () => {
    const caller = await newCaller(service)
    const { id } = await upload(caller)
    await deleteUnheld(databaseOf(service, new Set([caller.org])), storage)
    assert.equal((await caller.get(`${path}/${id}`)).statusCode, 200)
    await clean(caller)
    assert.equal((await caller.get(`${path}/${id}`)).statusCode, 404)
    const own = join(folder, '..', `cut-short-${newId()}`)
    await deleteOldUploads(own)
    mkdirSync(own)
    writeFileSync(join(own, 'half'), '%PDF')
    await deleteOldUploads(own)
    assert.deepEqual(readdirSync(own), ['half'])
    await deleteOldUploads(own, -1)
    assert.deepEqual(readdirSync(own), [])
  })

  test('are kept as far as there is room, however many are sent at once; what is deleted makes room', async () => {
    const caller = await newCaller(service)
    const limit = { files: 1_000, bytes: 1_000_000 }
    const few = { ...storage, limits: { organization: { files: 3, bytes: 1_000 }, carrier: limit, link: limit } }
    const keep = async (text: string, place: Storage = few) => {
      const received = await receiveUpload(Readable.from([pdf(text)]), { 'content-type': 'application/pdf' }, folder)
      await keepContent(caller.ctx, place, received)
      return createDocument(caller.ctx, place, received, { document_type: 'other', attached_to: [] })
    }
    const kept = (await Promise.allSettled(['a', 'b', 'c', 'd', 'e', 'f'].map((text) => keep(text)))).filter(
      (one) => one.status === 'fulfilled',
    )
    assert.equal(kept.length, 3)
    assert.equal((await caller.get(`${path}?limit=0`)).json().total, 3)
    await assert.rejects(keep('g'), { code: 'too_many_files', kind: 'conflict' })
    assert.equal((await caller.call('DELETE', `${path}/${kept[0]?.value.id}`)).statusCode, 204)
    await keep('a')
    await assert.rejects(keep('x'.repeat(1_000)), { code: 'storage_full', kind: 'too_large' })
    // What is there already takes no more room.
    const more = { ...storage, limits: { ...few.limits, organization: { files: 10, bytes: 1_000 } } }
    await keep('a', more)
    const usage = await service.database.read(
      caller.org,
      sql`select files::int, bytes::int from file_usage where org_id = ${caller.org}`,
    )
    const [there] = await service.database.read(
      caller.org,
      sql`
      select (select count(*)::int from document_files where org_id = ${caller.org}) as files,
        (select sum(size)::int from stored_files where org_id = ${caller.org}) as bytes`,
    )
    assert.deepEqual(usage, [there])
    await deleteUnheld(databaseOf(service, new Set([caller.org])), storage, undefined, { unattached: -1, content: -1 })
    assert.deepEqual(
      await service.database.read(
        caller.org,
        sql`select files::int, bytes::int from file_usage where org_id = ${caller.org}`,
      ),
      [{ files: 0, bytes: 0 }],
    )
  })

  test('are held against each other by the doctor: what is missing, cut or changed in the storage, and what no row knows', async () => {
    const own = {
      ...service.settings,
      documents: { kind: 'directory', path: join(storage.name, '..', `doctor-${newId()}`) },
    } as const
    const place = openStorage(own)
    const caller = await newCaller(service)
    const files = await Promise.all(
      ['a', 'b', 'c', 'd'].map((text) =>
        receiveUpload(Readable.from([pdf(text)]), { 'content-type': 'application/pdf' }, folder),
      ),
    )
    for (const file of files) await createDocument(caller.ctx, place, file, { document_type: 'other', attached_to: [] })
    const pool = databaseOf(service, new Set([caller.org])).pool
    const ofOurs = {
      ...pool,
      run: (async (statement: never) =>
        (await service.pool.run(statement)).filter((row) => row.org === caller.org)) as never,
    }
    assert.deepEqual(await verifyDocuments(ofOurs, place, { deep: true }), { checked: 4, faults: [], unknown: [] })
    const placeIn = (index: number) =>
      join(place.name, pathOf({ org: caller.org, sha256: files[index]?.sha256 as string }))
    rmSync(placeIn(0))
    truncateSync(placeIn(1), 3)
    writeFileSync(placeIn(2), Buffer.alloc(files[2]?.size as number))
    const unknown = { org: caller.org, sha256: hashOf(pdf('unknown')) }
    await place.put(unknown, files[3]?.path as string, files[3]?.size as number)
    const found = await verifyDocuments(ofOurs, place, { deep: true })
    assert.deepEqual(
      found.faults.map((fault) => fault.replace(/^\S+ /, '')).sort(),
      [
        'has 3 bytes in the storage, and was sent with 42.',
        'has other content in the storage than was sent.',
        'is missing in the storage.',
      ].map((text) => text.replace('42', String(files[1]?.size))),
    )
    assert.deepEqual(found.unknown, [`${unknown.org}/${unknown.sha256}`])
    for (const file of files) rmSync(file.path)
  })

  async function countFiles(org: string): Promise<number> {
    return (await service.pool.run(sql`select sha256 from stored_files where org_id = ${org}`)).length
  }
})

/** Whether a file with these bytes is where files arrive. Others are there meanwhile, and go. */
function hasArriving(bytes: Buffer): boolean {
  if (!existsSync(folder)) return false
  return readdirSync(folder).some((name) => {
    try {
      return readFileSync(join(folder, name)).equals(bytes)
    } catch {
      return false
    }
  })
}

/** Removed once the answer has gone out. */
async function whenNothingHas(bytes: Buffer): Promise<void> {
  while (hasArriving(bytes)) await soon()
}

async function savedBill(caller: Caller, body: object = {}): Promise<string> {
  const id = await newBill(caller, body)
  assert.equal((await caller.call('POST', `/api/v1/bills/${id}/save`)).statusCode, 200)
  return id
}
