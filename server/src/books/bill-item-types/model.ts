import Type, { type Static } from 'typebox'
import { changedBetween, Id, nullable, paging, Text, Time, wholeEdit } from '../../platform/core/schema/schema.ts'

const content = {
  external_id: nullable(
    Text('The id of the bill item type in the system it comes from; unique in the organization.', 'FSC-01'),
  ),
  qb_external_id: nullable(Text('The id of the bill item type in the accounting package.', '80000012-1699876543')),
  name: Text('What people call it.', 'Fuel surcharge'),
  class: nullable(Text('The class it is booked under.', 'accessorial')),
}

export const BillItemType = Type.Object(
  {
    id: Id('Made by the server.'),
    ...content,
    org_id: Id('The organization it belongs to.'),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_at: Time('When it was created.'),
    updated_at: Time('When it was last changed.'),
  },
  { $id: 'BillItemType', description: 'A kind of line on a bill, such as line haul, detention or fuel surcharge.' },
)
export type BillItemType = Static<typeof BillItemType>

export const NewBillItemType = Type.Object({
  external_id: Type.Optional(content.external_id),
  qb_external_id: Type.Optional(content.qb_external_id),
  name: content.name,
  class: Type.Optional(content.class),
})
export type NewBillItemType = Static<typeof NewBillItemType>

export const BillItemTypeEdit = wholeEdit(BillItemType, Type.Partial(Type.Object(content)))
export type BillItemTypeEdit = Static<typeof BillItemTypeEdit>

export const BillItemTypeSearch = Type.Object({
  search_term: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Keeps the types that contain this in their name, class, external_id or qb_external_id; upper and lower case are the same.',
      examples: ['surcharge'],
    }),
  ),
  names: Type.Optional(
    Type.Array(Type.String({ maxLength: 255 }), {
      maxItems: 200,
      description:
        'Keeps the types with one of these names, whole, upper and lower case the same. A name with a comma goes as `names[]=`.',
      examples: [['Detention', 'Lumper']],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type BillItemTypeSearch = Static<typeof BillItemTypeSearch>

export const editable = ['external_id', 'qb_external_id', 'name', 'class'] as const

/** Only the fields that are sent and differ; what they were before is what the event tells. */
export function edit(
  current: BillItemType,
  input: BillItemTypeEdit,
): { changes: Partial<BillItemType>; previous: Partial<BillItemType> } {
  const changed = editable.filter((field) => input[field] !== undefined && input[field] !== current[field])
  return {
    changes: Object.fromEntries(changed.map((field) => [field, input[field]])),
    previous: Object.fromEntries(changed.map((field) => [field, current[field]])),
  }
}
