// In a layer below our own styles, whatever the order in which the bundler puts them.
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './app/shell/density.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { makeQueryClient } from './app/api/queries.ts'
import { styleNonce } from './app/api/settings.ts'
import { Notifications } from './app/shell/notifications.tsx'
import { colors, theme } from './app/shell/theme.ts'
import { makeRouter } from './router.tsx'

export function showConsole(place: HTMLElement): void {
  const queryClient = makeQueryClient()
  const router = makeRouter(queryClient)
  createRoot(place).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={colors}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
        <Notifications />
      </MantineProvider>
    </StrictMode>,
  )
}
