import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Problem, wordsFor } from '../api/problem.ts'
import { saveFile } from '../values/save-file.ts'
import { transfersPath } from './paths.ts'
import { TooManyRows } from './too-many-rows.ts'

type Export = {
  /** What is exported, in the message of an error: `the bills`. */
  what: string
  fileName: string
  /** Gets the file at once. */
  read: () => Promise<Blob>
  /** The same export in the background, where that is possible. */
  start?: () => Promise<unknown>
}

/** Downloads a file; where there is too much for that, exports it in the background and goes to the page that shows how far it is. */
export function useExport({ what, fileName, read, start }: Export) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      try {
        saveFile(await read(), fileName)
      } catch (error) {
        if (!start || !isTooMuch(error)) throw error
        await start()
        await queryClient.invalidateQueries({ queryKey: ['transfers'] })
        await navigate({ to: transfersPath })
      }
    },
    onError: (error) =>
      void notifications.show({ title: `Could not export ${what}`, message: wordsFor(error), color: 'red.9' }),
  })
}

function isTooMuch(error: unknown): boolean {
  return error instanceof TooManyRows || (error instanceof Problem && error.code === 'too_many_rows')
}
