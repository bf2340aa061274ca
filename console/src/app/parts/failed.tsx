import { Alert, Button, Code, Text } from '@mantine/core'
import { Problem, wordsFor } from '../api/problem.ts'
import { IconAlertTriangle } from '../icons/icons.ts'

/** The error (`what` could not be loaded), the request id to quote when asking for help, and a button to try again. */
export function Failed({ error, what, retry }: { error: unknown; what?: string; retry?: () => void }) {
  return (
    <Alert
      variant="default"
      icon={<IconAlertTriangle aria-hidden />}
      title={what ? `Could not load ${what}` : 'An error occurred'}
      role="alert"
    >
      <Text size="sm">{wordsFor(error)}</Text>
      {error instanceof Problem && error.requestId && (
        <Text size="sm" c="dimmed" mt={4}>
          Request id: <Code>{error.requestId}</Code>
        </Text>
      )}
      {retry && (
        <Button mt="md" size="xs" variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </Alert>
  )
}
