import { inflateSync } from 'node:zlib'
import { readOrganization } from '../../books/organization/actions.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { invalid } from '../../platform/core/refusal.ts'
import { record } from '../../platform/events/record.ts'
import { isDrawable } from './images.ts'
import { deleteLogo, type Logo, saveLogo } from './logo-store.ts'

/** Of a larger one the unpacked picture would take long to put on every paper. */
const mostPixels = 1_000_000

/** Puts a picture on the papers of the organization, in place of the one before. */
export async function setLogo(ctx: Context, content: Buffer): Promise<Logo> {
  const logo = { media_type: mediaTypeOf(content), content }
  if (!(await isDrawable(ctx.org, content))) throw badImage()
  return transaction(ctx, async (ctx) => {
    await saveLogo(ctx, logo)
    await recordChange(ctx)
    return logo
  })
}

export function removeLogo(ctx: Context): Promise<void> {
  return transaction(ctx, async (ctx) => {
    if (await deleteLogo(ctx)) await recordChange(ctx)
  })
}

/** By its first bytes, whatever the caller says it is. */
function mediaTypeOf(content: Buffer): Logo['media_type'] {
  const png = content.subarray(0, 8).equals(Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])) && content.length > 24
  const size = png ? { width: content.readUInt32BE(16), height: content.readUInt32BE(20) } : jpegSize(content)
  if (!size || size.width === 0 || size.height === 0) throw badImage()
  if (size.width * size.height > mostPixels)
    throw invalid(
      '',
      'image_too_large',
      `The picture has ${size.width} × ${size.height} pixels; a logo has ${mostPixels.toLocaleString('en-US')} at most. Make it smaller.`,
    )
  if (png) requireBounded(content, size)
  // A JPEG has its pixels after this marker, and ends with that one.
  else if (!content.includes(Buffer.from([0xff, 0xda])) || !content.includes(Buffer.from([0xff, 0xd9])))
    throw badImage()
  return png ? 'image/png' : 'image/jpeg'
}

/** Unpacks the pixels, at most as many as there can be: a small file may hold any number of bytes more. */
function requireBounded(content: Buffer, { width, height }: { width: number; height: number }): void {
  const packed: Buffer[] = []
  for (let at = 8; at + 12 <= content.length; at += 12 + content.readUInt32BE(at)) {
    if (content.toString('latin1', at + 4, at + 8) === 'IDAT')
      packed.push(content.subarray(at + 8, at + 8 + content.readUInt32BE(at)))
  }
  try {
    // Eight bytes for a pixel at most, one for each row, and a few rows more where it is interlaced.
    inflateSync(Buffer.concat(packed), { maxOutputLength: (width * 8 + 1) * height + 8 * (width * 8 + 8) })
  } catch {
    throw badImage()
  }
}

function badImage() {
  return invalid(
    '',
    'bad_image',
    'The body is neither a PNG nor a JPEG picture that can be drawn. Send the file as it is.',
  )
}

/** From the segment that begins a frame (SOF0 to SOF15, without the three that mean something else). */
function jpegSize(content: Buffer): { width: number; height: number } | null {
  if (content.length < 4 || content.readUInt16BE(0) !== 0xffd8) return null
  for (let at = 2; at + 9 < content.length; ) {
    if (content[at] !== 0xff) return null
    const marker = content[at + 1] as number
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: content.readUInt16BE(at + 5), width: content.readUInt16BE(at + 7) }
    at += 2 + content.readUInt16BE(at + 2)
  }
  return null
}

async function recordChange(ctx: Context): Promise<void> {
  const { json, revision } = await readOrganization(ctx)
  await record(ctx, {
    type: 'organization.logo_changed',
    subject: { type: 'organization', id: ctx.org },
    revision,
    data: json,
  })
}
