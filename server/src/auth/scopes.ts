/** The scopes of the contract, and what each allows in the words of the consent page. */
export const scopes = {
  orders: 'Manage orders and quotes',
  customers: 'Manage customers',
  legs: 'Manage legs',
  manifests: 'Manage manifests',
  emanifests: 'Manage e-manifests',
  invoices: 'Manage invoices',
  users: 'Manage users and OAuth applications',
  bills: 'Manage bills, pay terms and see currencies',
  consolidated_bills: 'Manage consolidated bills',
  services: 'Manage services and kinds of objects of your own',
  partner_portal: 'Manage partner carriers, tenders and the partner portal',
  connectors_orgs: 'Manage connections with accounting systems, and sync',
  equipment: 'Manage equipment',
  bill_item_types: 'Manage bill item types',
  exchange_rates: 'Manage exchange rates',
  webhooks: 'Manage webhooks and read events',
} as const

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes) as Scope[]

/** OpenID Connect's own: who signed in, not what they may do. */
export const identityScopes = ['openid', 'profile', 'email', 'offline_access'] as const
