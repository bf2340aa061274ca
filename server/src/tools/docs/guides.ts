import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { withAddresses } from '../../platform/addresses.ts'
import type { Settings } from '../../settings.ts'

/** A page of the folder docs/. `name` is its file and its address, `label` what the navigation calls it. */
export type Guide = { name: string; label: string; about: string; text(): string }

const folder = new URL('../../../../docs/', import.meta.url)

/** The guides in the order of the navigation. One whose file is not there is left out; a test finds files that are not in the list. */
const list: readonly Omit<Guide, 'text'>[] = [
  {
    name: 'api',
    label: 'Conventions',
    about: 'What holds in every operation: ids, times, money, pages, conditional and repeated writes.',
  },
  {
    name: 'words',
    label: 'Words',
    about: 'One word, one thing: what is called how in the API, the console and the code.',
  },
  {
    name: 'oauth',
    label: 'OAuth',
    about: 'Applications, the flows that get a token, scopes, and how long tokens live.',
  },
  {
    name: 'sdk',
    label: 'SDK',
    about: 'The client for TypeScript and JavaScript: a method for every operation, lists, files, errors, tokens.',
  },
  { name: 'roles', label: 'Roles', about: 'What each role may do, and applications that may only read.' },
  { name: 'dry-run', label: 'Dry run', about: 'See what a write would answer, without doing it.' },
  { name: 'bills', label: 'Bills', about: 'The states of a bill and of a statement, and what moves them.' },
  {
    name: 'approvals',
    label: 'Approvals',
    about: 'Have bills approved before they are paid: rules, two people, delegation, reminders.',
  },
  {
    name: 'carrier-invoices',
    label: 'Carrier invoices',
    about: 'What carriers ask for: received, matched, audited under tolerances, decided about, billed.',
  },
  {
    name: 'movement',
    label: 'Movement',
    about: 'Stops, arriving and departing, positions and check calls, arrival times and delays, double bookings.',
  },
  {
    name: 'emanifests',
    label: 'E-manifests',
    about:
      'What customs is told before a truck crosses the border: made, validated, filed, acknowledged, amended, cancelled.',
  },
  {
    name: 'dispatch',
    label: 'Dispatch',
    about: 'Plan and follow trips: orders to plan, the manifests of the board, moving them, putting stops in order.',
  },
  {
    name: 'partner-portal',
    label: 'Partner portal',
    about: 'Carriers at their phones: invitations, signed links, tenders, stops, papers, bills and questions.',
  },
  {
    name: 'invoices',
    label: 'Invoices',
    about: 'What customers owe: invoices, those made from orders, and customer statements.',
  },
  { name: 'credits', label: 'Credits', about: 'What is taken off what is owed, on both sides.' },
  {
    name: 'periods-and-voiding',
    label: 'Voiding and periods',
    about: 'Take a document out of the books, correct it, and close the months that are done.',
  },
  {
    name: 'rates-and-taxes',
    label: 'Rates and taxes',
    about: 'The home currency, exchange rates, what documents come to, and the taxes of lines.',
  },
  {
    name: 'payments',
    label: 'Payments',
    about: 'Paying documents whole and in part, many at once; credits; voiding and reopening.',
  },
  {
    name: 'payees',
    label: 'Payees',
    about: 'Where money goes: bank details, the second person who approves a change, factoring companies.',
  },
  {
    name: 'payment-runs',
    label: 'Payment runs',
    about: 'Pay what is due to many carriers at once: choose, approve, issue, files for the bank, returns.',
  },
  {
    name: 'connectors',
    label: 'Connections',
    about:
      'Bills and invoices to QuickBooks Online, Xero or a file, payments back: connect, map, check, sync, try again.',
  },
  {
    name: 'documents',
    label: 'Documents',
    about: 'Files kept with records: sending, attaching, downloading, and which must be there before a bill is paid.',
  },
  {
    name: 'reports',
    label: 'Reports',
    about:
      'What is owed by age, what was spent, what orders earn, what is not billed yet; of now and of any past moment.',
  },
  { name: 'bulk', label: 'Bulk', about: 'Many bills at once: bulk requests, export, import.' },
  { name: 'transfers', label: 'Transfers', about: 'Large imports and exports, worked off in the background.' },
  { name: 'events', label: 'Change feed', about: 'Hear of every change: the feed, its positions, the stream.' },
  {
    name: 'objects',
    label: 'Objects',
    about: 'Customers, orders, manifests and kinds of your own: create, search, define.',
  },
  { name: 'objects-v1', label: 'Objects in v1', about: 'The same objects under /api/v1, with the names of v1.' },
  {
    name: 'paper-and-mail',
    label: 'Paper and mail',
    about: 'Records as PDF files, documents by mail, the outbox, invitations and new passwords.',
  },
  {
    name: 'webhooks',
    label: 'Webhooks',
    about: 'What happens, sent to an endpoint of yours: signatures, retries, deliveries, replays.',
  },
  { name: 'errors', label: 'Errors', about: 'Every error code, what it means and what to do.' },
  {
    name: 'request-log',
    label: 'Request log',
    about: 'The requests of the last days, with what they were answered: for finding out what an integration did.',
  },
  { name: 'limits', label: 'Limits', about: 'Rates, sizes and lengths, and what happens beyond them.' },
  {
    name: 'cli',
    label: 'Command line',
    about: 'The commands of the program lading, their exit codes and their errors.',
  },
  { name: 'settings', label: 'Settings', about: 'The environment variables that the server reads.' },
  { name: 'operating', label: 'Operating', about: 'Running it where people depend on it.' },
]

export function readGuides(settings: Settings): Guide[] {
  return list
    .filter(({ name }) => existsSync(fileOf(name)))
    .map((guide) => ({ ...guide, text: () => withAddresses(readFileSync(fileOf(guide.name), 'utf8'), settings) }))
}

/** The pictures that the guides show. */
export function guideImages(): { name: string; file: URL }[] {
  const images = new URL('images/', folder)
  if (!existsSync(images)) return []
  return readdirSync(images)
    .filter((name) => name.endsWith('.png'))
    .map((name) => ({ name, file: new URL(name, images) }))
}

function fileOf(name: string): URL {
  return new URL(`${name}.md`, folder)
}
