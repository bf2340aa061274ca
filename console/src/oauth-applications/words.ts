import type { ApplicationType, Flow, Scope } from './application.ts'

export const typeWords: Record<ApplicationType, { name: string; means: string }> = {
  confidential: { name: 'Confidential', means: 'It can keep a secret: a program on a server of yours.' },
  public: { name: 'Public', means: 'It cannot: a mobile app, a desktop program, a page in the browser. It signs people in with PKCE.' },
}

export const flowWords: Record<Flow, { name: string; means: string }> = {
  authorization_code: { name: 'Authorization code', means: 'People sign in, see what it asks for, and allow it. Needs a redirect URI.' },
  refresh_token: { name: 'Refresh token', means: 'It stays signed in: new access tokens without asking people again, for up to 90 days.' },
  client_credentials: { name: 'Client credentials', means: 'It acts for itself in this organization, with nobody present: servers and scheduled jobs.' },
  password: { name: 'Password', means: 'It takes people’s passwords and trades them for tokens.' },
}

export const flows = Object.keys(flowWords) as Flow[]

/** These prove who the application is by its secret, so a public one cannot have them. */
export const secretFlows: readonly Flow[] = ['client_credentials', 'password']

export const passwordWarning =
  'The application gets to see people’s passwords, and current practice (RFC 9700) advises against it. Switch it on only for a program that cannot open a browser.'

export const noScopes = 'None chosen: it can do nothing until it has one.'

type ScopeWords = { name: string; means: string }

export const scopeGroups: readonly { name: string; scopes: Partial<Record<Scope, ScopeWords>> }[] = [
  {
    name: 'Billing',
    scopes: {
      bills: { name: 'Bills', means: 'Read and change bills, their lines and states, and pay terms; read currencies.' },
      bill_item_types: { name: 'Bill item types', means: 'Read and change the kinds of lines on bills.' },
      consolidated_bills: { name: 'Consolidated bills', means: 'Read, make, send and pay statements.' },
      invoices: { name: 'Invoices', means: 'Reserved for invoices to customers.' },
      exchange_rates: { name: 'Exchange rates', means: 'Reserved for exchange rates.' },
    },
  },
  {
    name: 'Transport',
    scopes: {
      orders: { name: 'Orders', means: 'Read and change orders and quotes.' },
      manifests: { name: 'Manifests', means: 'Read and change manifests; with Bills, make their carriers’ bills.' },
      legs: { name: 'Legs', means: 'Read and change the legs of trips.' },
      emanifests: { name: 'E-manifests', means: 'Reserved for electronic manifests.' },
      equipment: { name: 'Equipment', means: 'Read and change trucks, trailers and other equipment.' },
      services: { name: 'Services', means: 'Read and change services and objects of your own kinds, and what these kinds are.' },
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
        means: 'Invite and disable people, and manage these applications. Acting for itself, it can do all that an admin can.',
      },
      webhooks: { name: 'Webhooks', means: 'Manage webhooks and read events.' },
    },
  },
]

export const scopeNames = Object.fromEntries(scopeGroups.flatMap(({ scopes }) => Object.entries(scopes).map(([scope, { name }]) => [scope, name]))) as Record<
  Scope,
  string
>
