import { identityScopes, scopeNames } from './scopes.ts'

/**
 * The console is a client of the authorization server like any other, except that it is part of Lading: it exists in no table, belongs to no
 * organization, and nobody is asked whether they allow it. Its id cannot be that of an application, whose ids carry an organization.
 */
export const consoleClientId = 'lading-console'

export const consoleScope = [...identityScopes.filter((scope) => scope !== 'offline_access'), ...scopeNames].join(' ')
