import Type from 'typebox'
import { type Scope, scopeGroups, scopeNames, scopes } from '../../platform/access/scopes.ts'
import { Text } from '../../platform/core/schema/schema.ts'
import { ok } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'

const Scopes = Type.Object({
  scopes: Type.Array(
    Type.Object({
      id: Type.Enum(scopeNames, { description: 'The scope, as tokens and applications have it.', examples: ['bills'] }),
      name: Text('What people call it.', 'Bills'),
      group: Text('What it is listed under.', 'Billing'),
      description: Text('What it allows.', 'Manage bills, pay terms and see currencies'),
    }),
    { description: 'All scopes, group by group.' },
  ),
})

const described = Object.entries(scopeGroups).flatMap(([group, names]) =>
  Object.entries(names).map(([id, name]) => ({ id, name, group, description: scopes[id as Scope] })),
)

/** What scopes there are, in the words of the consent page. */
export async function scopeList(app: App): Promise<void> {
  app.get(
    '/scopes',
    {
      config: { scope: 'any' },
      schema: {
        tags: ['OAuth applications'],
        operationId: 'getScopes',
        summary: 'The scopes',
        description:
          'Lists the scopes that an application can have, each with what it allows. Any token of the organization’s own people or applications will do, with any scope.',
        response: answers({ 200: Scopes }),
      },
    },
    async () => ok(JSON.stringify({ scopes: described })),
  )
}
