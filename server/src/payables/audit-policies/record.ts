import Type from 'typebox'
import { conflict, invalid, quote } from '../../platform/core/refusal.ts'
import { Id } from '../../platform/core/schema/schema.ts'
import { plainRecord, versioned } from '../../platform/resource/plain-record.ts'
import { check, fields, strict } from './model.ts'

const schema = Type.Object(
  { id: Id('The audit policy.'), org_id: Id('The organization.'), ...fields, ...versioned },
  {
    $id: 'AuditPolicy',
    description: 'How far a carrier’s invoice may be from what was agreed. The narrowest policy that fits counts.',
  },
)

export const auditPolicies = plainRecord({
  noun: 'audit_policy',
  plural: 'audit_policies',
  access: { scope: 'bills' },
  accessToWrite: { scope: 'bills', right: 'administer' },
  schema,
  fields,
  optional: strict,
  examples: {
    create: { over_percent: '2.5', over_amount: 2500, under_percent: '100', approve_automatically: true },
    // It works wherever it is sent: a type of lines would have to exist.
    update: { over_percent: '3' },
  },
  filters: {
    partner_carrier_id: { equals: 'partner_carrier_id', schema: Id('Keeps those of this carrier.') },
  },
  texts: {
    search: 'Lists the audit policies of the organization, newest first, with the exact total.',
    create:
      'Makes an audit policy for a carrier, for a type of lines, for both, or for all. There is one of each: a second is a 409. It needs the right to administer.',
    get: 'Answers one audit policy.',
    update:
      'Only the fields that are sent apply; null clears. Invoices that were audited stay as they are until they are audited again.',
    delete: 'Deletes the audit policy; a wider one counts in its place.',
  },
  check,
  refusals: {
    audit_policies_of_whom: () =>
      conflict('policy_taken', 'There is an audit policy for this carrier and this type already. Change that one.'),
    audit_policy_type: ({ bill_item_type_id }) =>
      invalid(
        'bill_item_type_id',
        'unknown_bill_item_type',
        `There is no bill item type ${quote(bill_item_type_id)} in this organization.`,
      ),
  },
})
