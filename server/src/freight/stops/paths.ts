import { referenceParam } from '../../platform/core/schema/schema.ts'
import { manifestResource } from '../../records/v1/resources.ts'

const { param, label, example, kind } = manifestResource
export const tags = ['Manifests']
export const config = { scope: kind.scope }
export const one = `/manifests/:${param}`
export const params = referenceParam(param, label, example, `${kind.prefix}-1`)

export const table =
  'The states of the manifest, its legs and its orders follow by the table in the guide on movement, never backwards, in the same transaction.'
