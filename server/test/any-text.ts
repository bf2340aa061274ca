import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }

/** Every character there is, but for halves of one. */
const character = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc
    .integer({ min: 0x80, max: 0x10ffff - surrogates.count })
    .map((place) => (place < surrogates.first ? place : place + surrogates.count)),
)

/**
 * Any text at all, and names that mean something to the language. The library's own strings of all characters first make a table of a million of them,
 * in each process, which takes a second and stays in memory.
 */
export function anyText({ minLength = 0, maxLength = 10 } = {}): fc.Arbitrary<string> {
  return fc.oneof(
    {
      weight: 15,
      arbitrary: fc.array(character, { minLength, maxLength }).map((characters) => String.fromCodePoint(...characters)),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('__proto__', 'length', 'valueOf', 'then')
        .filter(({ length }) => length >= minLength && length <= maxLength),
    },
  )
}
