import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconAlertTriangle } from '../icons/icons.ts'

/** Why the server refused a form, where the reason belongs to none of its fields. */
export function NotSaved({ problem, title = 'The changes were not saved' }: { problem: ReactNode; title?: string }) {
  if (!problem) return null
  return (
    <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} mb="lg" role="alert" title={title}>
      {problem}
    </Alert>
  )
}
