import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Networks that are not the public internet (IANA's registries of special-purpose addresses), and the address at which Azure answers its own machines. */
const innerV4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Of IPv6 only 2000::/3 is given out at all; of that, these are not for hosts. 2001::/23 has Teredo in it, which carries any IPv4 address. */
const innerV6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
]

const inner = new BlockList()
for (const [network, bits] of innerV4) inner.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of innerV6) inner.addSubnet(network, bits, 'ipv6')
const givenOut = new BlockList()
givenOut.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is one of the public internet. What is no address is none. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !inner.check(address, 'ipv4')
  // A zone names a link of this machine.
  if (!isIPv6(address) || address.includes('%')) return false
  const words = wordsOf(address)
  const carried = carriedV4(words)
  if (carried !== null) return isPublic(carried)
  return givenOut.check(address, 'ipv6') && !inner.check(address, 'ipv6')
}

/** The IPv4 address that packets to this one end up at: mapped (::ffff:0:0/96), translated (64:ff9b::/96) or tunnelled (2002::/16). */
function carriedV4(words: readonly number[]): string | null {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0, seventh = 0, eighth = 0] = words
  const middleIsZero = third === 0 && fourth === 0 && fifth === 0
  if (first === 0 && second === 0 && middleIsZero && sixth === 0xffff) return dotted(seventh, eighth)
  if (first === 0x64 && second === 0xff9b && middleIsZero && sixth === 0) return dotted(seventh, eighth)
  if (first === 0x2002) return dotted(second, third)
  return null
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}

/** The eight words of an IPv6 address in any of its spellings. */
function wordsOf(address: string): number[] {
  const last = address.slice(address.lastIndexOf(':') + 1)
  const [a = 0, b = 0, c = 0, d = 0] = last.split('.').map(Number)
  const text = isIPv4(last)
    ? `${address.slice(0, -last.length)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
    : address
  const [before = '', after] = text.split('::')
  const read = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((word) => Number.parseInt(word, 16))
  const [head, tail] = [read(before), read(after ?? '')]
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail]
}
