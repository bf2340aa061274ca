import { useMutation, useQueryClient } from '@tanstack/react-query'

/** The server makes the change only if the record still has this revision. */
export function ifUnchanged(revision: number) {
  return { headers: { 'if-match': `"${revision}"` } }
}

type Touching = {
  /** The first parts of the keys of all queries whose answers may change. */
  touches: readonly string[]
  /** Read again after an error too: after a 412, the next attempt needs the current revision. */
  evenIfRefused?: boolean
  /** The change counts as done before the queries were read again. */
  inBackground?: boolean
}

/** A write. Afterwards the queries that it touches are read again; nothing is shown as done before the server has done it. */
export function useChange<Input, Answer>(
  mutationFn: (input: Input) => Promise<Answer>,
  { touches, evenIfRefused = false, inBackground = false }: Touching,
) {
  const queryClient = useQueryClient()
  const refresh = async () => {
    const refreshed = Promise.all(touches.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
    if (!inBackground) await refreshed
  }
  return useMutation({ mutationFn, ...(evenIfRefused ? { onSettled: refresh } : { onSuccess: refresh }) })
}
