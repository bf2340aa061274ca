import PDFDocument from 'pdfkit'
import { standardFont } from './fonts.ts'
import type { Column, Paper, Table } from './paper.ts'
import { type Align, type Line, type Style, type Typesetter, typesetter } from './text.ts'

const margin = 48
const footer = 30
const soft = '#5c6570'
const rule = '#c9ced6'
const body: Style = { size: 9.5 }
const small: Style = { size: 8, color: soft }
const label: Style = { size: 7.5, weight: 700, color: soft }
const lineHeight = 13
const cellPadding = 8

type Sheet = {
  doc: PDFKit.PDFDocument
  set: Typesetter
  paper: Paper
  left: number
  right: number
  bottom: number
  y: number
}

/** Left out by the types of the library. */
type Images = { openImage(content: Buffer): { width: number; height: number } }

/** The file of a paper. The same paper is the same bytes. Called in a thread of `platform/core/turns/apart.ts`, to which a Buffer comes as a Uint8Array. */
export async function drawPaper(paper: Paper): Promise<Buffer> {
  const doc = new PDFDocument({
    size: paper.size,
    margin: 0,
    bufferPages: true,
    font: standardFont(400) as never,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: [paper.title, paper.number].filter(Boolean).join(' '),
      Author: paper.from.name,
      Producer: 'Lading',
      Creator: 'Lading',
      CreationDate: paper.date,
    },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('end', resolve)
    doc.on('error', reject)
  })
  const { width, height } = doc.page
  const sheet: Sheet = {
    doc,
    set: typesetter(doc, textOf(paper)),
    paper,
    left: margin,
    right: width - margin,
    bottom: height - margin - footer,
    y: margin,
  }
  drawHead(sheet)
  drawParties(sheet)
  for (const table of paper.tables) drawTable(sheet, table)
  drawTotals(sheet)
  drawNotes(sheet)
  drawSignatures(sheet)
  drawFooters(sheet)
  doc.end()
  await ended
  return Buffer.concat(chunks)
}

/** All that is said on it, for what the text as a whole shows of its language. */
function textOf({ from, ...paper }: Paper): string {
  return JSON.stringify([from.name, from.lines, paper])
}

function drawHead(sheet: Sheet): void {
  const { doc, set, paper, left, right } = sheet
  const half = (right - left) / 2 - 12
  const y = sheet.y
  if (paper.mark) drawMark(sheet, paper.mark)
  if (paper.from.logo) {
    const logo = (doc as unknown as Images).openImage(Buffer.from(paper.from.logo))
    const scale = Math.min(170 / logo.width, 56 / logo.height, 1)
    doc.image(logo as never, left, y, { width: logo.width * scale, height: logo.height * scale })
    sheet.y += logo.height * scale + 12
  }
  drawLines(
    sheet,
    linesIn(set, [paper.from.name], half, { size: 12, weight: 700 }),
    left,
    half,
    { size: 12, weight: 700 },
    { step: 16 },
  )
  drawLines(sheet, linesIn(set, paper.from.lines, half, small), left, half, small, { step: 11 })
  const under = sheet.y
  sheet.y = y
  const title: Style = { size: 20, weight: 700 }
  drawLines(sheet, set.linesOf(paper.title, half, title), right - half, half, title, { step: 24, align: 'right' })
  if (paper.number)
    drawLines(
      sheet,
      set.linesOf(paper.number, half, { size: 12 }),
      right - half,
      half,
      { size: 12, color: soft },
      { step: 18, align: 'right' },
    )
  sheet.y = Math.max(under, sheet.y) + 18
}

/** Across the page, under everything. */
function drawMark({ doc, set }: Sheet, text: string): void {
  const { width, height } = doc.page
  const style: Style = { size: 110, weight: 700, color: '#eceef1' }
  const wide = set.widthOf(text, style)
  doc.save().rotate(-35, { origin: [width / 2, height / 2] })
  for (const line of set.linesOf(text, wide + 1, style)) set.draw(line, (width - wide) / 2, height / 2 + 40, style)
  doc.restore()
}

