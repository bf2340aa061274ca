import type { Role } from './queries.ts'

/** What people call the roles, and what each may do. */
export const roleWords: Record<Role, { label: string; one: string; description: string }> = {
  admin: {
    label: 'Admin',
    one: 'an admin',
    description: 'Does everything, and manages people, applications and settings.',
  },
  member: {
    label: 'Member',
    one: 'a member',
    description: 'Enters, approves and pays. Manages no people and no settings.',
  },
  clerk: { label: 'Clerk', one: 'a clerk', description: 'Enters and changes records. Does not approve or pay.' },
  approver: { label: 'Approver', one: 'an approver', description: 'Sees everything, approves and rejects bills.' },
  payer: { label: 'Payer', one: 'a payer', description: 'Sees everything, records payments.' },
  read_only: { label: 'Read-only', one: 'a reader', description: 'Sees everything, changes nothing.' },
  partner: {
    label: 'Partner',
    one: 'a partner',
    description: 'Belongs to a carrier, and sees what is its own in the partner portal.',
  },
}

/** Those that can be given to anybody: partners are invited for a carrier, under Partner portal. */
export const roleNames = (Object.keys(roleWords) as Role[]).filter((role) => role !== 'partner')
