import { useMutation, useQueryClient } from '@tanstack/react-query'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'
import type { Field, Kind } from '../objects/kind.ts'

const path = ({ objectKey }: Kind) => ({ params: { path: { objectKey } } })
const ifUnchanged = ({ revision }: Kind) => ({ headers: { 'if-match': `"${revision}"` } })

export type NewKind = { objectKey: string; name: string; plural?: string; prefix: string; description?: string; statuses: string[] }

export function useCreateKind() {
  return useChange((kind: NewKind) => answered(lading.POST('/api/v2/platformModel/definitions', { body: kind })))
}

/** Fields that are ours to send are those that the organization added; one left out is hidden. */
export function useChangeFields(kind: Kind) {
  return useChange((fields: readonly Field[]) =>
    answered(lading.PUT('/api/v2/platformModel/definitions/{objectKey}', { ...path(kind), ...ifUnchanged(kind), body: { fields: fields as never } })),
  )
}

export function useDeleteKind(kind: Kind, done: () => Promise<void>) {
  return useChange(async () => {
    await answered(lading.DELETE('/api/v2/platformModel/definitions/{objectKey}', { ...path(kind), ...ifUnchanged(kind) }))
    await done()
  })
}

export function addedTo({ fields, addedFields }: Kind): Field[] {
  return fields.filter(({ key }) => addedFields.includes(key))
}

/** Whatever became of it, kinds and objects come from the server again: a field that comes or goes changes what they show. */
function useChange<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: ['definitions'] })
      await queryClient.invalidateQueries({ queryKey: ['objects'] })
    },
  })
}
