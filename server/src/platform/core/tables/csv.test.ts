import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../refusal.ts'
import { type Cell, csvLine, readCsv } from './csv.ts'
import { readTable } from './csv-table.ts'

const columns = { read: { name: 'text', amount: 'integer', on: 'boolean', lines: 'json' }, ignored: ['id'] } as const

/** The bytes in pieces of this size: a record, a character or a line break may be cut anywhere. */
function* inPieces(text: string | Buffer, size: number): Generator<Uint8Array> {
  const bytes = Buffer.from(text as string)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function recordsIn(text: string | Buffer, size = 7): Promise<{ line: number; cells: Cell[] }[]> {
  return Array.fromAsync(readCsv(inPieces(text, size)))
}

async function rowsIn(text: string) {
  const { header, rows } = await readTable(inPieces(text, 1000), columns)
  return { header, rows: await Array.fromAsync(rows) }
}

test('what is written is read again unchanged, however the bytes are cut, and no cell begins a formula', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
    fc.constantFrom(
      '',
      null,
      '=1+1',
      "'=1",
      "''@x",
      '+1',
      '-x',
      '\t',
      "'plain",
      '"',
      'a\r\nb',
      ' a ',
      '\r',
      '＝SUM(A1)',
      '😀',
      'a;=1',
      ";'=1",
      'a;"=1',
      ';;-1',
      'a\n- b',
      "x;'y",
    ),
    fc.string({ unit: fc.constantFrom(';', '=', '-', "'", '"', '\n', '\r', '\t', ',', 'a') }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 4 }),
      fc.integer({ min: 1, max: 9 }),
      async (table, size) => {
        const text = table.map(csvLine).join('')
        assert.deepEqual(
          (await recordsIn(text, size)).map(({ cells }) => cells),
          table,
        )
        for (const cells of table)
          for (const one of cells) assert.doesNotMatch(csvLine([one]).replace(/^"/, ''), /^[=+\-@\t＝]/)
        // A spreadsheet that splits at semicolons ends a cell at each of them, and at each line break; one or two quotation marks at its beginning it takes away.
        for (const part of text.split(/[;\r\n]/)) assert.doesNotMatch(part, /^"{0,2}[=+\-@\t＝＋－＠]/)
      },
    ),
    { numRuns: 200 },
  )
})

test('lines end in CRLF, LF or CR, a byte order mark is nothing, empty lines are passed over, and records know their line', async () => {
  assert.deepEqual(await recordsIn('\ufeffa,b\r\n\r\n"1\n2",\n3,""\rx,y'), [
    { line: 1, cells: ['a', 'b'] },
    { line: 3, cells: ['1\n2', null] },
    { line: 5, cells: ['3', ''] },
    { line: 6, cells: ['x', 'y'] },
  ])
  assert.deepEqual(await recordsIn('5" pipe,a"b'), [{ line: 1, cells: ['5" pipe', 'a"b'] }])
  assert.deepEqual(await recordsIn(''), [])
  assert.equal((await recordsIn(`a,"${'x'.repeat(2 ** 20)}"\n`, 65536))[0]?.cells[1]?.length, 2 ** 20)
})

test('what cannot be read is refused with its line', async () => {
  const refused = (text: string | Buffer, message: RegExp) =>
    assert.rejects(recordsIn(text, 65536), (error) => error instanceof Refusal && message.test(error.message))
  await refused('a,b\n1,"2\n3,4\n', /^Line 2 .* never closed\.$/)
  await refused('a\n"b"c\n', /^Line 2 of the CSV has "c" behind a closing quotation mark/)
  await refused('\ufeff"b"c\n', /^Line 1 of the CSV has "c" behind/)
  await refused('a\r\n\r\n\n1,"x\r\ny","ä""b" ,d\n', /^Line 4 of the CSV has .* behind a closing quotation mark/)
  await refused(Buffer.from([0x61, 0x0a, 0xff, 0xfe]), /is not UTF-8/)
  await refused(`a\n"${'x'.repeat(5 * 2 ** 20)}`, /^Line 2 .*(never closed|more than)/)
})

