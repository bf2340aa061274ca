import { AppShell, Burger, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ConnectionBar } from './connection-bar.tsx'
import { Logo } from './logo.tsx'
import { NavigationGroup } from './navigation-group.tsx'
import { PersonMenu } from './person-menu.tsx'
import type { PlaceGroup } from './place.ts'
import styles from './shell.module.css'
import { useFocusReturn } from './use-focus-return.ts'

/** The frame of every page: navigation, the menu of the person, and a link for keyboard users that skips both. */
export function Shell({ groups }: { groups: readonly PlaceGroup[] }) {
  const [opened, { toggle, close }] = useDisclosure(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useFocusAfterNavigation(path, close)
  useFocusReturn()
  return (
    <AppShell
      transitionDuration={0}
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? 'Close the navigation' : 'Open the navigation'}
              aria-expanded={opened}
            />
            <Link to="/" className={styles.brand}>
              <Logo /> Lading
            </Link>
          </Group>
          <PersonMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Main">
        <div className={styles.scrolling}>
          {groups.map((group) => (
            <NavigationGroup key={group.label ?? ''} group={group} path={path} />
          ))}
        </div>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={styles.main ?? ''}>
        <div className={styles.page}>
          <Outlet />
          <ConnectionBar />
        </div>
      </AppShell.Main>
    </AppShell>
  )
}

/** After navigation the focus moves to the content; otherwise screen readers would stay at the link. */
function useFocusAfterNavigation(path: string, close: () => void): void {
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    close()
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [path, close])
}
