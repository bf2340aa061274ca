import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { separateIgnored } from '../../platform/core/schema/schema.ts'
import { noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import { removeAccount, setAccount } from './actions.ts'
import { PayingAccount, PayingAccountBody, CurrencyParam as params } from './model.ts'
import { findAccount, listAccounts } from './store.ts'

const config = { scope: 'bills', rightToWrite: 'administer' } as const
const tags = ['Payment runs']
const all = '/paying_accounts'
const one = `${all}/:currencyID`
const One = Type.Object({ paying_account: Type.Ref('PayingAccount') })

export const payingAccounts = (vault: Vault) => async (app: App) => {
  app.addSchema(PayingAccount)

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'listPayingAccounts',
        summary: 'List paying accounts',
        description:
          'Lists the accounts from which the organization pays, one for each currency, their bank details masked.',
        response: answers({ 200: Type.Object({ paying_accounts: Type.Array(Type.Ref('PayingAccount')) }) }),
      },
    },
    async ({ ctx }) => ok(`{"paying_accounts":${await listAccounts(ctx)}}`),
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getPayingAccount',
        summary: 'Get a paying account',
        description: 'Answers the account from which the organization pays in a currency.',
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { currencyID } }) => {
      const found = await findAccount(ctx, currencyID.toLowerCase())
      if (!found) throw notFound('paying account', currencyID)
      return record('paying_account', found)
    },
  )

  app.put(
    one,
    {
      config,
      preValidation: unwrap('paying_account'),
      schema: {
        tags,
        operationId: 'setPayingAccount',
        summary: 'Set a paying account',
        description:
          'Makes the account from which the organization pays in this currency, or changes it: only the fields that are sent apply. Files of payment runs name it. It needs the role admin.',
        params,
        body: PayingAccountBody,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(PayingAccountBody, request.body as object)
      const currency = request.params.currencyID.toLowerCase()
      return record(
        'paying_account',
        await setAccount(request.ctx, vault, currency, input, expectedIn(request)),
        naming(ignored),
      )
    },
  )

  app.delete(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'deletePayingAccount',
        summary: 'Delete a paying account',
        description:
          'Deletes the account. Runs that were paid from it keep what their files need. It needs the role admin.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeAccount(request.ctx, request.params.currencyID.toLowerCase(), expectedIn(request))
      return noContent
    },
  )
}
