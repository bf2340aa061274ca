import Type, { type Static } from 'typebox'
import { changedBetween, Id, nullable, paging, Time, wholeEdit } from '../../core/schema/schema.ts'
import { type DocumentType, documentType } from '../model.ts'

/** What a rule can hold back. */
export const steps = ['approve', 'pay'] as const
export type Step = (typeof steps)[number]

const before = Type.Enum(steps, {
  description: 'What is refused while documents are missing: to `approve` a bill, or to `pay` it.',
  examples: ['pay'],
})
const partnerCarrier = nullable(Id('The carrier for whose bills it holds; null for the bills of all.'))
const types = Type.Array(documentType, {
  minItems: 1,
  maxItems: 7,
  description: 'The types of which there must be a document each, attached to the bill or to a manifest that it pays.',
  examples: [['pod', 'invoice']],
})

export const DocumentRule = Type.Object(
  {
    ...{
      id: Id('The rule.'),
      org_id: Id('The organization.'),
      before,
      partner_carrier_id: partnerCarrier,
      document_types: types,
    },
    created_by: Id('The user or the application that made it.'),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_at: Time('When it was created.'),
    updated_at: Time('When it was last changed.'),
  },
  {
    $id: 'DocumentRule',
    description: 'Which documents must be there before a bill is approved or paid. Of several rules each must hold.',
  },
)
export type DocumentRule = Static<typeof DocumentRule>

export const NewDocumentRule = Type.Object(
  { before, document_types: types, partner_carrier_id: Type.Optional(partnerCarrier) },
  { examples: [{ before: 'pay', document_types: ['pod', 'invoice'], partner_carrier_id: null }] },
)
export type NewDocumentRule = Static<typeof NewDocumentRule>

export const DocumentRuleEdit = wholeEdit(
  DocumentRule,
  Type.Partial(Type.Object({ before, document_types: types, partner_carrier_id: partnerCarrier })),
)
export type DocumentRuleEdit = Static<typeof DocumentRuleEdit>

export const DocumentRuleSearch = Type.Object({
  before: Type.Optional(before),
  partner_carrier_ids: Type.Optional(
    Type.Array(Type.String({ format: 'uuid' }), {
      maxItems: 200,
      description: 'Keeps those of these carriers.',
      examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type DocumentRuleSearch = Static<typeof DocumentRuleSearch>

export type Content = { before: Step; partner_carrier_id: string | null; document_types: DocumentType[] }

export function contentOf({ before, partner_carrier_id = null, document_types }: NewDocumentRule): Content {
  return {
    before,
    partner_carrier_id: partner_carrier_id?.toLowerCase() ?? null,
    document_types: [...new Set(document_types)],
  }
}

export function edit(current: DocumentRule, input: DocumentRuleEdit): { next: Content; previous: Partial<Content> } {
  const next = contentOf({ ...current, ...input })
  const changed = (['before', 'partner_carrier_id', 'document_types'] as const).filter(
    (name) => JSON.stringify(next[name]) !== JSON.stringify(current[name]),
  )
  return { next, previous: Object.fromEntries(changed.map((name) => [name, current[name]])) }
}
