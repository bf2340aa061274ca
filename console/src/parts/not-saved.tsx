import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** What the server had against it, where no field of the form is to blame. */
export function NotSaved({ problem }: { problem: ReactNode }) {
  if (!problem) return null
  return (
    <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} mb="lg" role="alert" title="Not saved">
      {problem}
    </Alert>
  )
}
