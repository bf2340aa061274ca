import Type from 'typebox'
import { Id } from '../../platform/core/schema/schema.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'

export const config = { scope: 'users', right: 'administer' } as const
export const tags = ['OAuth applications']
export const params = Type.Object({ applicationID: Id('The OAuth application.') })
export const One = Type.Object({ oauth_application: Type.Ref('OAuthApplication') })

/** What is said of a route that answers one application. */
export const ofOne = (summary: string, operationId: string, description: string) => ({
  config,
  schema: {
    tags,
    operationId,
    summary,
    description: `${description} It needs the role admin.`,
    params,
    response: answers({ 200: One }),
  },
})
