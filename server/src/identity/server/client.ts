import type { ClientMetadata } from 'oidc-provider'
import { identityScopes } from '../../platform/access/scopes.ts'
import type { Client } from '../applications/model.ts'

/** An application in the words of OpenID Connect. */
export function clientMetadata({
  client_id,
  name,
  type,
  redirect_uris,
  post_logout_redirect_uris = [],
  scopes,
  grant_types,
  require_pkce,
}: Client): ClientMetadata {
  const interactive = grant_types.includes('authorization_code')
  return {
    client_id,
    client_name: name,
    // The library wants to see a secret; the real one is only known by its hash, and `isSecretOf` compares that.
    ...(type === 'confidential' && { client_secret: 'kept as a hash' }),
    token_endpoint_auth_method: type === 'public' ? 'none' : 'client_secret_basic',
    application_type: 'web',
    redirect_uris: interactive ? redirect_uris : [],
    post_logout_redirect_uris,
    response_types: interactive ? ['code'] : [],
    grant_types: [...grant_types],
    lading_require_pkce: require_pkce,
    scope: [...identityScopes, ...scopes].join(' '),
  } as ClientMetadata
}
