import { Anchor, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'

type PageProps = {
  title: string
  /** One or two sentences on what this page is for. */
  lead?: ReactNode
  /** The page to go back to. */
  above?: { label: string; to: string }
  actions?: ReactNode
  children: ReactNode
}

/** The frame of a page: title, introduction and actions. */
export function Page({ title, lead, above, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Lading`
  }, [title])
  return (
    <>
      {above && (
        <Anchor size="sm" mb={6} display="inline-block" renderRoot={(props) => <Link to={above.to} {...props} />}>
          ← {above.label}
        </Anchor>
      )}
      <Group justify="space-between" align="flex-start" mb="lg" gap="md">
        <div>
          <Title order={1} fz={{ base: 24, sm: 28 }} lh={1.25} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" mt={4} maw="44rem">
              {lead}
            </Text>
          )}
        </div>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </>
  )
}