test('the records before a line that cannot be read are read', async () => {
  const read: Cell[][] = []
  await assert.rejects(async () => {
    for await (const { cells } of readCsv(inPieces('a\n"""b"\n"c"d\ne\n', 65536))) read.push(cells)
  }, /^Refusal: Line 3 /)
  assert.deepEqual(read, [['a'], ['"b']])
})

test('a header names its columns once, with commas between, and at least one that is known', async () => {
  const refused = (text: string, message: RegExp) =>
    assert.rejects(rowsIn(text), (error) => error instanceof Refusal && message.test(error.message))
  await refused('', /empty/)
  await refused('name;amount\n', /Separate columns with commas/)
  await refused('name\tamount\n', /Separate columns with commas/)
  await refused('name,name\n', /"name" is there twice/)
  await refused('name,\n', /Column 2 has no name/)
  await refused('1,2\n', /None of the columns is known/)
  assert.deepEqual((await rowsIn('id,name,__proto__\n')).header, {
    names: ['id', 'name', '__proto__'],
    ignored: ['id'],
    unknown: ['__proto__'],
  })
})

test('cells are read by the type of their column; what is wrong with a row is that row’s alone', async () => {
  const { rows } = await rowsIn(
    'name,amount,on,lines\nA,-12,TRUE,"[{""x"":1}]"\n,x,,\nB\nC,1,false,{\n\0,1,,\n,1,,"""\\u0000"""\n',
  )
  assert.deepEqual(rows[0], {
    line: 2,
    cells: ['A', '-12', 'TRUE', '[{"x":1}]'],
    values: { name: 'A', amount: -12, on: true, lines: [{ x: 1 }] },
  })
  assert.deepEqual(rows[1], {
    line: 3,
    cells: [null, 'x', null, null],
    values: { name: null, amount: 'x', on: null, lines: null },
  })
  assert.deepEqual(
    rows.slice(2).map((row) => ('refusal' in row ? [row.line, row.refusal.code, row.refusal.details[0]?.field] : row)),
    [
      [4, 'wrong_number_of_cells', undefined],
      [5, 'malformed_json', 'lines'],
      [6, 'bad_text', 'name'],
      [7, 'bad_text', 'lines'],
    ],
  )
})

test('text within a cell begins no formula behind a semicolon, and stays as it was otherwise', async () => {
  assert.equal(csvLine(['Acme;=1+1']), `"Acme;'=1+1"\r\n`)
  assert.equal(csvLine(['Acme;\t=1+1']), `"Acme;'\t=1+1"\r\n`)
  assert.deepEqual((await recordsIn(csvLine(['Acme;\t=1+1'])))[0]?.cells, ['Acme;\t=1+1'])
  assert.equal(csvLine(['a;"=1', 'x;+1;@y']), `"a;'""=1","x;'+1;'@y"\r\n`)
  assert.equal(csvLine(['Dock 4; ring twice', 'a=b', 'a; -b', '1;2']), '"Dock 4; ring twice",a=b,"a; -b","1;2"\r\n')
  assert.deepEqual((await recordsIn(`"Acme;'=1+1","it;'s"\r\n`))[0]?.cells, ['Acme;=1+1', "it;'s"])
})

test('a file with more columns than any has is refused, in its header and in any row', async () => {
  const refused = (text: string, line: number) =>
    assert.rejects(
      recordsIn(text, 65536),
      (error) =>
        error instanceof Refusal && error.code === 'too_many_columns' && error.message.startsWith(`Line ${line} of`),
    )
  await refused('a,'.repeat(100_000), 1)
  await refused(`name\n${','.repeat(2000)}\n`, 2)
  assert.equal((await recordsIn(','.repeat(1999), 65536))[0]?.cells.length, 2000)
})

test('a file with more empty lines than any has is refused, wherever they are', async () => {
  const after = (text: string) => (error: unknown) =>
    error instanceof Refusal && error.code === 'malformed_csv' && error.message.startsWith(text)
  await assert.rejects(recordsIn(`name\n${'\n'.repeat(10_001)}`, 65536), after('Line 10002 of the CSV is empty'))
  await assert.rejects(recordsIn('a\n\r\n'.repeat(10_001), 65536), after('Line 20002 of the CSV is empty'))
  assert.equal((await recordsIn(`name\n${'\n'.repeat(10_000)}a\n`, 65536)).length, 2)
})
