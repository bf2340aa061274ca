import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import type { Field, Kind } from '../kinds/kind.ts'

const path = ({ objectKey }: Kind) => ({ params: { path: { objectKey } } })

/** Objects show the fields of their kind. */
const changed = { touches: ['definitions', 'objects'], evenIfRefused: true }

export type NewKind = {
  objectKey: string
  name: string
  plural?: string
  prefix: string
  description?: string
  statuses: string[]
}

export function useCreateKind() {
  return useChange(
    (kind: NewKind) => answered(lading.POST('/api/v2/platformModel/definitions', { body: kind })),
    changed,
  )
}

/** Takes all fields that the organization added; a field that is left out is hidden. */
export function useChangeFields(kind: Kind) {
  return useChange(
    (fields: readonly Field[]) =>
      answered(
        lading.PUT('/api/v2/platformModel/definitions/{objectKey}', {
          ...path(kind),
          ...ifUnchanged(kind.revision),
          body: { fields: fields as never },
        }),
      ),
    changed,
  )
}

export function useDeleteKind(kind: Kind, done: () => Promise<void>) {
  return useChange(async () => {
    await answered(
      lading.DELETE('/api/v2/platformModel/definitions/{objectKey}', { ...path(kind), ...ifUnchanged(kind.revision) }),
    )
    await done()
  }, changed)
}

export function addedFieldsOf({ fields, addedFields }: Kind): Field[] {
  return fields.filter(({ key }) => addedFields.includes(key))
}
