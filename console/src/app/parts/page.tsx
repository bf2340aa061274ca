import { Anchor, Group, Text, Title } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import styles from './page.module.css'

type PageProps = {
  title: string
  /** One or two sentences on what this page is for. */
  lead?: ReactNode
  /** The page to go back to. */
  above?: { label: string; to: string }
  actions?: ReactNode
  /** The title and the actions stay in view while the page is scrolled: for the page of one record. */
  sticky?: boolean
  children: ReactNode
}

/** The last search of each path, for as long as the console is open: the way back to a list keeps its filters, its order and its page. */
const lastSearches = new Map<string, object>()

/** The frame of a page: title, introduction and actions. */
export function Page({ title, lead, above, actions, sticky = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Lading`
  }, [title])
  const { pathname, search } = useLocation()
  useEffect(() => {
    lastSearches.set(pathname, search)
  }, [pathname, search])
  return (
    <>
      {above && (
        <Anchor
          size="sm"
          mb={2}
          display="inline-block"
          renderRoot={(props) => <Link to={above.to} search={lastSearches.get(above.to) ?? {}} {...props} />}
        >
          ← {above.label}
        </Anchor>
      )}
      <Group
        justify="space-between"
        align="flex-start"
        gap="sm"
        className={`${styles.head} ${sticky ? styles.sticky : ''}`}
      >
        <div style={{ flex: '1 1 16rem', minWidth: 0 }}>
          <Title order={1} fz={{ base: 20, sm: 22 }} lh={1.25} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" size="sm" mt={2} maw="60rem" component="div">
              {lead}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </>
  )
}
