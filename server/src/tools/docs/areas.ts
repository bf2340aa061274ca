import type { ApiDescription } from './operations.ts'

type Components = Record<string, Record<string, unknown>>
export type Area = { slug: string; title: string; about: string; tags: readonly string[] }

/** Of every tag that is named nowhere. */
const rest: Area = {
  slug: 'platform',
  title: 'Platform',
  about: 'events, webhooks, transfers, mail, users, applications and the organization',
  tags: [],
}
/** The requests that we make; their tag is that of the operations with which they are set up. */
const sent: Area = { slug: 'events', title: 'Sent to webhooks', about: 'what is sent for each type of event', tags: [] }

/**
 * The page at /docs shows one area at a time: the browser works through the whole document before it shows anything of it, and for all operations
 * and webhooks at once that takes ten seconds and more.
 */
export const areas: readonly Area[] = [
  {
    slug: 'payables',
    title: 'Payables',
    about: 'bills, consolidated bills, approvals, carrier invoices, payees and payment runs',
    tags: [
      'Bills',
      'Bill lines',
      'Consolidated bills',
      'Approvals',
      'Carrier invoices',
      'Audit policies',
      'Payees',
      'Payment runs',
    ],
  },
  {
    slug: 'receivables',
    title: 'Receivables and payments',
    about: 'invoices, credits and payments',
    tags: ['Invoices', 'Invoice lines', 'Credits', 'Credit lines', 'Payments'],
  },
  {
    slug: 'books',
    title: 'Books',
    about: 'item types, pay terms, periods, currencies, rates, taxes, connections to accounting systems and reports',
    tags: [
      'Bill item types',
      'Pay terms',
      'Accounting periods',
      'Currencies',
      'Exchange rates',
      'Tax rates',
      'Connections',
      'Reports',
    ],
  },
  {
    slug: 'transport',
    title: 'Transport',
    about: 'customers, orders, legs, manifests, dispatch, equipment, carriers, e-manifests and documents',
    tags: [
      ...[
        'Customers',
        'Orders',
        'Legs',
        'Manifests',
        'Dispatch',
        'Equipment',
        'Services',
        'Partner carriers',
        'E-manifests',
      ],
      ...['Documents', 'Document rules'],
    ],
  },
  {
    slug: 'portal',
    title: 'Partner portal',
    about: 'what is shared with carriers, and what they do themselves',
    tags: ['Partners', 'Partner portal', 'Portal of a carrier'],
  },
  {
    slug: 'objects',
    title: 'Objects',
    about: 'objects of all kinds, their definitions and boards',
    tags: ['Objects', 'Definitions', 'Boards'],
  },
  rest,
  sent,
]

export const firstArea = areas[0] as Area

/** Where an area is shown. */
export function pageOf(area: Area): string {
  return area === firstArea ? '/docs/' : `/docs/reference/${area.slug}`
}

/** The document of the page. */
export function documentOf({ slug }: Area): string {
  return `/docs/reference/${slug}.json`
}

/** The part of the document that is about one area, with the components that it names. */
export function partOf(document: ApiDescription, area: Area): ApiDescription {
  const paths = area === sent ? {} : inArea(document.paths, area)
  const webhooks = (area === sent && document.webhooks) || {}
  const { title, description = '' } = document.info
  const first = area === firstArea
  return {
    ...document,
    info: {
      ...document.info,
      title: first ? title : `${title}: ${area.title}`,
      description: `${first ? `${description}\n\n` : ''}${contents(area)}`,
    },
    paths,
    webhooks,
    components: { ...document.components, ...named([paths, webhooks], document.components) },
  }
}

function inArea(paths: ApiDescription['paths'], area: Area): ApiDescription['paths'] {
  const ofOthers = new Set(areas.filter((other) => other !== area).flatMap(({ tags }) => tags))
  const belongs = (tag = '') => (area === rest ? !ofOthers.has(tag) : area.tags.includes(tag))
  const kept = Object.entries(paths).map(
    ([path, operations]) =>
      [path, Object.fromEntries(Object.entries(operations).filter(([, { tags }]) => belongs(tags?.[0])))] as const,
  )
  return Object.fromEntries(kept.filter(([, operations]) => Object.keys(operations).length > 0))
}

function contents(current: Area): string {
  const line = (area: Area) =>
    `- ${area === current ? `**${area.title}** (this page)` : `[${area.title}](${pageOf(area)})`}: ${area.about}`
  return `**The parts of this reference.** Each is a page of its own, and is authorized for itself.\n\n${areas.map(line).join('\n')}`
}

/** The components that something refers to, and those that these refer to. Of the security schemes all are needed. */
function named(from: unknown, { securitySchemes: _, ...components }: ApiDescription['components']): Components {
  const found: Components = Object.fromEntries(Object.keys(components).map((section) => [section, {}]))
  const look = (text: string): void => {
    for (const [, section = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"/]+)"/g)) {
      const component = (components as Components)[section]?.[name]
      if (component === undefined || found[section]?.[name]) continue
      Object.assign(found[section] as object, { [name]: component })
      look(JSON.stringify(component))
    }
  }
  look(JSON.stringify(from))
  return found
}
