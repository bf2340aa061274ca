import { readCsv } from '../src/platform/core/tables/csv.ts'

/** The rows of a CSV file by the names of their columns. */
export async function csvRecords(text: string): Promise<Record<string, string | null>[]> {
  const records: (string | null)[][] = []
  for await (const { cells } of readCsv([Buffer.from(text)])) records.push(cells)
  const [names = [], ...rows] = records
  return rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [names[index] ?? '', cell])))
}
