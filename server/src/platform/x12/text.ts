import { isUtf8 } from 'node:buffer'

/** EDI is ASCII; what goes beyond it is UTF-8, or the Latin-1 of older systems. */
export function ediText(bytes: Uint8Array): string {
  return textOf(bytes, isUtf8(bytes) ? 'utf8' : 'latin1')
}

export function looksLikeX12(bytes: Uint8Array): boolean {
  return /^\s*ISA[^A-Za-z0-9\s]/.test(textOf(bytes.subarray(0, 200), 'latin1').replace(/^\xef\xbb\xbf/, ''))
}

function textOf(bytes: Uint8Array, encoding: BufferEncoding): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding)
}
