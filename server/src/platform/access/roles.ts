import { forbidden, type Refusal } from '../core/refusal.ts'
import { identityScopes, type Scope } from './scopes.ts'

/** What an operation can ask of a caller, and what each allows. An operation declares one right; without a declaration it is `read` or `enter`. */
export const rights = {
  read: 'See everything that the scopes of the token allow to see, search, convert and export it',
  enter: 'Create, change, import, send, void and delete records',
  approve:
    'Approve and reject bills, and decide about carrier invoices, changes of payees and payment runs; only people have it, never an application that acts for itself',
  pay: 'Record, issue, clear, allocate and void payments, apply credits, and take documents to and from the state paid',
  see_bank_details:
    'See bank details whole, where others see them masked, and download the files of payment runs, which hold them',
  use_portal: 'Use the partner portal: see and answer what concerns one’s own carrier, and nothing else',
  administer:
    'Manage users, applications, webhooks, rules, periods, kinds of objects and settings; read the security log and the request log',
} as const
export type Right = keyof typeof rights

/** The one table of what each role may do. */
export const roles = {
  admin: ['read', 'enter', 'approve', 'pay', 'see_bank_details', 'administer'],
  member: ['read', 'enter', 'approve', 'pay'],
  clerk: ['read', 'enter'],
  approver: ['read', 'approve'],
  // Who pays takes the files of payment runs to the bank, and these hold bank details.
  payer: ['read', 'pay', 'see_bank_details'],
  read_only: ['read'],
  // The people of a carrier. Every operation outside of the portal needs another right, so none is open to them.
  partner: ['use_portal'],
} as const satisfies Record<string, readonly Right[]>
export type Role = keyof typeof roles

/** The scopes that a role has a use for, where these are not all: of every scope but this one, all operations need a right that a partner lacks. */
const scopesOfRole: { [role: string]: readonly Scope[] | undefined } = { partner: ['partner_portal'] }

/** Of these scopes, those that somebody with this role can use. Who signed in is for every role to say. */
export function usableScopes(role: string | undefined, asked: readonly string[]): string[] {
  const usable: readonly string[] | undefined = scopesOfRole[role ?? '']
  return usable
    ? asked.filter((scope) => usable.includes(scope) || (identityScopes as readonly string[]).includes(scope))
    : [...asked]
}

export const rightNames = Object.keys(rights) as Right[]
export const roleNames = Object.keys(roles) as Role[]

/** What an application may do: with `read` its tokens reach only operations that read, whoever they act for. */
export const accesses = ['read_write', 'read'] as const
export type Access = (typeof accesses)[number]

/** The roles that may approve. */
export const approvingRoles = roleNames.filter((role) => (roles[role] as readonly Right[]).includes('approve'))

const setsOfRights = new Map<string, ReadonlySet<Right>>(
  Object.entries(roles).map(([role, allowed]) => [role, new Set<Right>(allowed)]),
)
const noRights: ReadonlySet<Right> = new Set()
/** The portal shows what is one carrier's, and an application is no carrier. Only people approve. */
const rightsOfApplications: ReadonlySet<Right> = new Set(
  rightNames.filter((right) => right !== 'use_portal' && right !== 'approve'),
)

/** The rights of a user with this role. A role that this version does not know has none. */
export function rightsOfRole(role: string | undefined): ReadonlySet<Right> {
  return setsOfRights.get(role ?? '') ?? noRights
}

/** An application that acts for itself has no role: an admin gave it its scopes, and those decide. */
export function rightsOfApplication(): ReadonlySet<Right> {
  return rightsOfApplications
}

/** Refuses what the caller's role does not allow. A context without rights is limited by nobody's token. */
export function requireRight({ rights: given }: { rights?: ReadonlySet<Right> | undefined }, right: Right): void {
  if (given && !given.has(right)) throw lacksRight(right)
}

export function lacksRight(right: Right): Refusal {
  if (right === 'administer')
    return forbidden('admin_required', 'This needs the role admin in the organization; ask one of its admins.')
  if (right === 'use_portal')
    return forbidden(
      'right_required',
      'The partner portal is for the people of carriers: it needs the role partner, or the signed link of a record.',
    )
  const able = roleNames.filter((role) => rightsOfRole(role).has(right))
  const message = `Your role does not have the right "${right}", which this needs. These roles have it: ${able.join(', ')}. Ask an admin of the organization.`
  return forbidden('right_required', message)
}

/** An application that acts for itself has every right but this one that a decision needs. */
export function personRequired(): Refusal {
  return forbidden(
    'person_required',
    'A person decides this, and this token is that of an application which acts for itself. Have somebody with the right "approve" do it.',
  )
}

export function readOnlyToken(): Refusal {
  return forbidden(
    'read_only_token',
    'The application of this access token may only read, and this operation writes. An admin can change its "access".',
  )
}
