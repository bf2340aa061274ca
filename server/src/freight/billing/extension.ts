import type { Context } from '../../platform/context.ts'
import { conflict, type Refusal } from '../../platform/core/refusal.ts'
import type { Extension, TouchedObject } from '../../records/kinds/extension.ts'
import { fieldsOf } from './document-fields-sql.ts'
import { findUnknownTypes } from './item-types.ts'
import { billOfManifest, invoiceOfOrder, type Link } from './links.ts'
import { type LinkedDocument, listDocuments } from './store.ts'

/** What a bill adds to a manifest and an invoice to an order: fields that show it, and what it keeps from being changed. */
export const documentExtensions: readonly Extension[] = [
  extensionOf(billOfManifest, {
    fixed: ['paymentItems', 'partnerId', 'currency'],
    why: 'pays for this manifest',
    what: 'its payment items, carrier and currency are fixed',
    items: 'paymentItems',
  }),
  extensionOf(invoiceOfOrder, {
    fixed: ['rate', 'charges', 'customerId', 'currency'],
    why: 'charges for this order',
    what: 'its rate, charges, customer and currency are fixed',
    items: 'charges',
  }),
]

/** The fields of an object that its document was made from, which cannot change while there is one, and how a refusal says so. */
type Fixed = {
  fixed: readonly string[]
  why: string
  what: string
  /** The field with the items that become lines: the types of those must be there. */
  items: string
}

function extensionOf(link: Link, { fixed, why, what, items }: Fixed): Extension {
  const refusalOf = ({ document_id }: LinkedDocument, deleted: boolean): Refusal =>
    conflict(
      link.verb,
      `The ${link.noun} ${document_id} ${why}, so ${deleted ? 'it cannot be deleted' : what}. Delete that ${link.noun} while it is a draft, or change the ${link.noun} instead.`,
    )
  return {
    objectKey: link.objectKey,
    fields: fieldsOf(link),
    findWrong: (ctx, writes) => findUnknownTypes(ctx, items, writes),
    async findFixed(ctx: Context, touched: readonly TouchedObject[]) {
      const asked = new Map(
        touched
          .filter(({ changed }) => !changed || changed.some((field) => fixed.includes(field)))
          .map(({ id, changed }) => [id, !changed]),
      )
      const documents = await listDocuments(ctx, link, [...asked.keys()])
      const standing = documents.filter(({ voided, object_id }) => !voided || asked.get(object_id))
      return new Map(
        standing.map((linked) => [linked.object_id, refusalOf(linked, asked.get(linked.object_id) === true)]),
      )
    },
  }
}
