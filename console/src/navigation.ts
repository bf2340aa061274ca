import {
  IconActivity,
  IconAddressBook,
  IconApps,
  IconArrowsExchange,
  IconArrowsTransferDown,
  IconBarrierBlock,
  IconBuilding,
  IconBuildingBank,
  IconCalendarDue,
  IconCalendarMonth,
  IconCash,
  IconChecks,
  IconFileCheck,
  IconFileInvoice,
  IconHome,
  IconInbox,
  IconLayoutKanban,
  IconMail,
  IconPercentage,
  IconPlug,
  IconReceipt2,
  IconReceiptRefund,
  IconReportAnalytics,
  IconScale,
  IconSchema,
  IconSend,
  IconShieldCheck,
  IconStack2,
  IconTags,
  IconTerminal2,
  IconTruckDelivery,
  IconUsers,
  IconWebhook,
} from './app/icons/icons.ts'
import type { PlaceGroup } from './app/shell/place.ts'
import { applicationsPath, eventsPath, requestLogPath, webhooksPath } from './developers/paths.ts'
import { useKindPlaces } from './records/kinds/navigation.ts'

/** The navigation with the organization's kinds of objects, before the settings. */
export function useNavigation(): readonly PlaceGroup[] {
  const kinds = useKindPlaces()
  const settings = navigation.findIndex(({ label }) => label?.startsWith('Settings'))
  return kinds.places.length > 0 ? navigation.toSpliced(settings, 0, kinds) : navigation
}

/** The navigation, from top to bottom. */
const navigation: readonly PlaceGroup[] = [
  { label: null, places: [{ label: 'Home', to: '/', icon: IconHome }] },
  {
    label: 'Movement',
    places: [
      { label: 'Dispatch', to: '/dispatch', icon: IconLayoutKanban },
      { label: 'E-manifests', to: '/emanifests', icon: IconBarrierBlock },
    ],
  },
  {
    label: 'Payables',
    places: [
      { label: 'Inbox', to: '/payables', icon: IconInbox },
      { label: 'Bills', to: '/bills', icon: IconFileInvoice },
      { label: 'Statements', to: '/statements', icon: IconStack2 },
      { label: 'Credits', to: '/credits/carriers', icon: IconReceiptRefund },
      { label: 'Payees', to: '/payees', icon: IconAddressBook },
    ],
  },
  {
    label: 'Receivables',
    places: [
      { label: 'Invoices', to: '/invoices', icon: IconReceipt2 },
      { label: 'Credits', to: '/credits/customers', icon: IconReceiptRefund },
    ],
  },
  {
    label: 'Money',
    places: [
      { label: 'Payments', to: '/payments', icon: IconCash },
      { label: 'Payment runs', to: '/payment-runs', icon: IconSend },
      { label: 'Reports', to: '/reports', icon: IconReportAnalytics },
    ],
  },
  {
    label: 'Settings',
    folded: true,
    places: [
      { label: 'Organization', to: '/settings/organization', icon: IconBuilding },
      { label: 'Approvals', to: '/settings/approvals', icon: IconChecks },
      { label: 'Audit policies', to: '/settings/audit-policies', icon: IconScale },
      { label: 'Accounting periods', to: '/settings/accounting-periods', icon: IconCalendarMonth },
      { label: 'Required documents', to: '/settings/document-rules', icon: IconFileCheck },
      { label: 'Exchange rates', to: '/settings/exchange-rates', icon: IconArrowsExchange },
      { label: 'Tax rates', to: '/settings/tax-rates', icon: IconPercentage },
      { label: 'Bill item types', to: '/settings/bill-item-types', icon: IconTags },
      { label: 'Pay terms', to: '/settings/pay-terms', icon: IconCalendarDue },
      { label: 'Paying accounts', to: '/settings/paying-accounts', icon: IconBuildingBank },
      { label: 'Connections', to: '/settings/connections', icon: IconPlug },
      { label: 'Partner portal', to: '/settings/partner-portal', icon: IconTruckDelivery },
      { label: 'Mail', to: '/settings/mail', icon: IconMail },
      { label: 'Imports and exports', to: '/settings/transfers', icon: IconArrowsTransferDown },
      { label: 'People', to: '/settings/people', icon: IconUsers, adminsOnly: true },
      { label: 'Security log', to: '/settings/security-log', icon: IconShieldCheck, adminsOnly: true },
      { label: 'Object definitions', to: '/settings/objects', icon: IconSchema, adminsOnly: true },
    ],
  },
  {
    label: 'Developers',
    folded: true,
    places: [
      { label: 'Events', to: eventsPath, icon: IconActivity },
      { label: 'Webhooks', to: webhooksPath, icon: IconWebhook },
      { label: 'Request log', to: requestLogPath, icon: IconTerminal2, adminsOnly: true },
      { label: 'OAuth applications', to: applicationsPath, icon: IconApps, adminsOnly: true },
    ],
  },
]
