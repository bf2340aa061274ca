import Type, { type Static } from 'typebox'
import { named } from '../core/schema/names.ts'
import { changedBetween, Id, Moment, paging, Text, Time, wholeEdit } from '../core/schema/schema.ts'

export const documentTypes = [
  'invoice',
  'pod',
  'bol',
  'rate_confirmation',
  'lumper_receipt',
  'customs',
  'other',
] as const
export type DocumentType = (typeof documentTypes)[number]

export const documentType = Type.Enum(documentTypes, {
  description:
    'What it is: a carrier’s `invoice`, a proof of delivery (`pod`), a bill of lading (`bol`), …; `other` unless said.',
  examples: ['pod'],
})

const fileName = Text('What the file is called, with the end that its type has.', 'pod-4711.pdf')

export const Attachment = named(
  'Attachment',
  Type.Object(
    {
      type: Type.String({
        minLength: 1,
        maxLength: 60,
        description:
          'The type of the record: `bill`, `invoice`, `credit`, `payment`, `consolidated_bill`, `carrier_invoice`, `connector_sync`, or the kind of an object such as `order` or `manifest`.',
        examples: ['bill'],
      }),
      id: Id('The record. A request can name it by `ext:<external_id>` too, or by the number that people read.'),
    },
    { description: 'A record that a document is attached to.' },
  ),
)
export type Attachment = Static<typeof Attachment>

const attachedTo = Type.Array(Attachment, {
  maxItems: 50,
  description:
    'The records that it is attached to. Whoever reads or changes the document needs the scopes of all of them; without any it is `bills`.',
})

export const Document = Type.Object(
  {
    id: Id('The document.'),
    org_id: Id('The organization.'),
    file_name: fileName,
    media_type: Type.String({
      description: 'The type of the content, as it was found in it.',
      examples: ['application/pdf'],
    }),
    size: Type.Integer({ minimum: 1, description: 'How many bytes it has.', examples: [48213] }),
    sha256: Type.String({
      description: 'The SHA-256 of the content, in hexadecimal digits.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    document_type: documentType,
    attached_to: attachedTo,
    created_by: Id('The user or the application that sent it.'),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_at: Time('When it was sent.'),
    updated_at: Time('When it was last changed.'),
  },
  { $id: 'Document', description: 'A file that is kept with records.' },
)
export type Document = Static<typeof Document>

export const DocumentEdit = wholeEdit(
  Document,
  Type.Partial(Type.Object({ file_name: fileName, document_type: documentType, attached_to: attachedTo })),
)
export type DocumentEdit = Static<typeof DocumentEdit>

/** `bill:01932b5e-…`, as parameters name a record. */
const recordName = Type.String({
  maxLength: 400,
  description:
    'A record, as its type and its id with a colon between them; `ext:<external_id>`, or the number that people read, can be in the place of the id.',
})

const attachedToInQuery = (description: string) =>
  Type.Optional(
    Type.Array(recordName, { maxItems: 50, description, examples: [['bill:01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']] }),
  )

/** What goes with a file that is the whole body, and with a form where its fields do not say. */
export const UploadQuery = Type.Object({
  document_type: Type.Optional(documentType),
  attached_to: attachedToInQuery('The records to attach it to, each as `type:id`.'),
})
export type UploadQuery = Static<typeof UploadQuery>

/** The fields of a form, after they were read. */
export const UploadForm = Type.Object({
  file: Type.String({
    format: 'binary',
    description: 'The file, with its name and its type.',
    examples: ['%PDF-1.4 …'],
  }),
  document_type: Type.Optional(documentType),
  attached_to: Type.Optional({
    ...attachedTo,
    description:
      'The records to attach it to, as JSON: `[{"type":"bill","id":"…"}]`; or each in a field of its own, as `type:id`.',
  }),
})
export type UploadForm = Static<typeof UploadForm>

export const DocumentSearch = Type.Object({
  attached_to: attachedToInQuery('Keeps those that are attached to one of these records, each as `type:id`.'),
  document_types: Type.Optional(
    Type.Array(documentType, {
      maxItems: 10,
      description: 'Keeps those of one of these types.',
      examples: [['pod', 'bol']],
    }),
  ),
  search_term: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Keeps those that contain this in the name of their file; upper and lower case are the same.',
      examples: ['pod'],
    }),
  ),
  sha256: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Keeps those with this content.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  ),
  attached: Type.Optional(
    Type.Boolean({
      description: 'With true keeps those that are attached to something, with false the others.',
      examples: [true],
    }),
  ),
  created_start_at: Type.Optional(Moment('Keeps those that were sent at this moment or later.')),
  created_end_at: Type.Optional(
    Moment('Keeps those that were sent at this moment or earlier.', '2026-11-30T00:00:00Z'),
  ),
  ...changedBetween,
  ...paging,
})
export type DocumentSearch = Static<typeof DocumentSearch>
