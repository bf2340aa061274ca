import Type, { type Static } from 'typebox'
import { accesses } from '../../platform/access/roles.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { invalid, quote } from '../../platform/core/refusal.ts'
import { changedBetween, Id, nullable, paging, Text, Time, wholeEdit } from '../../platform/core/schema/schema.ts'

export const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials', 'password'] as const
export type GrantType = (typeof grantTypes)[number]

const name = Text('What people see when they are asked to allow it.', 'Warehouse sync', { maxLength: 200 })
const type = Type.Enum(['confidential', 'public'], {
  description: 'Whether it can keep a secret. A public one (a mobile app, a page) must use PKCE.',
  examples: ['confidential'],
})
const redirect_uris = Type.Array(Type.String({ maxLength: 2000 }), {
  maxItems: 50,
  description: 'Where people may return to, matched byte for byte: https, or http on a loopback address.',
  examples: [['https://sync.example.com/callback']],
})
const scopes = Type.Array(Type.Enum(scopeNames), {
  maxItems: scopeNames.length,
  description: 'What it may ask for.',
  examples: [['bills', 'bill_item_types']],
})
const grant_types = Type.Array(Type.Enum(grantTypes), {
  maxItems: grantTypes.length,
  description: 'The flows it may use. `password` is off unless named here; RFC 9700 advises against it.',
  examples: [['authorization_code', 'refresh_token']],
})

const require_pkce = Type.Boolean({
  description: 'Whether signing in through it takes PKCE (RFC 7636, S256). Always true for a public application.',
  examples: [false],
})

const access = Type.Enum(accesses, {
  description:
    'With `read` every token that it gets, for itself or for a person, reaches only operations that read: GET, searches, conversions and exports. Its writes are a 403.',
  examples: ['read_write'],
})

export const OAuthApplication = Type.Object(
  {
    id: Id('Made by the server.'),
    name,
    type,
    client_id: Type.String({
      description: 'Names the application in OAuth requests.',
      examples: ['AaHdRN9SdeWjHnwoDlusJgnfGEIToFXKYKjLaI'],
    }),
    redirect_uris,
    scopes,
    grant_types,
    require_pkce,
    access,
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_at: Time('When it was created.'),
    updated_at: Time('When it was last changed.'),
    last_used_at: nullable(Time('When somebody last signed in through it.')),
    disabled_at: nullable(
      Time(
        'Since when it is disabled: it gets no tokens, and those that it has do not work. Null while it is enabled.',
      ),
    ),
  },
  {
    $id: 'OAuthApplication',
    description: 'A program that acts for an organization or its users, with its own client id.',
  },
)
export type OAuthApplication = Static<typeof OAuthApplication>

/** An application as the authorization server needs it. */
export type Client = Pick<
  OAuthApplication,
  'client_id' | 'name' | 'type' | 'redirect_uris' | 'scopes' | 'grant_types' | 'require_pkce' | 'access'
> & {
  post_logout_redirect_uris?: string[]
}

export const NewApplication = Type.Object({
  name,
  type: Type.Optional(type),
  redirect_uris: Type.Optional(redirect_uris),
  scopes: Type.Optional(scopes),
  grant_types: Type.Optional(grant_types),
  require_pkce: Type.Optional(require_pkce),
  access: Type.Optional(access),
})
export type NewApplication = Static<typeof NewApplication>

export const ApplicationEdit = wholeEdit(
  OAuthApplication,
  Type.Partial(Type.Object({ name, redirect_uris, scopes, grant_types, require_pkce, access })),
)
export type ApplicationEdit = Static<typeof ApplicationEdit>

export const ApplicationSearch = Type.Object({ ...changedBetween, ...paging })

export const Rotation = Type.Object({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30 * 86_400,
      default: 86_400,
      description: 'For how long the old secret stays good next to the new one; 0 ends it at once.',
      examples: [86_400],
    }),
  ),
})

export type Content = Pick<
  OAuthApplication,
  'name' | 'type' | 'redirect_uris' | 'scopes' | 'grant_types' | 'require_pkce' | 'access'
>

export function withDefaults(input: NewApplication): Content {
  const require_pkce = input.type === 'public'
  return {
    type: 'confidential',
    redirect_uris: [],
    scopes: [],
    grant_types: ['authorization_code', 'refresh_token'],
    require_pkce,
    access: 'read_write',
    ...input,
  }
}

/** What the fields' schemas cannot say. */
export function validate({ type, redirect_uris, grant_types, require_pkce }: Content): void {
  for (const uri of redirect_uris) {
    // URL.parse forgives spaces, line breaks and backslashes; what is matched byte for byte must not contain them.
    const url = /^[\x21-\x7e]+$/.test(uri) && !/[\\#]/.test(uri) ? URL.parse(uri) : null
    const loopback = url && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
    const plain = url && !url.username && !url.password && !url.hostname.includes('*')
    if (!plain || !(url.protocol === 'https:' || (url.protocol === 'http:' && loopback))) {
      throw invalid(
        'redirect_uris',
        'bad_redirect_uri',
        `${quote(uri)} is not an https address (or http on 127.0.0.1, [::1] or localhost) without a fragment.`,
      )
    }
  }
  const secretFlow = grant_types.find((grant) => grant === 'client_credentials' || grant === 'password')
  if (type === 'public' && secretFlow)
    throw invalid(
      'grant_types',
      'needs_secret',
      `A public application keeps no secret, so it cannot use ${secretFlow}.`,
    )
  if (type === 'public' && !require_pkce)
    throw invalid('require_pkce', 'needs_pkce', 'A public application keeps no secret, so it must use PKCE.')
}

const editable = ['name', 'redirect_uris', 'scopes', 'grant_types', 'require_pkce', 'access'] as const

export function edit(
  current: OAuthApplication,
  input: ApplicationEdit,
): { changes: Partial<OAuthApplication>; previous: Partial<OAuthApplication> } {
  const changed = editable.filter(
    (field) => input[field] !== undefined && JSON.stringify(input[field]) !== JSON.stringify(current[field]),
  )
  return {
    changes: Object.fromEntries(changed.map((field) => [field, input[field]])),
    previous: Object.fromEntries(changed.map((field) => [field, current[field]])),
  }
}
