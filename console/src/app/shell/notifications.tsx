import { notificationsStore } from '@mantine/notifications'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'

const Shown = lazy(async () => ({ default: (await import('./shown-notifications.tsx')).ShownNotifications }))

/** What shows notifications is loaded with the first one: a first page has none. */
export function Notifications() {
  const hasAny = useSyncExternalStore(
    notificationsStore.subscribe,
    () => notificationsStore.getState().notifications.length > 0,
  )
  const [isNeeded, setNeeded] = useState(false)
  if (hasAny && !isNeeded) setNeeded(true)
  return isNeeded ? (
    <Suspense>
      <Shown />
    </Suspense>
  ) : null
}
