import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, transaction } from '../../platform/context.ts'
import { mostRows } from '../../platform/core/schema/rows.ts'
import { writeWholeFile } from '../../platform/core/turns/whole-files.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { takeNumber } from '../../platform/db/counts/counters.ts'
import type { Database } from '../../platform/db/database.ts'
import { record } from '../../platform/events/record.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { acknowledge, statusOf } from '../../platform/x12/acknowledgement.ts'
import type { OutlinedInterchange } from '../../platform/x12/outline.ts'
import type { Fault } from '../../platform/x12/read.ts'
import {
  findTaken,
  insertInterchange,
  listInterchangesJson,
  listOrganizationsWithUnwritten,
  listUnwritten,
  saveUnwritten,
  saveWritten,
} from './interchanges-store.ts'

export type Source = 'api' | 'directory' | 'email'

/** `made`: the carrier invoices that a file became, each with its key. Null where it was refused. */
export type Outcome = {
  source: Source
  faults: readonly Fault[]
  made: readonly { id: string; source_key?: string | null }[] | null
}

/**
 * Keeps the interchanges of a file with an acknowledgement of each, in the transaction that makes its invoices. Of a file in which no interchange can be
 * seen nothing can be said to anybody. Answers their ids.
 */
export function keepInterchanges(
  ctx: Context,
  outline: readonly OutlinedInterchange[],
  { source, faults, made }: Outcome,
): Promise<string[]> {
  return transaction(ctx, async (ctx) => {
    const ids: string[] = []
    // A file with more of them was refused; as many as could have been taken are answered.
    for (const interchange of outline.slice(0, mostRows)) {
      const id = newId()
      const number = await takeNumber(ctx, 'edi_acknowledgement')
      const own = faults.filter((fault) => isAbout(fault, interchange))
      const outcome = { isTaken: made !== null, faults: own }
      const named = namesOf(interchange)
      const key = ['x12', named.sender, named.sent_on, named.control_number, ''].join(':')
      await insertInterchange(ctx, {
        ...{ ...named, id, number, source, status: statusOf(outcome) },
        problems: own.map(({ tag: segment, place, element, message }) => ({
          segment: plain(segment),
          place,
          element,
          message: plain(message),
        })),
        carrier_invoice_ids: (made ?? []).filter(({ source_key }) => source_key?.startsWith(key)).map(({ id }) => id),
        acknowledgement: acknowledge({ ...outcome, interchange, number, at: new Date() }),
      })
      ids.push(id)
    }
    for (const { id, json } of await listInterchangesJson(ctx, ids))
      await record(ctx, {
        type: 'edi_interchange.created',
        subject: { type: 'edi_interchange', id },
        revision: 1,
        data: json,
      })
    return ids
  })
}

/** The interchanges of a file that has arrived before. */
export async function findInterchanges(ctx: Context, outline: readonly OutlinedInterchange[]): Promise<string[]> {
  const ids: string[] = []
  for (const interchange of outline) {
    const id = await findTaken(ctx, namesOf(interchange))
    if (id) ids.push(id)
  }
  return ids
}

/** Its sender may not have got the acknowledgement, so it is written once more. */
export function acknowledgeAgain(ctx: Context, outline: readonly OutlinedInterchange[]): Promise<void> {
  return transaction(ctx, async (ctx) => saveUnwritten(ctx, await findInterchanges(ctx, outline)))
}

export type OutgoingDirectory = { database: Database; directory: string; names: Readonly<Record<string, string>> }

/** Puts acknowledgements into the folder of their organization, named as in the directory of arrivals. One may be written twice after a crash, under the same name. */
export async function writeAcknowledgements(
  { database, directory, names }: OutgoingDirectory,
  signal?: AbortSignal,
): Promise<void> {
  for (const org of await listOrganizationsWithUnwritten(database.pool)) {
    const [name] = Object.entries(names).find(([, id]) => id === org) ?? []
    const folder = join(directory, name ?? org)
    await mkdir(folder, { recursive: true })
    signal?.throwIfAborted()
    const ctx = systemContext(database, org)
    const unwritten = await listUnwritten(ctx)
    for (const { number, text } of unwritten)
      writeWholeFile(join(folder, `${String(number).padStart(9, '0')}.997`), text, 0o640)
    await ctx.transaction((ctx) =>
      saveWritten(
        ctx,
        unwritten.map(({ id }) => id),
      ),
    )
  }
}

/** What stands behind the last segment of a file is what its last interchange lacks. */
function isAbout({ place }: Fault, { from, to }: OutlinedInterchange): boolean {
  return place >= from && place <= to + 1
}

function namesOf({ isa }: OutlinedInterchange): {
  sender: string
  receiver: string
  sent_on: string
  control_number: string
} {
  const value = (element: number) => plain(isa[element - 1] ?? '').trim()
  return {
    sender: `${value(5)}:${value(6)}`,
    receiver: `${value(7)}:${value(8)}`,
    sent_on: value(9),
    control_number: value(13),
  }
}

/** Text that can be kept. */
function plain(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, ' ')
}
