import Type from 'typebox'
import type { Context } from '../../context.ts'
import { Moment } from '../../core/schema/schema.ts'
import { asOfIn } from '../../core/values/as-of.ts'
import { findLastUpTo } from './as-of-store.ts'
import type { Subject } from './history-store.ts'

/** The parameters of the read of one record that can be asked for as it stood. */
export const AsOf = Type.Object({
  as_of: Type.Optional(
    Moment(
      'Answers the record as it stood at this moment, from its history; a bare date means the end of that day in the time zone of the organization. Where it was not there, the answer is 404. There is no ETag: what stood then cannot be changed.',
      '2026-11-30T23:59:59.999Z',
    ),
  ),
})

/** A record as its last event up to then has it, as JSON text; undefined where it was not there. For records whose events carry what a read answers. */
export async function recordAsOf(ctx: Context, subject: Subject, as_of: string): Promise<string | undefined> {
  const stood = await findLastUpTo(ctx, subject, asOfIn(as_of))
  return stood && !stood.type.endsWith('.deleted') ? stood.data : undefined
}
