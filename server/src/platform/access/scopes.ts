/** The scopes of the contract, and what each allows, in the words of the consent page, of the reference and of the console. */
export const scopes = {
  orders: 'Manage orders and quotes',
  customers: 'Manage customers',
  legs: 'Manage legs',
  manifests: 'Manage manifests',
  emanifests: 'Manage e-manifests',
  invoices: 'Manage invoices',
  users: 'Manage users and OAuth applications; on its own behalf the application can do all that an admin can',
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

/** Their names for people, in groups. */
export const scopeGroups: Record<string, Partial<Record<Scope, string>>> = {
  Billing: {
    bills: 'Bills',
    bill_item_types: 'Bill item types',
    consolidated_bills: 'Consolidated bills',
    invoices: 'Invoices',
    exchange_rates: 'Exchange rates',
  },
  Transport: {
    orders: 'Orders',
    manifests: 'Manifests',
    legs: 'Legs',
    emanifests: 'E-manifests',
    equipment: 'Equipment',
    services: 'Services',
  },
  'Customers and partners': {
    customers: 'Customers',
    partner_portal: 'Partner carriers',
    connectors_orgs: 'Accounting systems',
  },
  Administration: { users: 'Users and applications', webhooks: 'Webhooks' },
}

/** OpenID Connect's own: who signed in, not what they may do. */
export const identityScopes = ['openid', 'profile', 'email', 'offline_access'] as const
