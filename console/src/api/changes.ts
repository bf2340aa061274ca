import { useMutation, useQueryClient } from '@tanstack/react-query'

/** What is asked for is done only where nobody else changed the record since this revision of it. */
export function ifUnchanged(revision: number) {
  return { headers: { 'if-match': `"${revision}"` } }
}

type Touching = {
  /** The first parts of the keys of all that may look different afterwards. */
  touches: readonly string[]
  /** After a refusal too: whoever was overtaken (412) tries again with what is there now. */
  evenIfRefused?: boolean
  /** The change counts as done before all that was read again. */
  inBackground?: boolean
}

/** A write, after which what is on the screen comes from the server again; nothing is shown as done before it is. */
export function useChange<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>, { touches, evenIfRefused = false, inBackground = false }: Touching) {
  const queryClient = useQueryClient()
  const refresh = async () => {
    const refreshed = Promise.all(touches.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
    if (!inBackground) await refreshed
  }
  return useMutation({ mutationFn, ...(evenIfRefused ? { onSettled: refresh } : { onSuccess: refresh }) })
}
