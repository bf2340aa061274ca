import Type from 'typebox'
import { Id } from '../../platform/core/schema/schema.ts'

export const all = '/connectors_orgs'
export const one = `${all}/:connectionID`
export const syncs = `${one}/syncs`
export const oneSync = `${syncs}/:syncID`
export const tags = ['Connections']

/** Connecting, setting and mapping is for admins; whoever enters records may sync them. */
export const config = { scope: 'connectors_orgs', rightToWrite: 'administer' } as const
export const ofSyncs = { scope: 'connectors_orgs' } as const

export const params = Type.Object({ connectionID: Id('The connection.') })
export const syncParams = Type.Object({ connectionID: Id('The connection.'), syncID: Id('The sync.') })
export const One = Type.Object({ connector_org: Type.Ref('ConnectorOrg') })
export const OneSync = Type.Object({ sync: Type.Ref('ConnectorSync') })
