import Type from 'typebox'
import { Id } from '../../platform/core/schema/schema.ts'

export const config = { scope: 'emanifests' } as const
export const tags = ['E-manifests']
export const all = '/emanifests'
export const one = `${all}/:emanifestID`
export const params = Type.Object({ emanifestID: Id('The e-manifest.') })
export const One = Type.Object({ emanifest: Type.Ref('Emanifest') })
