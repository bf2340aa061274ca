import { consoleClientId } from '../../platform/access/console-client.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import type { Settings } from '../../settings.ts'
import type { Client } from './model.ts'

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
