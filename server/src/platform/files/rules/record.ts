import Type from 'typebox'
import { Id, nullable } from '../../core/schema/schema.ts'
import { plainRecord, versioned } from '../../resource/plain-record.ts'
import { documentType } from '../model.ts'
import { steps } from './model.ts'

const fields = {
  before: Type.Enum(steps, {
    description: 'What is refused while documents are missing: to `approve` a bill, or to `pay` it.',
    examples: ['pay'],
  }),
  document_types: Type.Array(documentType, {
    minItems: 1,
    maxItems: 7,
    description:
      'The types of which there must be a document each, attached to the bill or to a manifest that it pays.',
    examples: [['pod', 'invoice']],
  }),
  partner_carrier_id: nullable(Id('The carrier for whose bills it holds; null for the bills of all.')),
}

const { before, document_types, partner_carrier_id } = fields
const schema = Type.Object(
  {
    ...{ id: Id('The rule.'), org_id: Id('The organization.'), before, partner_carrier_id, document_types },
    created_by: Id('The user or the application that made it.'),
    ...versioned,
  },
  {
    $id: 'DocumentRule',
    description: 'Which documents must be there before a bill is approved or paid. Of several rules each must hold.',
  },
)
const ofCarriers = Type.Array(Type.String({ format: 'uuid' }), {
  maxItems: 200,
  description: 'Keeps those of these carriers.',
  examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
})

export const documentRules = plainRecord({
  noun: 'document_rule',
  plural: 'document_rules',
  access: { scope: 'bills' },
  accessToWrite: { scope: 'users', right: 'administer' },
  schema,
  fields,
  optional: { partner_carrier_id: null },
  examples: { create: { before: 'pay', document_types: ['pod', 'invoice'], partner_carrier_id: null } },
  filters: {
    before: { equals: 'before', schema: before },
    partner_carrier_ids: { isOneOf: 'partner_carrier_id', schema: ofCarriers },
  },
  isSigned: true,
  texts: {
    search:
      'Lists the rules that say which documents must be there before bills are approved or paid, newest first, with the exact total.',
    create:
      'Makes a rule: from now on bills that lack one of the documents are refused the step with 409 `documents_missing`, however it is asked for. It needs the role admin.',
    get: 'Answers one rule.',
    update: 'Only the fields that are sent apply; `document_types` are replaced as a whole. It needs the role admin.',
    delete: 'Deletes the rule. What was refused because of it can be done from then on. It needs the role admin.',
  },
  check: ({ before, document_types, partner_carrier_id }) => ({
    before,
    document_types: [...new Set(document_types)],
    partner_carrier_id: partner_carrier_id?.toLowerCase() ?? null,
  }),
})
