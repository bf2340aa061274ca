import { identityScopes, scopeNames } from '../../platform/access/scopes.ts'
import type { Settings } from '../../settings.ts'
import type { Client } from './model.ts'

/**
 * The console is a client of the authorization server like any other, except that it is part of Lading: it exists in no table, belongs to no
 * organization, and nobody is asked whether they allow it. Its id cannot be that of an application, whose ids carry an organization.
 */
export const consoleClientId = 'lading-console'

export const consoleScope = [...identityScopes.filter((scope) => scope !== 'offline_access'), ...scopeNames].join(' ')

export function consoleClient({ publicUrl }: Settings): Client {
  return {
    client_id: consoleClientId,
    name: 'Lading',
    type: 'public',
    // The partner portal is a page of its own, and the same client.
    redirect_uris: [`${publicUrl}/signed-in`, `${publicUrl}/portal/signed-in`],
    post_logout_redirect_uris: [`${publicUrl}/`],
    scopes: [...scopeNames],
    grant_types: ['authorization_code', 'refresh_token'],
    require_pkce: true,
    access: 'read_write',
  }
}
