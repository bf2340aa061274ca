/** What can be kept: its media type, the ends of the names of such files, and whether a browser may show it. The first end is the usual one. */
type MediaType = {
  readonly type: string
  readonly extensions: readonly string[]
  readonly shown: boolean
  readonly isText: boolean
}

const shown = (type: string, ...extensions: string[]): MediaType => ({ type, extensions, shown: true, isText: false })
const kept = (type: string, ...extensions: string[]): MediaType => ({ type, extensions, shown: false, isText: false })
const text = (type: string, ...extensions: string[]): MediaType => ({ type, extensions, shown: false, isText: true })

/**
 * No types in which a browser, or an office program, runs what a stranger wrote: no HTML, no SVG, no scripts, no macros, no archives of anything. What is
 * shown in a browser is PDF and pictures made of dots.
 */
export const mediaTypes: readonly MediaType[] = [
  shown('application/pdf', 'pdf'),
  shown('image/png', 'png'),
  shown('image/jpeg', 'jpg', 'jpeg', 'jpe'),
  shown('image/gif', 'gif'),
  shown('image/webp', 'webp'),
  kept('image/tiff', 'tif', 'tiff'),
  kept('image/heic', 'heic', 'heif'),
  kept('application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'),
  kept('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'),
  text('text/plain', 'txt', 'text', 'log', 'iif'),
  text('text/csv', 'csv'),
  text('application/xml', 'xml'),
  text('message/rfc822', 'eml'),
  text('application/edi-x12', 'edi', 'x12', '210', '204', '214', '990', '997'),
]

/** Other names of the same. */
const aliases: Record<string, string> = {
  'application/x-pdf': 'application/pdf',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'image/tif': 'image/tiff',
  'image/heif': 'image/heic',
  'text/xml': 'application/xml',
  'application/csv': 'text/csv',
  'text/x-csv': 'text/csv',
}

/** What clients say of a file that they know nothing of. */
const saysNothing = ['', 'application/octet-stream', 'binary/octet-stream', 'application/x-unknown']

/** The type that a client has named, without its parameters; null where it has named none, and undefined for one that is not kept. */
export function declaredType(header: string | undefined, fileName: string): string | null | undefined {
  const named = (header ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  // Windows says so of every CSV where Excel is installed.
  if (saysNothing.includes(named) || (named === 'application/vnd.ms-excel' && extensionOf(fileName) === 'csv'))
    return null
  const type = aliases[named] ?? named
  return mediaTypes.some((known) => known.type === type) ? type : undefined
}

export function isShown(type: string): boolean {
  return mediaTypes.some((known) => known.type === type && known.shown)
}

export function isText(type: string): boolean {
  return mediaTypes.some((known) => known.type === type && known.isText)
}

export function extensionsOf(type: string): readonly string[] {
  return mediaTypes.find((known) => known.type === type)?.extensions ?? []
}

/** The type whose files are called so. */
export function typeOfName(fileName: string): string | undefined {
  const extension = extensionOf(fileName)
  return mediaTypes.find(({ extensions }) => extension !== undefined && extensions.includes(extension))?.type
}

export function extensionOf(fileName: string): string | undefined {
  return /[^.]\.([^.\s]{1,10})$/.exec(fileName)?.[1]?.toLowerCase()
}
