import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './shell/density.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { makeQueryClient } from './api/queries.ts'
import { makeRouter } from './router.tsx'
import { styleNonce } from './settings.ts'
import { colors, theme } from './shell/theme.ts'

export function showConsole(place: HTMLElement): void {
  const queryClient = makeQueryClient()
  const router = makeRouter(queryClient)
  createRoot(place).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={colors} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
        <Notifications position="bottom-right" />
      </MantineProvider>
    </StrictMode>,
  )
}
