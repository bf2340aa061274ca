import { Alert, Button, Code, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Problem, wordsFor } from '../api/problem.ts'

/** What went wrong, the number to quote when asking for help, and another try. */
export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} title="That did not work" role="alert">
      <Text size="sm">{wordsFor(error)}</Text>
      {error instanceof Problem && error.requestId && (
        <Text size="sm" c="dimmed" mt={4}>
          Request <Code>{error.requestId}</Code>
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
