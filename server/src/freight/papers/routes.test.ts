import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readPdf } from '../../../test/pdf.ts'
import { pngBomb as bomb, pngOf as png } from '../../../test/png.ts'
import { applicationIn, type Caller, callerIn, newCaller, sharedService } from '../../../test/service.ts'
import { mailJob } from '../../platform/mail/delivering.ts'
import type { Mail } from '../../platform/mail/model.ts'
import type { OutgoingMessage } from '../../platform/mail/transport.ts'

const service = await sharedService()
const v1 = '/api/v1'

async function make(caller: Caller, path: string, body: object): Promise<Record<string, string> & { id: string }> {
  const answer = await caller.call('POST', `${v1}/${path}`, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return Object.values(answer.json())[0] as Record<string, string> & { id: string }
}

async function pdfOf(caller: Caller, path: string) {
  const answer = await caller.get(`${v1}/${path}/pdf`)
  assert.deepEqual(
    [answer.statusCode, answer.headers['content-type']],
    [200, 'application/pdf'],
    answer.body.slice(0, 500),
  )
  assert.equal(answer.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
  return { ...(await readPdf(answer.rawPayload)), file: answer.rawPayload, headers: answer.headers }
}

async function invoice(caller: Caller, body: object = {}, ...moves: string[]): Promise<string> {
  const { id } = await make(caller, 'invoices', {
    currency_id: 'usd',
    items: [{ unit_price: 185000, description: 'Freight Oakland to Seattle' }],
    ...body,
  })
  for (const move of ['save', ...moves])
    assert.equal((await caller.call('POST', `${v1}/invoices/${id}/${move}`)).statusCode, 200)
  return id
}

const outbox = async (caller: Caller, query = ''): Promise<Mail[]> =>
  (await caller.get(`${v1}/mails?limit=50${query}`)).json().mails

/** What a mail server would get of an organization. */
async function sent(caller: Caller): Promise<OutgoingMessage[]> {
  const all: OutgoingMessage[] = []
  const transport = {
    leaves: 'sent' as const,
    reach: async () => {},
    async send(outgoing: OutgoingMessage) {
      all.push(outgoing)
      return { accepted: outgoing.to, refused: [], later: [] }
    },
    close() {},
  }
  await mailJob({ database: service.database, transport, from: service.settings.mail.from, onlyIn: caller.org }).run(
    new AbortController().signal,
  )
  return all
}

/** Those that set many letters take long. */

describe('the paper', { concurrency: true }, () => {
  test('of an invoice has who it is from, to whom, what for, and what is due; the same content is the same bytes', async () => {
    const caller = applicationIn(service, (await newCaller(service)).org)
    await caller.call('PUT', `${v1}/organization`, {
      name: 'Blue Ridge Freight',
      address: { address_1: '1 Harbor Way', city: 'Oakland', state: 'CA', country: 'US' },
    })
    const term = await make(caller, 'pay_terms', { name: 'Net 30', number_of_days: 30 })
    const id = await invoice(caller, {
      ...{
        pay_term_id: term.id,
        invoice_date: '2026-11-01',
        reference_number: 'PO-7',
        notes: 'Thank you.',
        is_tax_on: true,
        tax_amount: 1550,
      },
      bill_to: { company_name: 'Acme Foods', city: 'Seattle', state: 'WA', postal: '98101' },
    })
    const { text, info, file, headers, pages } = await pdfOf(caller, `invoices/${id}`)
    for (const part of [
      'Blue Ridge Freight',
      '1 Harbor Way',
      'Invoice',
      'INV-000001',
      'Acme Foods',
      'Seattle, WA 98101',
      '1 Nov 2026',
      '1 Dec 2026',
      'Net 30',
      'PO-7',
    ])
      assert.ok(text.includes(part), part)
    for (const part of [
      'Freight Oakland to Seattle',
      '1,850.00',
      '15.50 USD',
      '1,865.50 USD',
      'Thank you.',
      'Page 1 of 1',
    ])
      assert.ok(text.includes(part), part)
    assert.deepEqual([info.Title, info.Author, pages.length], ['Invoice INV-000001', 'Blue Ridge Freight', 1])
    assert.match(String(headers['content-disposition']), /^inline; filename="INV-000001.pdf"/)
    assert.deepEqual((await pdfOf(caller, `invoices/${id}`)).file, file)
    const asked = await caller.get(`${v1}/invoices/${id}`, { accept: 'application/pdf' })
    assert.deepEqual([asked.statusCode, asked.rawPayload.equals(file)], [200, true])
    assert.equal(
      (await caller.get(`${v1}/invoices/${id}`, { accept: 'application/json, application/pdf;q=0.5' })).json().invoice
        .id,
      id,
    )
    assert.equal((await caller.get(`${v1}/invoices/${id}/pdf`, { accept: 'application/json' })).statusCode, 406)
  })

  test('has right-to-left names in the order in which they are read, with their letters joined, and other scripts', async () => {
    const caller = await newCaller(service)
    const id = await invoice(caller, {
      bill_to: {
        company_name: 'חברת (ABC) שלום 42',
        contact_name: 'شركة النقل',
        address_1: 'Łódź ul. Ćwiartki',
        city: 'Ελλάδα',
        state: 'Москва',
      },
    })
    const { text } = await pdfOf(caller, `invoices/${id}`)
    // A viewer gives the words as they stand on the page, from left to right.
    assert.ok(text.includes('42 שלום (ABC) חברת'), text)
    for (const part of ['Łódź', 'Ελλάδα', 'Москва']) assert.ok(text.includes(part), part)
    // Dots of letters are glyphs of their own in the font, so a viewer finds some of the letters only.
    assert.match(text.normalize('NFKC'), /ركة/)
  })

  test('has names in Chinese, Japanese and Korean, each in the forms of its language, and stays small', async () => {
    const caller = await newCaller(service)
    const id = await invoice(caller, {
      bill_to: {
        company_name: '上海远洋国际物流有限公司',
        contact_name: '王小明',
        address_1: '浦东新区世纪大道100号',
        city: '臺灣貿易運輸',
      },
      remit_to: {
        company_name: '株式会社トランスポート東京',
        contact_name: '髙橋 花子',
        address_1: '丸の内１丁目',
        city: '대한통운 주식회사',
        state: '서울특별시 강남구 테헤란로',
      },
    })
    const { text, file } = await pdfOf(caller, `invoices/${id}`)
    for (const part of [
      '上海远洋国际物流有限公司',
      '王小明',
      '浦东新区世纪大道100号',
      '臺灣貿易運輸',
      '株式会社トランスポート東京',
      '髙橋 花子',
      '丸の内',
    ])
      assert.ok(text.includes(part), `${part} in ${text}`)
    for (const part of ['대한통운 주식회사', '서울특별시 강남구', '테헤란로'])
      assert.ok(text.includes(part), `${part} in ${text}`)
    assert.doesNotMatch(text, /U\+/)
    for (const language of ['sc', 'jp', 'kr']) assert.ok(file.includes(`noto-sans-${language}-`), language)
    // The fonts have thousands of characters; the file has those that are used.
    assert.ok(file.length < 150_000, `${file.length} bytes`)
    assert.deepEqual((await pdfOf(caller, `invoices/${id}`)).file, file)
  })

  test('names a character that no font has by its code point, and draws no empty boxes', async () => {
    const caller = await newCaller(service)
    const notes = 'Thai กข end. Truck 🚚. Variant 辻\u{e0100}. Mark x\u030c. Joined का\u200d. Wide　space\u200b.'
    const { text } = await pdfOf(caller, `invoices/${await invoice(caller, { notes })}`)
    for (const part of ['Thai [U+0E01 U+0E02] end.', 'Truck [U+1F69A].', 'Variant 辻.', 'Wide space.'])
      assert.ok(text.includes(part), `${part} in ${text}`)
    assert.match(text, /Mark x(?:\u030c|\[U\+030C\])\./)
    assert.ok(!text.includes('\0') && !text.includes('\ufffd'), text)
  })

  test('goes over pages with 200 lines, the head of the table on each, long texts broken, and nothing lost', async () => {
    const caller = await newCaller(service)
    const items = Array.from({ length: 200 }, (_, n) => ({
      unit_price: 1000 + n,
      description: n % 10 === 0 ? `L${n} ${'word '.repeat(60)}${'x'.repeat(200)}` : `L${n} end`,
    }))
    const id = await invoice(caller, { items, notes: Array.from({ length: 120 }, (_, n) => `Note ${n}.`).join('\n') })
    const { pages, text } = await pdfOf(caller, `invoices/${id}`)
    assert.ok(pages.length > 8, `${pages.length} pages`)
    for (const [n, page] of pages.entries())
      assert.ok(page.includes(`Page ${n + 1} of ${pages.length}`), `page ${n + 1}`)
    const withLines = pages.filter((page) => /\bL\d+ /.test(page))
    for (const page of withLines) assert.match(page, /Description *Quantity *Unit price *Amount/)
    for (let n = 0; n < 200; n++) assert.ok(text.includes(`L${n} `), `line ${n}`)
    for (let n = 0; n < 120; n++) assert.ok(text.includes(`Note ${n}.`), `note ${n}`)
    assert.equal(text.match(/x/g)?.length, 20 * 200 + (text.match(/Tax|ex/g)?.length ?? 0))
  })

  test('has the digits of every currency', async () => {
    const caller = await newCaller(service)
    const { currencies } = (await caller.get(`${v1}/currencies?limit=200`)).json() as {
      currencies: { id: string; minor_units: number }[]
    }
    const samples = [...Map.groupBy(currencies, ({ minor_units }) => minor_units).values()].map(
      ([one]) => one as { id: string; minor_units: number },
    )
    assert.ok(
      samples.some(({ minor_units }) => minor_units === 0) && samples.some(({ minor_units }) => minor_units === 3),
    )
    for (const { id: currency_id, minor_units } of samples) {
      const { text } = await pdfOf(
        caller,
        `invoices/${await invoice(caller, { currency_id, items: [{ unit_price: 1234567 }, { unit_price: -5 }] })}`,
      )
      const expected = { 0: '1,234,562', 1: '123,456.2', 2: '12,345.62', 3: '1,234.562', 4: '123.4562' }[minor_units]
      assert.ok(text.includes(`${expected} ${currency_id.toUpperCase()}`), `${currency_id} ${text}`)
      assert.ok(text.includes({ 0: '-5', 2: '-0.05', 3: '-0.005', 4: '-0.0005' }[minor_units] ?? '-'), currency_id)
    }
  })

  test('of a draft and of what was voided says so', async () => {
    const caller = await newCaller(service)
    const { id } = await make(caller, 'bills', { currency_id: 'usd', items: [{ unit_price: 5 }] })
    assert.match((await pdfOf(caller, `bills/${id}`)).text, /DRAFT/)
    await caller.call('POST', `${v1}/bills/${id}/save`)
    assert.doesNotMatch((await pdfOf(caller, `bills/${id}`)).text, /DRAFT|VOID/)
    await caller.call('POST', `${v1}/bills/${id}/void`, { reason: 'x' })
    assert.match((await pdfOf(caller, `bills/${id}`)).text, /VOID/)
  })

  test('is there of credits, statements, payments, manifests, orders and of what a customer owes', async () => {
    const caller = await newCaller(service)
    const partner = await make(caller, 'partner_carriers', { name: 'Cascade Carriers', email: 'ap@cascade.example' })
    const customer = await make(caller, 'customers', { name: 'Acme Foods' })
    const credit = await make(caller, 'credits', {
      direction: 'in',
      customer_id: customer.id,
      currency_id: 'usd',
      items: [{ unit_price: 500 }],
    })
    assert.match((await pdfOf(caller, `credits/${credit.id}`)).text, /Credit[\s\S]*Acme Foods/)

    const bill = await make(caller, 'bills', {
      partner_carrier_id: partner.id,
      currency_id: 'usd',
      reference_number: 'C-9',
      items: [{ unit_price: 70000 }],
    })
    await caller.call('POST', `${v1}/bills/${bill.id}/save`)
    const statement = await make(caller, 'consolidated_bills', { bill_ids: [bill.id] })
    assert.match(
      (await pdfOf(caller, `consolidated_bills/${statement.id}`)).text,
      /Carrier statement[\s\S]*Cascade Carriers[\s\S]*BILL-000001 *C-9[\s\S]*700\.00 USD/,
    )

    const payment = await make(caller, 'payments', {
      ...{
        partner_carrier_id: partner.id,
        currency_id: 'usd',
        amount: 30000,
        method: 'ach',
        reference_number: 'ACH-1',
      },
      allocations: [{ bill_id: bill.id, amount: 25000 }],
    })
    const remittance = (await pdfOf(caller, `payments/${payment.id}`)).text
    assert.match(
      remittance,
      /Remittance advice[\s\S]*PAY-000001[\s\S]*Cascade Carriers[\s\S]*BILL-000001 *C-9.*700\.00.*250\.00[\s\S]*50\.00 USD[\s\S]*300\.00 USD/,
    )

    const order = await make(caller, 'orders', {
      ...{
        customer_id: customer.id,
        reference_number: 'PO-1',
        commodity: 'Frozen peas',
        pieces: 22,
        weight: 18400,
        weight_unit: 'kg',
      },
      pickup: { company_name: 'Acme Plant', city: 'Oakland' },
    })
    assert.match(
      (await pdfOf(caller, `orders/${order.id}`)).text,
      /Bill of lading[\s\S]*Acme Plant[\s\S]*Frozen peas *22 *18,400 kg[\s\S]*signature/,
    )
    await make(caller, 'bill_item_types', { name: 'Line haul' })
    const manifest = await make(caller, 'manifests', {
      ...{ partner_carrier_id: partner.id, reference_number: 'TRIP-1', currency_id: 'usd', order_ids: [order.id] },
      payment_items: [{ type: 'Line haul', unit_price: 90000, quantity: 2 }],
    })
    assert.match(
      (await pdfOf(caller, `manifests/${manifest.id}`)).text,
      /Rate confirmation[\s\S]*Cascade Carriers[\s\S]*Frozen peas[\s\S]*Line haul[\s\S]*1,800\.00 USD/,
    )

    const planned = await make(caller, 'orders', {
      ...{
        customer_id: customer.id,
        equipment_type: 'reefer',
        pickup_at: '2026-11-16T15:00:00Z',
        pickup_by: '2026-11-16T19:00:00Z',
      },
      pickup: { company_name: 'Mesa Cold', city: 'Phoenix', state: 'AZ', country: 'US' },
      ...{
        delivery: { company_name: 'Great Lakes Foods', city: 'Toledo', state: 'OH', country: 'US' },
        deliver_by: '2026-11-19T20:00:00Z',
      },
    })
    const trip = await make(caller, 'manifests', { order_ids: [planned.id] })
    const paper = (await pdfOf(caller, `manifests/${trip.id}`)).text
    // By the clock at each dock, with the name of its zone.
    assert.match(paper, /Mesa Cold[\s\S]*16 Nov 2026, 08:00 – 12:00 MST/)
    assert.match(paper, /Great Lakes Foods[\s\S]*19 Nov 2026, 15:00 EST/)
    assert.match(paper, /reefer[\s\S]*Stops[\s\S]*1\. pickup[\s\S]*2\. delivery/)
    assert.match((await pdfOf(caller, `orders/${planned.id}`)).text, /08:00 – 12:00[\s\S]*MST[\s\S]*15:00 EST/)

    await invoice(caller, { customer_id: customer.id })
    const owed = await caller.get(`${v1}/customers/${customer.id}/statement?currency_id=usd`, {
      accept: 'application/pdf',
    })
    assert.match(
      (await readPdf(owed.rawPayload)).text,
      /Statement[\s\S]*Acme Foods[\s\S]*INV-000001[\s\S]*1,850\.00 USD/,
    )
  })

  test('has the logo of the organization, which is a small PNG or JPEG that an admin sets', async () => {
    const caller = await newCaller(service)
    const admin = callerIn(service, caller.org, undefined, (client) => client)
    const id = await invoice(caller)
    const plain = (await pdfOf(caller, `invoices/${id}`)).file
    const put = (body: Buffer, type = 'image/png', by = admin) =>
      service.app.inject({
        method: 'PUT',
        url: `${v1}/organization/logo`,
        headers: { authorization: `Bearer ${by.token}`, 'content-type': type },
        payload: body,
      })
    assert.equal((await put(png(40, 20), 'image/png', caller)).json().error_code, 'admin_required')
    for (const wrong of [
      Buffer.from('<svg/>'),
      png(40, 20).subarray(0, 60),
      Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]),
      bomb(10, 10),
    ])
      assert.equal((await put(wrong)).json().error_code, 'bad_image')
    assert.equal((await put(png(2000, 2000))).json().error_code, 'image_too_large')
    assert.equal((await put(png(40, 20), 'image/svg+xml')).statusCode, 415)
    assert.equal((await put(Buffer.alloc(2 ** 20 + 1))).statusCode, 413)
    const hasLogo = async () => (await caller.get(`${v1}/organization`)).json().organization.has_logo
    assert.deepEqual([(await admin.get(`${v1}/organization/logo`)).statusCode, await hasLogo()], [404, false])
    assert.equal((await put(png(40, 20))).statusCode, 204)
    assert.equal(await hasLogo(), true)
    assert.deepEqual((await admin.get(`${v1}/organization/logo`)).rawPayload, png(40, 20))
    const { file } = await pdfOf(caller, `invoices/${id}`)
    assert.ok(!file.equals(plain) && file.includes('/Subtype /Image'))
    assert.equal((await admin.call('DELETE', `${v1}/organization/logo`)).statusCode, 204)
    assert.equal(await hasLogo(), false)
    assert.deepEqual((await pdfOf(caller, `invoices/${id}`)).file, plain)
  })

  test('needs the scope of its record, and is the organization’s alone', async () => {
    const caller = await newCaller(service)
    const id = await invoice(caller)
    assert.equal((await callerIn(service, caller.org, ['bills']).get(`${v1}/invoices/${id}/pdf`)).statusCode, 403)
    assert.equal(
      (await callerIn(service, caller.org, ['bills']).get(`${v1}/invoices/${id}`, { accept: 'application/pdf' }))
        .statusCode,
      403,
    )
    assert.equal((await (await newCaller(service)).get(`${v1}/invoices/${id}/pdf`)).statusCode, 404)
    const { id: payment } = await make(caller, 'payments', {
      direction: 'in',
      customer_id: id,
      currency_id: 'usd',
      amount: 5,
    })
    assert.equal((await callerIn(service, caller.org, ['bills']).get(`${v1}/payments/${payment}/pdf`)).statusCode, 403)
    assert.equal(
      (
        await callerIn(service, caller.org, ['bills']).call('POST', `${v1}/payments/${payment}/send`, {
          to: 'a@b.example',
        })
      ).statusCode,
      403,
    )
  })
})

