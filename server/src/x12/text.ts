import { isUtf8 } from 'node:buffer'

/** EDI is ASCII; what goes beyond it is UTF-8, or the Latin-1 of older systems. */
export function ediText(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}

export function looksLikeX12(bytes: Buffer): boolean {
  return /^\s*ISA[^A-Za-z0-9\s]/.test(
    bytes
      .subarray(0, 200)
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, ''),
  )
}
