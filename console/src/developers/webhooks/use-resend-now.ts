import { notifications } from '@mantine/notifications'
import { wordsFor } from '../../app/api/problem.ts'
import { useResend } from './queries.ts'

/** Sends a delivery again; a refusal is shown as a notification. */
export function useResendNow(): { resend: (id: string) => void; isPending: boolean } {
  const { mutate, isPending } = useResend()
  const onError = (error: unknown) =>
    void notifications.show({ title: 'Could not send it again', message: wordsFor(error), color: 'red.9' })
  return { resend: (id) => mutate(id, { onError }), isPending }
}
