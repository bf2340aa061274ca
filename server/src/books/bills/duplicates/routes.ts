import Type from 'typebox'
import type { Context } from '../../../platform/context.ts'
import { ok } from '../../../platform/http/answers/answers.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { idIn, pathsOf } from '../../documents/routes/paths.ts'
import { bill } from '../kind.ts'
import { compare, Duplicate, listedFrom } from './model.ts'
import { type Candidate, listCandidates } from './store.ts'

export async function duplicatesRoute(app: App): Promise<void> {
  app.addSchema(Duplicate)
  const { one, config, tags, params } = pathsOf(bill)
  app.get(
    `${one}/duplicates`,
    {
      config,
      schema: {
        tags,
        operationId: 'listBillDuplicates',
        summary: 'The probable duplicates of a bill',
        description:
          'Lists the bills that probably ask for the same money, the likeliest first, each with a score and the reasons: the same number apart from case, spaces, punctuation, leading zeros and letters that look like digits; a number off by a typo; the same manifest; the same carrier with the same amount. Voided bills are none.',
        params,
        response: answers({ 200: Type.Object({ duplicates: Type.Array(Type.Ref('Duplicate')) }) }),
      },
    },
    async ({ ctx, params }) =>
      ok(JSON.stringify({ duplicates: await duplicatesOf(ctx, await idIn(ctx, bill, params)) })),
  )
}

/** As many are listed at most. */
const most = 50

async function duplicatesOf(ctx: Context, id: string): Promise<Duplicate[]> {
  const candidates = await listCandidates(ctx, id)
  const own = candidates.find(({ bill_id }) => bill_id === id) as Candidate
  return candidates
    .filter((other) => other !== own)
    .map(({ manifest_ids, ...other }) => ({ ...other, ...compare(own, { ...other, manifest_ids }) }))
    .filter(({ score }) => score >= listedFrom)
    .sort((one, other) => other.score - one.score || (one.bill_id < other.bill_id ? 1 : -1))
    .slice(0, most)
}