function drawParties(sheet: Sheet): void {
  const { set, paper, left, right } = sheet
  const columns = paper.parties.length + (paper.facts.length > 0 ? 1 : 0)
  if (columns === 0) return
  const width = (right - left - (columns - 1) * 16) / columns
  const y = sheet.y
  let lowest = y
  for (const [n, { label: of, lines }] of paper.parties.entries()) {
    const x = left + n * (width + 16)
    sheet.y = y
    drawLines(sheet, set.linesOf(of.toUpperCase(), width, label), x, width, label, { step: 14 })
    drawLines(sheet, linesIn(set, lines, width, body), x, width, body, { step: lineHeight })
    lowest = Math.max(lowest, sheet.y)
  }
  sheet.y = y
  const x = left + paper.parties.length * (width + 16)
  for (const { label: of, value } of paper.facts) {
    const values = set.linesOf(value, width * 0.58, body)
    const names = set.linesOf(of, width * 0.4, { ...small, size: 8.5 })
    const top = sheet.y
    drawLines(sheet, names, x, width * 0.4, { ...small, size: 8.5 }, { step: lineHeight })
    const afterNames = sheet.y
    sheet.y = top
    drawLines(sheet, values, x + width * 0.42, width * 0.58, body, { step: lineHeight, align: 'right' })
    sheet.y = Math.max(afterNames, sheet.y)
  }
  sheet.y = Math.max(lowest, sheet.y) + 18
}

function drawTable(sheet: Sheet, table: Table): void {
  const { set, left, right } = sheet
  const all = table.columns.reduce((sum, { share }) => sum + share, 0)
  const widths = table.columns.map(({ share }) => ((right - left) * share) / all)
  const starts = widths.map((_, n) => left + widths.slice(0, n).reduce((sum, width) => sum + width, 0))
  const inner = widths.map((width) => width - cellPadding)
  const place = (n: number) => (starts[n] as number) + (table.columns[n]?.align === 'right' ? cellPadding : 0)
  if (table.label) {
    need(sheet, 60)
    drawLines(
      sheet,
      set.linesOf(table.label, right - left, { size: 11, weight: 700 }),
      left,
      right - left,
      { size: 11, weight: 700 },
      { step: 18 },
    )
  }
  need(sheet, 50)
  const head = () => drawTableHead(sheet, table.columns, { inner, place })
  head()
  for (const row of table.rows) {
    const cells = row.map((text, n) => set.linesOf(text, inner[n] as number, body))
    let left = Math.max(...cells.map(({ length }) => length), 1)
    const most = Math.floor((sheet.bottom - margin - 60) / lineHeight)
    // A row that fits on a page stands on one; a longer one goes on, line by line.
    if (sheet.y + left * lineHeight + 6 > sheet.bottom && (left <= most || room(sheet) < 3)) newPage(sheet, head)
    for (let from = 0; left > 0; ) {
      const lines = Math.max(1, Math.min(left, room(sheet)))
      for (const [n, cell] of cells.entries())
        for (const [at, line] of cell.slice(from, from + lines).entries())
          set.draw(line, place(n), sheet.y + 10 + at * lineHeight, body, alignOf(table.columns[n]), inner[n])
      sheet.y += lines * lineHeight
      from += lines
      left -= lines
      if (left > 0) newPage(sheet, head)
    }
    sheet.y += 3
    line(sheet, sheet.y, 0.5)
    sheet.y += 3
  }
  sheet.y += 10
}

function drawTableHead(
  sheet: Sheet,
  columns: readonly Column[],
  { inner, place }: { inner: readonly number[]; place(n: number): number },
): void {
  const { set } = sheet
  const cells = columns.map(({ label: of }, n) => set.linesOf(of, inner[n] as number, label))
  const lines = Math.max(...cells.map(({ length }) => length))
  for (const [n, cell] of cells.entries())
    for (const [at, one] of cell.entries())
      set.draw(one, place(n), sheet.y + 9 + at * 10, label, alignOf(columns[n]), inner[n])
  sheet.y += lines * 10 + 5
  line(sheet, sheet.y, 1)
  sheet.y += 4
}

