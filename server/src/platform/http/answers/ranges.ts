/** A part of a file, by the places of its first and its last byte. */
export type ByteRange = { first: number; last: number }

/** One range of a file of so many bytes, as RFC 9110 writes it. Undefined for any other: the answer is then the whole file, as the RFC allows. */
export function rangeIn(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  const range =
    from === ''
      ? { first: Math.max(0, size - Number(to)), last: size - 1 }
      : { first: Number(from), last: Math.min(Number(to || size), size - 1) }
  return range.first <= range.last ? range : undefined
}
