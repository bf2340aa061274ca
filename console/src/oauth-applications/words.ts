import type { ApplicationType, Flow, Scope } from './application.ts'

export const typeWords: Record<ApplicationType, { name: string; means: string }> = {
  confidential: { name: 'Confidential', means: 'Can keep a secret: a program on your own server.' },
  public: { name: 'Public', means: 'Cannot keep a secret: a mobile app, a desktop program or a web page. It signs people in with PKCE.' },
}

export const flowWords: Record<Flow, { name: string; means: string }> = {
  authorization_code: { name: 'Authorization code', means: 'People sign in and allow access. Needs a redirect URI.' },
  refresh_token: { name: 'Refresh token', means: 'New access tokens without asking people again, for up to 90 days.' },
  client_credentials: { name: 'Client credentials', means: 'The application acts on its own behalf: for servers and scheduled jobs.' },
  password: { name: 'Password', means: 'The application exchanges people’s passwords for tokens.' },
}

export const flows = Object.keys(flowWords) as Flow[]

/** These flows need the client secret, so a public application cannot have them. */
export const secretFlows: readonly Flow[] = ['client_credentials', 'password']

export const passwordWarning =
  'The application sees people’s passwords, which RFC 9700 advises against. Enable this flow only for a program that cannot open a browser.'

export const pkceWords = {
  means: 'People can sign in only if the application sends a code challenge. Switch it on when the application supports PKCE.',
  always: 'Public applications always use PKCE.',
}

export const noScopes = 'No scopes selected: the application cannot do anything yet.'

type ScopeWords = { name: string; means: string }

export const scopeGroups: readonly { name: string; scopes: Partial<Record<Scope, ScopeWords>> }[] = [
  {
    name: 'Billing',
    scopes: {
      bills: { name: 'Bills', means: 'Read and change bills, their lines and states, and pay terms; read currencies.' },
      bill_item_types: { name: 'Bill item types', means: 'Read and change the types of lines on bills.' },
      consolidated_bills: { name: 'Consolidated bills', means: 'Read, create, send and pay statements.' },
      invoices: { name: 'Invoices', means: 'Reserved for invoices to customers.' },
      exchange_rates: { name: 'Exchange rates', means: 'Reserved for exchange rates.' },
    },
  },
  {
    name: 'Transport',
    scopes: {
      orders: { name: 'Orders', means: 'Read and change orders and quotes.' },
      manifests: { name: 'Manifests', means: 'Read and change manifests; together with Bills, create the bills of their carriers.' },
      legs: { name: 'Legs', means: 'Read and change the legs of trips.' },
      emanifests: { name: 'E-manifests', means: 'Reserved for electronic manifests.' },
      equipment: { name: 'Equipment', means: 'Read and change trucks, trailers and other equipment.' },
      services: { name: 'Services', means: 'Read and change services, objects of custom kinds, and the definitions of these kinds.' },
    },
  },
  {
    name: 'Customers and partners',
    scopes: {
      customers: { name: 'Customers', means: 'Read and change customers and their contacts.' },
      partner_portal: { name: 'Partner carriers', means: 'Read and change partner carriers.' },
      connectors_orgs: { name: 'Connected organizations', means: 'Reserved for connections to other organizations.' },
    },
  },
  {
    name: 'Administration',
    scopes: {
      users: {
        name: 'Users and applications',
        means: 'Invite and disable people, and manage OAuth applications. On its own behalf the application can do everything that an admin can.',
      },
      webhooks: { name: 'Webhooks', means: 'Manage webhooks and read events.' },
    },
  },
]

export const scopeNames = Object.fromEntries(scopeGroups.flatMap(({ scopes }) => Object.entries(scopes).map(([scope, { name }]) => [scope, name]))) as Record<
  Scope,
  string
>
