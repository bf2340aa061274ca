import { Text } from '@mantine/core'
import { createContext, type ReactNode, useContext } from 'react'
import type { FilingObstacle } from './queries.ts'

const Found = createContext<readonly FilingObstacle[]>([])

/** What is missing, for everything below that shows a place. */
export function MissingAt({ missing, children }: { missing: readonly FilingObstacle[]; children: ReactNode }) {
  return <Found.Provider value={missing}>{children}</Found.Provider>
}

/** What is missing at a place; null where nothing is. */
export function useMissing(path: string): string | null {
  return useContext(Found).find(({ field }) => field === path)?.message ?? null
}

/** The message about a whole part, such as a driver that is not there. */
export function MissingPart({ path }: { path: string }) {
  const message = useMissing(path)
  return message ? (
    <Text size="sm" c="var(--mantine-color-error)" mb="xs">
      {message}
    </Text>
  ) : null
}
