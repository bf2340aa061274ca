import { createHash } from 'node:crypto'
import { Refusal } from '../core/refusal.ts'
import { callApart, threads } from '../core/turns/apart.ts'
import { makeFileCache } from './kept.ts'
import type { Paper } from './paper.ts'

/** Who waits for the file. `write`: a transaction does, which has to end before PostgreSQL takes it for lost; `signal`: aborted when nobody does any more. */
export type Reader = { use?: 'read' | 'write'; signal?: AbortSignal | undefined; deadlineMs?: number }

const module = new URL('./draw.ts', import.meta.url).href
/** How long a paper may take to draw: some thousand lines. */
const longestMs = { read: 25_000, write: 8_000 }
const longestWaitMs = { read: 20_000, write: 4_000 }

const kept = makeFileCache({ mostBytes: 32 * 2 ** 20, mostBytesOfOne: 4 * 2 ** 20 })

/**
 * The file of a paper, drawn in a thread where it holds up nobody, when it is the turn of the organization. A paper that says and shows the same as before
 * is the file of before: the key is all that is drawn, not the revision of a record, because names, addresses and logos change apart from it.
 */
export async function renderPaper(
  org: string,
  paper: Paper,
  { use = 'read', signal, deadlineMs = longestMs[use] }: Reader = {},
): Promise<Buffer> {
  const key = keyOf(org, paper)
  const before = kept.find(key)
  if (before) return before
  const leave = await threads.enter(org, use === 'read' ? 'draw' : use, signal && (() => signal), longestWaitMs[use])
  try {
    // Somebody may have asked for the same while this one waited.
    return kept.find(key) ?? kept.keep(key, await draw(paper, deadlineMs, signal))
  } finally {
    leave()
  }
}

async function draw(paper: Paper, deadlineMs: number, signal: AbortSignal | undefined): Promise<Buffer> {
  const file = (await callApart(
    { file: module, name: 'drawPaper', args: [paper] },
    { deadlineMs, costly, signal },
  )) as Uint8Array
  return Buffer.from(file.buffer, file.byteOffset, file.byteLength)
}

function keyOf(org: string, { from: { logo, ...from }, ...paper }: Paper): string {
  return createHash('sha256')
    .update(JSON.stringify([org, from, paper, logo?.length ?? null]))
    .update(logo ?? '')
    .digest('base64')
}

function costly(why: string): Refusal {
  const message = `This PDF cannot be drawn: ${why}. Read the record as JSON or CSV, or split it into several.`
  return new Refusal('too_large', 'too_costly_to_draw', message)
}
