import {
  IconApps,
  IconArrowsTransferDown,
  IconCalendarDue,
  IconFileInvoice,
  IconHome,
  IconSchema,
  IconShieldCheck,
  IconStack2,
  IconTags,
  IconUsers,
} from '@tabler/icons-react'

/** `heading` stands above the place, where a part of the group begins with it. */
export type Place = { label: string; to: string; icon: typeof IconHome; adminsOnly?: boolean; heading?: string }
/** A folded group shows its places when it is opened. */
export type Group = { label: string | null; places: readonly Place[]; folded?: boolean }

/** The navigation, from top to bottom. */
export const navigation: readonly Group[] = [
  { label: null, places: [{ label: 'Home', to: '/', icon: IconHome }] },
  {
    label: 'Payables',
    places: [
      { label: 'Bills', to: '/bills', icon: IconFileInvoice },
      { label: 'Statements', to: '/statements', icon: IconStack2 },
    ],
  },
  {
    label: 'Settings',
    folded: true,
    places: [
      { label: 'Bill item types', to: '/settings/bill-item-types', icon: IconTags },
      { label: 'Pay terms', to: '/settings/pay-terms', icon: IconCalendarDue },
      { label: 'Imports and exports', to: '/settings/transfers', icon: IconArrowsTransferDown },
      { label: 'People', to: '/settings/people', icon: IconUsers, adminsOnly: true },
      { label: 'Security log', to: '/settings/security-log', icon: IconShieldCheck, adminsOnly: true },
      { label: 'Object definitions', to: '/settings/objects', icon: IconSchema, adminsOnly: true },
      { label: 'OAuth applications', to: '/settings/api/oauth-applications', icon: IconApps, adminsOnly: true, heading: 'API' },
    ],
  },
]
