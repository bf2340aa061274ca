import { Button, Group, Paper, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { connection, onConnection, watchRequests } from '../api/connection.ts'
import { settings } from '../api/settings.ts'
import { IconClockHour4, IconCloudOff } from '../icons/icons.ts'

const retryMs = 10_000
const ask = watchRequests((input, init) => globalThis.fetch(input, init))

/** Says that the server does not answer, or takes long. It has a place of its own at the end of the page, so that it never covers the last button for good. */
export function ConnectionBar() {
  const state = useSyncExternalStore(onConnection, connection)
  const { isTrying, tryAgain } = useRetry(state === 'lost')
  if (state === 'good') return null
  const [Icon, words] =
    state === 'lost'
      ? [IconCloudOff, 'No connection. What you typed is kept.']
      : [IconClockHour4, 'The server takes longer than usual. What you typed is kept.']
  return (
    <Paper
      withBorder
      shadow="md"
      px="md"
      py="xs"
      role="status"
      pos="sticky"
      bottom={16}
      mx="auto"
      mt="lg"
      w="max-content"
      maw="100%"
      style={{ zIndex: 150 }}
    >
      <Group gap="sm" wrap="nowrap">
        <Icon size={18} aria-hidden style={{ flex: 'none' }} />
        <Text size="sm">{words}</Text>
        {state === 'lost' && (
          <Button
            size="xs"
            variant="default"
            onClick={() => void tryAgain()}
            loading={isTrying}
            style={{ flex: 'none' }}
          >
            Try again
          </Button>
        )}
      </Group>
    </Paper>
  )
}

/** Tries by itself too, now and then and when the browser is online again. Once there is an answer, what is shown is read again. */
function useRetry(isLost: boolean) {
  const queryClient = useQueryClient()
  const [isTrying, setTrying] = useState(false)
  const tryAgain = useCallback(async () => {
    setTrying(true)
    const answer = await ask(`${settings.publicUrl}/health/live`).catch(() => null)
    setTrying(false)
    if (answer) await queryClient.invalidateQueries()
  }, [queryClient])
  useEffect(() => {
    if (!isLost) return
    const timer = setInterval(() => void tryAgain(), retryMs)
    const onOnline = () => void tryAgain()
    window.addEventListener('online', onOnline)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', onOnline)
    }
  }, [isLost, tryAgain])
  return { isTrying, tryAgain }
}
