import { ok } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { emptyBody } from '../../platform/http/input/json-body.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import { config, one, params, tags } from './paths.ts'
import { revealPayee } from './recorded/actions.ts'
import { Revealed } from './recorded/model.ts'
import { requireBankDetailsRight } from './recorded/rights.ts'

export function revealRoute(app: App, vault: Vault): void {
  app.post(
    `${one}/reveal`,
    {
      config: { ...config, right: 'see_bank_details', dryRun: false },
      schema: {
        tags,
        operationId: 'revealPayee',
        summary: 'Show the bank details of a payee',
        description:
          'Answers the bank details whole, those in use and those of a change that waits. Who has asked is kept in the security log and in the history of the payee. It needs the right `see_bank_details`.',
        params,
        body: emptyBody,
        response: answers({ 200: Revealed }),
      },
    },
    async ({ ctx, params: { payeeID } }) => {
      await requireBankDetailsRight(ctx)
      const revealed = await revealPayee(ctx, vault, referenceIn(payeeID, 'payeeID'))
      // What is kept for an Idempotency-Key is in the database, where no bank details are readable.
      return {
        ...ok(JSON.stringify(revealed)),
        kept: JSON.stringify({ bank_details: null, waiting_bank_details: null }),
      }
    },
  )
}