function drawTotals(sheet: Sheet): void {
  const { set, paper, right } = sheet
  if (paper.totals.length === 0) return
  const width = 250
  need(sheet, Math.min(paper.totals.length * 16 + 10, 200))
  for (const { label: of, value, strong } of paper.totals) {
    need(sheet, 18)
    const style: Style = strong ? { size: 11.5, weight: 700 } : body
    for (const one of set.linesOf(of, width * 0.5, style).slice(0, 1)) set.draw(one, right - width, sheet.y + 11, style)
    for (const one of set.linesOf(value, width, style).slice(0, 1))
      set.draw(one, right - width, sheet.y + 11, style, 'right', width)
    sheet.y += strong ? 19 : 15
  }
  sheet.y += 12
}

function drawNotes(sheet: Sheet): void {
  const { set, paper, left, right } = sheet
  for (const { label: of, text } of paper.notes) {
    need(sheet, 40)
    drawLines(sheet, set.linesOf(of.toUpperCase(), right - left, label), left, right - left, label, { step: 14 })
    for (const one of set.linesOf(text, right - left, body)) {
      need(sheet, lineHeight)
      set.draw(one, left, sheet.y + 10, body)
      sheet.y += lineHeight
    }
    sheet.y += 12
  }
}

function drawSignatures(sheet: Sheet): void {
  const { set, paper, left, right } = sheet
  if (paper.signatures.length === 0) return
  need(sheet, 70)
  sheet.y += 36
  const width = (right - left - (paper.signatures.length - 1) * 20) / paper.signatures.length
  for (const [n, of] of paper.signatures.entries()) {
    const x = left + n * (width + 20)
    sheet.doc
      .moveTo(x, sheet.y)
      .lineTo(x + width, sheet.y)
      .lineWidth(0.7)
      .strokeColor(soft)
      .stroke()
    for (const [at, one] of set.linesOf(of, width, small).entries()) set.draw(one, x, sheet.y + 11 + at * 10, small)
  }
  sheet.y += 30
}

/** When all pages are there: which of how many each is. */
function drawFooters({ doc, set, paper, left, right }: Sheet): void {
  const { start, count } = doc.bufferedPageRange()
  const name = [paper.from.name, [paper.title, paper.number].filter(Boolean).join(' ')].join(' · ')
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    const y = doc.page.height - margin + 8
    const [line] = set.linesOf(name, right - left - 90, small)
    if (line) set.draw(line, left, y, small)
    for (const one of set.linesOf(`Page ${page - start + 1} of ${count}`, 90, small))
      set.draw(one, right - 90, y, small, 'right', 90)
  }
}

function drawLines(
  sheet: Sheet,
  lines: readonly Line[],
  x: number,
  width: number,
  style: Style,
  { step, align = 'left' }: { step: number; align?: Align },
): void {
  for (const one of lines) {
    sheet.set.draw(one, x, sheet.y + style.size, style, align, width)
    sheet.y += step
  }
}

function linesIn(set: Typesetter, texts: readonly string[], width: number, style: Style): Line[] {
  return texts.flatMap((text) => set.linesOf(text, width, style))
}

/** How many lines of a table fit on what is left of the page. */
function room({ bottom, y }: Sheet): number {
  return Math.floor((bottom - y - 6) / lineHeight)
}

function need(sheet: Sheet, height: number): void {
  if (sheet.y + height > sheet.bottom) newPage(sheet)
}

function newPage(sheet: Sheet, head?: () => void): void {
  sheet.doc.addPage({ size: sheet.paper.size, margin: 0 })
  sheet.y = margin
  head?.()
}

function line({ doc, left, right }: Sheet, y: number, width: number): void {
  doc.moveTo(left, y).lineTo(right, y).lineWidth(width).strokeColor(rule).stroke()
}

function alignOf(column: Column | undefined): Align {
  return column?.align ?? 'left'
}
