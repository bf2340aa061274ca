import { quote, Refusal } from '../../core/refusal.ts'
import { declaredType, extensionOf, extensionsOf, isText, mediaTypes, typeOfName } from './media-types.ts'

/** What the check looks at: the beginning and the end of a file, and whether a byte 0 is anywhere in it. */
export type Sample = { head: Buffer; tail: Buffer; hasZero: boolean }

/** How much of the beginning, and of the end, is looked at. */
export const sampleBytes = 64 * 1024

/**
 * The media type of a file, from its content. What the client and the name of the file say must agree with it: a browser that is told another type than
 * the content has may run it, and so may whoever opens a file by the end of its name.
 */
export function checkedType(sample: Sample, fileName: string, header: string | undefined): string {
  const declared = declaredType(header, fileName)
  if (declared === undefined) throw unsupported(`Files of the type ${quote(header ?? '')} are not kept.`)
  const found = typeIn(sample)
  if (found === null) throw unsupported('The content of the file is of no type that is kept.')
  const type =
    found === 'text' ? (declared ?? textType(fileName)) : declared === 'text/plain' && isText(found) ? declared : found
  if ((declared !== null && declared !== type) || (found === 'text' && !isPlainText(type)))
    throw mismatch(
      `The file is said to be ${declared ?? type}, and its content is ${found === 'text' ? 'text' : found}.`,
    )
  const extension = extensionOf(fileName)
  if (extension !== undefined && !extensionsOf(type).includes(extension))
    throw mismatch(
      `The name ${quote(fileName)} ends in ".${extension}", and the content is ${type}: such a name ends in ${endings(type)}.`,
    )
  return type
}

/** Text that no mark at its beginning tells from other text. */
function isPlainText(type: string): boolean {
  return type === 'text/plain' || type === 'text/csv'
}

function textType(fileName: string): string {
  return typeOfName(fileName) ?? 'text/plain'
}

/** `text` where it is nothing more particular; null for what is not kept. */
function typeIn(sample: Sample): string | null {
  const { head } = sample
  const at = (offset: number, mark: string) =>
    head.subarray(offset, offset + mark.length).equals(Buffer.from(mark, 'latin1'))
  // Readers of PDF take it also where something stands before it.
  if (head.subarray(0, 1024).includes('%PDF-')) return 'application/pdf'
  if (at(0, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (at(0, '\xff\xd8\xff')) return 'image/jpeg'
  if (at(0, 'GIF87a') || at(0, 'GIF89a')) return 'image/gif'
  if (at(0, 'RIFF') && at(8, 'WEBP')) return 'image/webp'
  if (at(0, 'II*\0') || at(0, 'MM\0*')) return 'image/tiff'
  if (at(4, 'ftyp') && /^(?:heic|heix|hevc|heim|heis|mif1|msf1)$/.test(head.subarray(8, 12).toString('latin1')))
    return 'image/heic'
  if (at(0, 'PK\x03\x04')) return officeType(sample)
  return sample.hasZero ? null : typeOfText(head)
}

/** Office documents are archives, which name what is in them at their end. With macros they are of types that are not kept. */
function officeType({ head, tail }: Sample): string | null {
  const has = (name: string) => head.includes(name) || tail.includes(name)
  if (!has('[Content_Types].xml') || has('vbaProject')) return null
  if (has('word/document')) return 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  return has('xl/workbook') ? 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' : null
}

function typeOfText(head: Buffer): string | null {
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  const start = withoutComments(text)
  if (
    /^<(?:!doctype\s+html|html|head|body|script|svg|iframe)\b/i.test(start) ||
    /^<\?xml[\s\S]{0,2000}?<(?:\w+:)?(?:svg|html)\b/i.test(start)
  )
    return null
  if (/^<\?xml\s/.test(start) || /^<[A-Za-z_][\w.:-]*[\s/>]/.test(start)) return 'application/xml'
  if (/^ISA[^A-Za-z0-9\s]/.test(start)) return 'application/edi-x12'
  if (
    /^(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+/.test(text) &&
    /^(?:from|received|date|message-id):/im.test(text.slice(0, 8192))
  )
    return 'message/rfc822'
  return 'text'
}

/** What begins behind the comments of HTML and XML. */
function withoutComments(text: string): string {
  let start = text.trimStart()
  for (let end = 0; start.startsWith('<!--') && end !== -1; ) {
    end = start.indexOf('-->')
    if (end !== -1) start = start.slice(end + 3).trimStart()
  }
  return start
}

function unsupported(why: string): Refusal {
  return new Refusal(
    'unsupported_media',
    'unsupported_media_type',
    `${why} Send one of: ${mediaTypes.map(({ type }) => type).join(', ')}.`,
  )
}

function mismatch(why: string): Refusal {
  return new Refusal('unsupported_media', 'content_mismatch', `${why} Send it under its own type and name.`)
}

function endings(type: string): string {
  return extensionsOf(type)
    .map((one) => `.${one}`)
    .join(', ')
}
