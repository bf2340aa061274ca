import Type, { type Static } from 'typebox'
import { conflict, type Detail, invalid, Refusal } from '../../platform/core/refusal.ts'
import { checkerOf } from '../../platform/core/schema/check.ts'
import { type ExpectedRevision, etagOf } from '../../platform/core/schema/revisions.ts'
import { outcomeOr } from '../../platform/core/schema/rows.ts'
import type { Fields } from '../model/object.ts'
import { addBoard } from '../model/sent-fields.ts'

const uuid = (description: string, example: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', description, examples: [example] })

export const BulkRow = Type.Object(
  {
    op: Type.Optional(
      Type.Enum(['upsert', 'delete'], {
        default: 'upsert',
        description: 'What to do: `upsert` by default, or `delete`.',
        examples: ['upsert'],
      }),
    ),
    objectKey: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 100,
        description: 'The kind of object; can be left out where `id` is there.',
        examples: ['customer'],
      }),
    ),
    id: Type.Optional(
      uuid('The object that is meant. Without it the external id says which.', '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'),
    ),
    externalId: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        minLength: 1,
        maxLength: 255,
        description: 'The same as `externalId` in `json`.',
        examples: ['ERP-1001'],
      }),
    ),
    version: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'Does it only if the object has this version, as `If-Match` does.',
        examples: [1],
      }),
    ),
    boardId: Type.Optional(
      uuid('The board it is made on, as in PATCH …/objects.', '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e17'),
    ),
    json: Type.Optional(
      Type.Unsafe<Fields>({
        type: 'object',
        additionalProperties: true,
        description:
          'The fields, as in PATCH …/objects; of an object that is there only those sent apply, and null clears.',
        examples: [{ name: 'Acme Foods', city: 'Oakland', currency: 'usd' }],
      }),
    ),
  },
  {
    $id: 'BulkRow',
    description: 'One row: an object to create, change or delete.',
    examples: [
      { objectKey: 'customer', externalId: 'ERP-1001', json: { name: 'Acme Foods', city: 'Oakland', currency: 'usd' } },
    ],
  },
)

/** A row that was read: which object it means, and what to do with it. */
export type Row = {
  op: 'upsert' | 'delete'
  objectKey: string | null
  id: string | null
  externalId: string | null
  json: Fields
  expected: ExpectedRevision
}

const check = checkerOf(BulkRow)

export function readRows(sent: readonly unknown[]): (Row | Refusal)[] {
  return onlyOnce(sent.map((row) => (row instanceof Refusal ? row : outcomeOr(() => readRow(row)))))
}

function readRow(sent: unknown): Row {
  const {
    op = 'upsert',
    objectKey = null,
    id: sentId = null,
    version = null,
    boardId,
    json: content,
    ...row
  } = check(sent) as Static<typeof BulkRow>
  const id = sentId?.toLowerCase() ?? null
  const json = content && addBoard(content, boardId)
  const externalId = externalIdOf(row.externalId ?? undefined, json)
  if (objectKey === null && id === null)
    throw invalid(
      'objectKey',
      'required',
      '"objectKey" is required where there is no "id": an externalId is unique among the objects of a kind.',
    )
  if (op === 'upsert' && !json) throw invalid('json', 'required', '"json" is required: the fields of the object.')
  if (op === 'delete' && id === null && externalId === null)
    throw invalid(
      'id',
      'required',
      'A row that deletes needs the "id" of the object, or its "objectKey" and "externalId".',
    )
  // Of an object that is named by its id, the external id is a field like any other.
  const fields = (row.externalId ?? null) === null ? json : { ...json, externalId: row.externalId }
  return { op, objectKey, id, externalId, json: fields ?? {}, expected: version === null ? null : [etagOf(version)] }
}

/** A value that is not a text is refused later, by the check of the fields. */
function externalIdOf(ofRow: string | undefined, json: Fields | undefined): string | null {
  const inJson = json && Object.hasOwn(json, 'externalId') ? json.externalId : undefined
  if (ofRow !== undefined && inJson !== undefined && ofRow !== inJson)
    throw invalid('externalId', 'contradiction', 'The row says one "externalId", and its "json" another. Send it once.')
  const externalId = ofRow ?? inJson
  return typeof externalId === 'string' && externalId !== '' ? externalId : null
}

/** Of several rows about one object the first counts, the others are refused. */
function onlyOnce(rows: readonly (Row | Refusal)[]): (Row | Refusal)[] {
  const seen = new Map<string, number>()
  return rows.map((row, index) => {
    if (row instanceof Refusal) return row
    const key = row.id ?? (row.externalId === null ? null : `${row.objectKey} ${row.externalId}`)
    const before = key === null ? undefined : seen.get(key)
    if (key !== null && before === undefined) seen.set(key, index)
    return before === undefined ? row : duplicate(row, before)
  })
}

export function duplicate({ id }: Row, first: number): Refusal {
  const message = `Row ${first} of this request is about the same object (counted from 0). Send each object once.`
  const detail: Detail = { field: id ? 'id' : 'externalId', code: 'duplicate_row', message }
  return conflict('duplicate_row', message, [detail])
}
