import { extensionOf, extensionsOf } from './media-types.ts'

const longest = 255

/** The name of a file without folders, and without characters that cannot be seen or that turn the direction of what follows. */
export function plainName(sent: string | undefined): string {
  const last = (sent ?? '').toWellFormed().normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out
  const visible = last.replace(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, '').trim()
  return /^\.*$/.test(visible) ? '' : visible
}

/** With the end that its type has, and no longer than can be kept. */
export function nameFor(plain: string, type: string): string {
  const extension = extensionOf(plain)
  const end = `.${extension ?? extensionsOf(type)[0]}`
  const stem = extension === undefined ? plain : plain.slice(0, -end.length)
  return `${[...(stem || 'document')]
    .slice(0, longest - end.length)
    .join('')
    .slice(0, longest - end.length)
    .toWellFormed()}${end}`
}

/** What a Content-Disposition header calls the file (RFC 6266). */
export function nameIn(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const encoded = /;\s*filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(header)?.[1]
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  }
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replace(/\\(.)/g, '$1')
  const bare = quoted ?? /;\s*filename\s*=\s*([^;\s]+)/i.exec(header)?.[1]
  // Node reads headers as Latin-1; clients that send bare UTF-8 mean UTF-8.
  return bare === undefined ? undefined : utf8Of(bare)
}

/** The header with which a file is answered. Old clients read the first form, in which what is not ASCII is replaced. */
export function dispositionOf(manner: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${manner}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

function utf8Of(latin1: string): string {
  const text = Buffer.from(latin1, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? latin1 : text
}