function saidOf(answer: {
  json(): { mailed: boolean; mailed_to: string[]; mail_id: string | null; not_mailed_because: string | null }
}) {
  const { mailed, mailed_to, mail_id, not_mailed_because } = answer.json()
  return [mailed, mailed_to, mail_id, not_mailed_because]
}

describe('send', { concurrency: true }, () => {
  test('mails the document as a PDF to whom it is asked to, with copies, subject and text, in the transaction of the move', async () => {
    const caller = await newCaller(service)
    const id = await invoice(caller, { send_to_email: 'ignored@acme.example' })
    const body = {
      to: ['ap@acme.example', 'AP@acme.example'],
      cc: 'ops@blueridge.example; dana@blueridge.example',
      subject: 'Yours',
      message: 'Here it is.',
    }
    const answer = await caller.call('POST', `${v1}/invoices/${id}/send`, body)
    assert.deepEqual([answer.statusCode, answer.json().invoice.status_id], [200, 'sent'])
    const [mail] = await outbox(caller, `&record_type=invoice&record_id=${id}`)
    assert.deepEqual(saidOf(answer), [true, ['ap@acme.example'], mail?.id, null])
    assert.deepEqual(
      [mail?.to, mail?.cc, mail?.subject, mail?.body_text],
      [['ap@acme.example'], ['ops@blueridge.example', 'dana@blueridge.example'], 'Yours', 'Here it is.'],
    )
    const pdf = (await pdfOf(caller, `invoices/${id}`)).file
    const [outgoing] = await sent(caller)
    assert.ok(
      outgoing?.message.toString().replaceAll('\r\n', '').includes(pdf.toString('base64')),
      'what was sent is the file that is shown',
    )
    assert.deepEqual(
      (await caller.events()).map(({ type }) => type).filter((type) => /mail|sent/.test(type)),
      ['invoice.sent', 'mail.created', 'mail.sent'],
    )
    // Sent already, it is mailed again and stays as it is.
    assert.equal(
      (await caller.call('POST', `${v1}/invoices/${id}/send`, { to: 'new@acme.example' })).json().invoice.status_id,
      'sent',
    )
    assert.equal((await outbox(caller)).length, 2)
  })

  test('takes the addresses of the record where none are sent, and mails nothing without any, and says why', async () => {
    const caller = await newCaller(service)
    await invoice(
      caller,
      { send_to_email: 'ap@acme.example, second@acme.example', cc_to_email: 'copy@blueridge.example' },
      'send',
    )
    const [mail] = await outbox(caller)
    assert.deepEqual([mail?.to, mail?.cc], [['ap@acme.example', 'second@acme.example'], ['copy@blueridge.example']])
    assert.match(mail?.subject ?? '', /^Invoice INV-000001 from /)
    assert.match(mail?.body_text ?? '', /1,850\.00 USD/)
    for (const [fields, why] of [
      [
        {},
        /^No "to" was sent and it has no "send_to_email", so the invoice was marked as sent and nobody was mailed\./,
      ],
      [{ send_to_email: 'no address' }, /its "send_to_email" is "no address", which is no e-mail address/],
    ] as const) {
      const answer = await caller.call('POST', `${v1}/invoices/${await invoice(caller, fields)}/send`)
      assert.deepEqual([answer.statusCode, answer.json().invoice.status_id], [200, 'sent'])
      assert.deepEqual(saidOf(answer).slice(0, 3), [false, [], null])
      assert.match(answer.json().not_mailed_because, why)
    }
    assert.equal((await outbox(caller)).length, 1)
  })

  test('without an address is refused where the organization requires one, and nothing is written', async () => {
    const caller = await newCaller(service)
    const admin = callerIn(service, caller.org, undefined, (client) => client)
    const id = await invoice(caller)
    assert.equal(
      (await admin.call('PUT', `${v1}/organization`, { require_send_address: true })).json().organization
        .require_send_address,
      true,
    )
    const refused = await caller.call('POST', `${v1}/invoices/${id}/send`)
    assert.deepEqual([refused.statusCode, refused.json().error_code], [409, 'address_missing'])
    assert.equal((await caller.get(`${v1}/invoices/${id}`)).json().invoice.status_id, 'saved')
    assert.equal(
      (await caller.call('POST', `${v1}/invoices/${id}/send`, { to: 'not an address' })).json().error_code,
      'bad_email',
    )
    assert.equal((await caller.call('POST', `${v1}/invoices/${id}/send`, { to: 7 })).statusCode, 400)
    for (const [to, message] of [
      [Array.from({ length: 500 }, (_, n) => `a${n}@acme.example`), '"to" can have at most 50 entries.'],
      [[7], '"to.0" must be a string, not "7".'],
    ]) {
      const { details } = (await caller.call('POST', `${v1}/invoices/${id}/send`, { to })).json()
      assert.deepEqual([details.length, details[0].message], [1, message])
    }
    const many = Array.from({ length: 51 }, (_, n) => `a${n}@acme.example`).join(',')
    assert.equal(
      (await caller.call('POST', `${v1}/invoices/${id}/send`, { to: many })).json().error_code,
      'too_many_addresses',
    )
    assert.equal(
      (await caller.call('POST', `${v1}/invoices/${id}/send`, { to: 'a@acme.example' }, { prefer: 'dry-run' }))
        .statusCode,
      200,
    )
    assert.deepEqual(
      [(await outbox(caller)).length, (await caller.get(`${v1}/invoices/${id}`)).json().invoice.status_id],
      [0, 'saved'],
    )
  })

  test('of bills, credits and statements mails each under its own scope', async () => {
    const caller = await newCaller(service)
    const to = { to: 'ap@cascade.example' }
    const bill = await make(caller, 'bills', {
      partner_carrier_id: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15',
      currency_id: 'usd',
      items: [{ unit_price: 5 }],
    })
    const credit = await make(caller, 'credits', { direction: 'in', currency_id: 'usd', items: [{ unit_price: 5 }] })
    for (const path of [`bills/${bill.id}`, `credits/${credit.id}`]) await caller.call('POST', `${v1}/${path}/save`)
    const statement = await make(caller, 'consolidated_bills', { bill_ids: [bill.id] })
    await caller.call('POST', `${v1}/consolidated_bills/${statement.id}/save`)
    for (const path of [`bills/${bill.id}`, `credits/${credit.id}`, `consolidated_bills/${statement.id}`]) {
      assert.deepEqual(saidOf(await caller.call('POST', `${v1}/${path}/send`)).slice(0, 3), [false, [], null])
      const answer = await caller.call('POST', `${v1}/${path}/send`, to)
      assert.equal(answer.statusCode, 200)
      const [mail] = await outbox(caller, `&record_id=${path.split('/')[1]}`)
      assert.deepEqual(saidOf(answer), [true, ['ap@cascade.example'], mail?.id, null])
    }
    const seen = async (scope: 'bills' | 'invoices' | 'consolidated_bills') =>
      (await outbox(callerIn(service, caller.org, [scope]))).map(({ record_type, attachments }) => [
        record_type,
        attachments[0]?.file_name,
      ])
    assert.deepEqual(await seen('bills'), [['bill', 'BILL-000001.pdf']])
    assert.deepEqual(await seen('invoices'), [['credit', 'CR-000001.pdf']])
    assert.deepEqual(await seen('consolidated_bills'), [['consolidated_bill', 'STMT-000001.pdf']])
  })

  test('of a payment mails the remittance advice, and of a customer the statement, to their own address where none is sent', async () => {
    const caller = await newCaller(service)
    const partner = await make(caller, 'partner_carriers', { name: 'Cascade', email: 'ap@cascade.example' })
    const customer = await make(caller, 'customers', { name: 'Acme', email: 'ap@acme.example' })
    const payment = await make(caller, 'payments', {
      partner_carrier_id: partner.id,
      currency_id: 'usd',
      amount: 5,
      method: 'ach',
    })
    const answer = await caller.call('POST', `${v1}/payments/${payment.id}/send`)
    assert.deepEqual(
      [answer.statusCode, answer.json().mail.kind, answer.json().mail.to],
      [202, 'remittance', ['ap@cascade.example']],
    )
    assert.deepEqual(saidOf(answer), [true, ['ap@cascade.example'], answer.json().mail.id, null])
    const owed = await caller.call('POST', `${v1}/customers/${customer.id}/statement/send`, { message: 'Please pay.' })
    assert.deepEqual(
      [owed.statusCode, owed.json().mail.kind, owed.json().mail.to, owed.json().mail.body_text],
      [202, 'statement', ['ap@acme.example'], 'Please pay.'],
    )
    const draft = await make(caller, 'payments', {
      partner_carrier_id: partner.id,
      currency_id: 'usd',
      amount: 5,
      status: 'draft',
    })
    assert.equal((await caller.call('POST', `${v1}/payments/${draft.id}/send`)).json().error_code, 'not_issued')
    const unknown = await make(caller, 'customers', { name: 'Nobody' })
    assert.equal(
      (await caller.call('POST', `${v1}/customers/${unknown.id}/statement/send`)).json().error_code,
      'address_missing',
    )
    assert.equal((await sent(caller)).length, 2)
  })
})
