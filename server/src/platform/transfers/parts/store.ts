import type { Context } from '../../context.ts'
import type { CsvRecord } from '../../core/tables/csv.ts'
import { sql } from '../../db/sql/sql.ts'

export type File = 'rows' | 'result' | 'failures'

export type NewPart = { file: File; firstRow: number; rows: number; firstByte: number; content: Buffer }

/** No part of a file has more rows than this, so those of a lot are found by the first row of a part. */
export const mostRowsOfPart = 1000

export async function insertPart(
  ctx: Context,
  transfer: string,
  { file, firstRow, rows, firstByte, content }: NewPart,
): Promise<void> {
  await ctx.run(sql`
    insert into transfer_parts (org_id, transfer_id, file, first_row, row_count, first_byte, byte_count, content)
    values (${ctx.org}, ${transfer}, ${file}, ${firstRow}, ${rows}, ${firstByte}, ${content.length}, ${content})`)
}

/** Records as they are kept until their lot: JSON, `[line, cell, cell, …]` each. */
export function recordsAsBytes(records: readonly CsvRecord[]): Buffer {
  return Buffer.from(JSON.stringify(records.map(({ line, cells }) => [line, ...cells])))
}

/** So many records of the file behind the first `done`. */
export async function listRecords(
  ctx: Context,
  transfer: string,
  { done, limit }: { done: number; limit: number },
): Promise<CsvRecord[]> {
  const parts = await ctx.run<{ first_row: number; content: Buffer }>(sql`
    select first_row, content from transfer_parts where org_id = ${ctx.org} and transfer_id = ${transfer} and file = 'rows'
      and first_row > ${done - mostRowsOfPart} and first_row < ${done + limit} order by first_row`)
  const [first] = parts
  if (!first) return []
  const records = parts.flatMap(({ content }) => JSON.parse(content.toString()) as [number, ...CsvRecord['cells']][])
  return records
    .slice(done - first.first_row, done - first.first_row + limit)
    .map(([line, ...cells]) => ({ line, cells }))
}

export type Part = { first_row: number; first_byte: string; content: Buffer }

/** The part of a file with this byte in it. */
export async function findPartAt(ctx: Context, transfer: string, file: File, byte: number): Promise<Part | undefined> {
  const [part] = await ctx.run<Part>(sql`
    select first_row, first_byte, content from transfer_parts where org_id = ${ctx.org} and transfer_id = ${transfer} and file = ${file}
      and first_byte <= ${byte} and first_byte + byte_count > ${byte}`)
  return part
}

export async function findNextPart(
  ctx: Context,
  transfer: string,
  file: File,
  { first_row }: Part,
): Promise<Part | undefined> {
  const [part] = await ctx.run<Part>(sql`
    select first_row, first_byte, content from transfer_parts where org_id = ${ctx.org} and transfer_id = ${transfer} and file = ${file}
      and first_row > ${first_row} order by first_row limit 1`)
  return part
}

/** On which line each of these keys was named before. */
export async function findLines(ctx: Context, transfer: string, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await ctx.run<{ key: string; line: number }>(
    sql`select key, line from transfer_keys where org_id = ${ctx.org} and transfer_id = ${transfer} and key = any(${keys}::uuid[])`,
  )
  return new Map(rows.map(({ key, line }) => [key, line]))
}

export async function insertLines(ctx: Context, transfer: string, lines: ReadonlyMap<string, number>): Promise<void> {
  if (lines.size === 0) return
  await ctx.run(sql`
    insert into transfer_keys (org_id, transfer_id, key, line)
    select own.org_id, ${transfer}::uuid, key, line from organizations own
      cross join unnest(${[...lines.keys()]}::uuid[], ${[...lines.values()]}::int[]) as named(key, line)
    where own.org_id = ${ctx.org}`)
}

/** Deletes some parts of these files; how many. */
export async function deleteParts(
  ctx: Context,
  transfer: string,
  files: readonly File[],
  most: number,
): Promise<number> {
  const deleted = await ctx.run(sql`
    delete from transfer_parts where org_id = ${ctx.org} and transfer_id = ${transfer} and (file, first_row) in (
      select file, first_row from transfer_parts where org_id = ${ctx.org} and transfer_id = ${transfer} and file = any(${files}::text[]) limit ${most})
    returning 1`)
  return deleted.length
}

export async function deleteKeys(ctx: Context, transfer: string, most: number): Promise<number> {
  const deleted = await ctx.run(sql`
    delete from transfer_keys where org_id = ${ctx.org} and transfer_id = ${transfer} and key in (
      select key from transfer_keys where org_id = ${ctx.org} and transfer_id = ${transfer} limit ${most}) returning 1`)
  return deleted.length
}
