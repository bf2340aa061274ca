import Type from 'typebox'
import { accesses, type Right, rightNames, rightsOfRole } from '../../platform/access/roles.ts'
import type { Context } from '../../platform/context.ts'
import { Id } from '../../platform/core/schema/schema.ts'
import { ok } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import type { User } from './model.ts'
import { findSelf } from './store.ts'

const Me = Type.Object({
  actor: Type.Object({
    type: Type.Enum(['user', 'application', 'link']),
    id: Type.String({ examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
  }),
  user: Type.Union([Type.Ref('User'), Type.Null()], {
    description: 'Null when an application acts for itself, and for a signed link.',
  }),
  organization: Type.Object({
    id: Id('The organization the token is for.'),
    name: Type.String({ examples: ['Blue Ridge Freight Brokers'] }),
  }),
  application: Type.Object({ client_id: Type.String({ examples: ['AaHdRN9SdeWjHnwoDlusJgnfGEIToFXKYKjLaI'] }) }),
  access: Type.Enum(accesses, {
    description: 'With `read` the application of the token may only read.',
    examples: ['read_write'],
  }),
  rights: Type.Array(Type.Enum(rightNames), {
    description: 'What the role of the user, or the application, may do.',
    examples: [['read', 'enter', 'approve', 'pay']],
  }),
  scopes: Type.Array(Type.String(), { examples: [['bills', 'bill_item_types']] }),
})

export async function me(app: App): Promise<void> {
  app.get(
    '/me',
    {
      config: { scope: 'any', right: 'any' },
      schema: {
        tags: ['Users'],
        operationId: 'getMe',
        summary: 'Who am I',
        description:
          'Says whom the access token speaks for, in which organization, and what it may do. Any good token will do.',
        response: answers({ 200: Me }),
      },
    },
    async ({ ctx, token }) => {
      const self = await findSelf(ctx, ctx.actor.id)
      const { type, id } = ctx.actor
      const rest = JSON.stringify({
        actor: { type, id },
        organization: { id: ctx.org, name: self?.organization },
        application: { client_id: token.client_id },
        access: token.access ?? 'read_write',
        rights: [...rightsIn(ctx, self?.user)],
        scopes: [...token.scopes],
      })
      return ok(`{"user":${self?.user ?? 'null'},${rest.slice(1)}`)
    },
  )
}

/** A token may not say the role of its user. */
function rightsIn({ rights }: Context, user: string | null | undefined): ReadonlySet<Right> {
  return rights ?? rightsOfRole(user ? (JSON.parse(user) as User).role : undefined)
}
