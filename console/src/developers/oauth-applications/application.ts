import type { Schemas } from '@lading/sdk'

export type Application = Schemas['OAuthApplication']
export type Scope = Application['scopes'][number]
export type Flow = Application['grant_types'][number]
export type ApplicationType = Application['type']

/** The fields of the form. */
export type Content = Pick<
  Application,
  'name' | 'type' | 'redirect_uris' | 'scopes' | 'grant_types' | 'require_pkce' | 'access'
>
