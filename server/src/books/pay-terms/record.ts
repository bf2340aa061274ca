import Type from 'typebox'
import { conflict } from '../../platform/core/refusal.ts'
import { Id, nullable } from '../../platform/core/schema/schema.ts'
import { nameTaken, plainRecord, SearchTerm, versioned } from '../../platform/resource/plain-record.ts'
import { check, fields } from './model.ts'
import { replaceMappings } from './store.ts'

const { name, number_of_days, connector_mappings, discount_days, discount_percent } = fields
const { revision, ...times } = versioned
const schema = Type.Object(
  {
    ...{ id: Id('The pay term.'), ...times, org_id: Id('The organization.') },
    ...{ number_of_days, name, connector_mappings, discount_days, discount_percent, revision },
  },
  { $id: 'PayTerm', description: 'How long the organization has to pay.' },
)
const inUse = () => conflict('in_use', 'This pay term is used by bills or invoices, so it cannot be deleted.')

export const payTerms = plainRecord({
  noun: 'pay_term',
  plural: 'pay_terms',
  access: { scope: 'bills' },
  schema,
  fields,
  optional: { connector_mappings: {}, discount_days: null, discount_percent: null },
  fieldsOfEdit: { connector_mappings: nullable(connector_mappings) },
  filters: { search_term: { contains: ['name'], schema: SearchTerm('pay terms', 'name', 'net') } },
  elsewhere: ['connector_mappings'],
  texts: {
    search: 'Lists the pay terms of the organization, newest first, with the exact total.',
    create: 'Makes a pay term. The key of each connector mapping must equal its `connector_id`.',
    get: 'Answers the pay term with its connector mappings.',
    update:
      'Only the fields that are sent apply; `connector_mappings` are replaced as a whole. Bills keep the due dates they have.',
    delete: 'Deletes the pay term. It is refused with 409 while bills use it.',
  },
  check,
  refusals: {
    pay_term_name: ({ name }) => nameTaken('a pay term', name),
    ...{ bill_pay_term: inUse, consolidated_bill_pay_term: inUse, invoice_pay_term: inUse, credit_pay_term: inUse },
    default_pay_term_term: () =>
      conflict(
        'in_use',
        'This pay term is the default of the organization, so it cannot be deleted. Choose another default first.',
      ),
  },
  alsoSave: (ctx, id, { connector_mappings }) => replaceMappings(ctx, id, connector_mappings),
})
