import { AppShell, Burger, Group, NavLink, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ConnectionBar } from './connection-bar.tsx'
import { Logo } from './logo.tsx'
import { PersonMenu } from './person-menu.tsx'
import styles from './shell.module.css'
import { useFocusReturn } from './use-focus-return.ts'
import { useNavigation } from './use-navigation.ts'

/** The frame of every page: navigation, the menu of the person, and a link for keyboard users that skips both. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useFocusAfterNavigation(path, close)
  useFocusReturn()
  return (
    <AppShell
      transitionDuration={0}
      header={{ height: 60 }}
      navbar={{ width: 250, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
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
      <AppShell.Navbar p="sm" aria-label="Main">
        <div className={styles.scrolling}>
          {useNavigation().map(({ label, places }) => (
            <div key={label ?? ''}>
              {label && (
                <Text size="xs" fw={650} c="dimmed" px="sm" pt="md" pb={4}>
                  {label}
                </Text>
              )}
              {places.map(({ label, to, icon: Icon }) => {
                const here = to === '/' ? path === '/' || path === '/home' : path === to || path.startsWith(`${to}/`)
                return (
                  <NavLink
                    key={to}
                    renderRoot={(props) => <Link to={to} {...props} aria-current={here ? 'page' : undefined} />}
                    label={label}
                    leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
                    active={here}
                    variant="light"
                    py={6}
                  />
                )
              })}
            </div>
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
