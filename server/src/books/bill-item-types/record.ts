import Type from 'typebox'
import { conflict, quote } from '../../platform/core/refusal.ts'
import { Id, nullable, Text } from '../../platform/core/schema/schema.ts'
import { plainRecord, SearchTerm, versioned } from '../../platform/resource/plain-record.ts'

const fields = {
  external_id: nullable(
    Text('The id of the bill item type in the system it comes from; unique in the organization.', 'FSC-01'),
  ),
  qb_external_id: nullable(Text('The id of the bill item type in the accounting package.', '80000012-1699876543')),
  name: Text('What people call it.', 'Fuel surcharge'),
  class: nullable(Text('The class it is booked under.', 'accessorial')),
}

const names = Type.Array(Type.String({ maxLength: 255 }), {
  maxItems: 200,
  description:
    'Keeps the types with one of these names, whole, upper and lower case the same. A name with a comma goes as `names[]=`.',
  examples: [['Detention', 'Lumper']],
})

export const billItemTypes = plainRecord({
  noun: 'bill_item_type',
  plural: 'bill_item_types',
  access: { scope: 'bill_item_types' },
  schema: Type.Object(
    { id: Id('Made by the server.'), ...fields, org_id: Id('The organization it belongs to.'), ...versioned },
    { $id: 'BillItemType', description: 'A kind of line on a bill, such as line haul, detention or fuel surcharge.' },
  ),
  fields,
  optional: { external_id: null, qb_external_id: null, class: null },
  filters: {
    search_term: {
      contains: ['name', 'class', 'external_id', 'qb_external_id'],
      schema: SearchTerm('types', 'name, class, external_id or qb_external_id', 'surcharge'),
    },
    names: { isNamed: 'name_key', schema: names },
  },
  externalId: 'LH',
  texts: {
    search:
      'Finds the bill item types of the organization that match every filter given, newest first, with the exact total.',
    create: 'Makes a bill item type. An `external_id` is unique in the organization: a second one with it is a 409.',
    get: 'Answers a bill item type by its id or external id. With the ETag at hand in `If-None-Match` the answer is 304.',
    update:
      'Only the fields that are sent apply; null clears. A change that changes nothing leaves `revision` and `updated_at` alone. `If-Match` guards against overwriting another’s change.',
    delete: 'Deletes the bill item type. It is refused with 409 while lines of bills use it.',
  },
  refusals: {
    bill_item_type_external_id: ({ external_id }) =>
      conflict('external_id_taken', `Another bill item type has the external_id ${quote(external_id)} already.`, [
        { field: 'external_id', code: 'taken', message: 'An external_id is unique in the organization.' },
      ]),
    bill_item_type_in_use: () =>
      conflict('in_use', 'This bill item type is used by lines of bills or invoices, so it cannot be deleted.'),
  },
})
