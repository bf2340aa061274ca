import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { crc32, deflateSync } from 'node:zlib'
import type { Context } from '../../platform/context.ts'
import { createDocument } from '../../platform/files/actions.ts'
import { uploadFolder } from '../../platform/files/contents/folders.ts'
import { receiveUpload } from '../../platform/files/contents/receive.ts'
import type { DocumentType } from '../../platform/files/model.ts'
import { openStorage } from '../../platform/files/storage/open.ts'
import type { Settings } from '../../settings.ts'

/** Proofs of delivery and invoices on the oldest bills, and a photograph of a seal on one: made here, so that the program carries no files for it. */
export async function fillPapers(ctx: Context, settings: Settings, bills: readonly string[]): Promise<void> {
  for (const [index, bill] of bills.slice(0, 12).entries()) {
    const number = 20_400 + index
    const pod = pdfOf('Proof of delivery', [
      `PRO ${number}`,
      'Received in full and in good order.',
      'Signed: J. Alvarez, dock 4',
      `Pieces: ${18 + index}`,
      `Weight: ${9_400 + index * 310} lb`,
    ])
    await keepPaper(ctx, settings, { type: 'bill', id: bill }, { name: `pod-${number}.pdf`, type: 'pod', bytes: pod })
    if (index % 3 !== 0) continue
    const invoice = pdfOf(`Invoice INV-${7_310 + index * 7}`, [
      `PRO ${number}`,
      'Line haul, fuel surcharge and accessorials as agreed.',
      'Remit within terms.',
    ])
    await keepPaper(
      ctx,
      settings,
      { type: 'bill', id: bill },
      { name: `invoice-${7_310 + index * 7}.pdf`, type: 'invoice', bytes: invoice },
    )
    if (index === 0)
      await keepPaper(
        ctx,
        settings,
        { type: 'bill', id: bill },
        { name: 'seal.png', type: 'other', bytes: pictureOf(240, 160) },
      )
  }
}

type Paper = { name: string; type: DocumentType; bytes: Buffer }

/** Through the same check as everybody's files. */
export async function keepPaper(
  ctx: Context,
  settings: Settings,
  record: { type: string; id: string },
  { name, type, bytes }: Paper,
): Promise<void> {
  const headers = { 'content-disposition': `attachment; filename="${name}"` }
  const upload = await receiveUpload(Readable.from([bytes]), headers, uploadFolder(settings))
  try {
    await createDocument(ctx, openStorage(settings), upload, { document_type: type, attached_to: [record] })
  } finally {
    await rm(upload.path, { force: true })
  }
}

/** One page with a title and lines under it. */
export function pdfOf(title: string, lines: readonly string[]): Buffer {
  const escaped = (text: string) => text.replace(/[\\()]/g, '\\$&')
  const text = [
    `BT /F1 22 Tf 72 700 Td (${escaped(title)}) Tj`,
    ...lines.map((line) => `/F1 12 Tf 0 -26 Td (${escaped(line)}) Tj`),
    'ET',
  ].join('\n')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>',
    `<</Length ${text.length}>>stream\n${text}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file + end, 'latin1')
}

/** A picture in two colours: something to look at that weighs nothing. */
export function pictureOf(width: number, height: number): Buffer {
  const rows = Array.from({ length: height }, (_, y) => {
    const dots = Array.from({ length: width }, (_, x) =>
      (x - width / 2) ** 2 + (y - height / 2) ** 2 < 2_500 ? [178, 58, 46] : [203, 213, 225],
    )
    return Buffer.from([0, ...dots.flat()])
  })
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
