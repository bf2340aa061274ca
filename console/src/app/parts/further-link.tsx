import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A small link below a value. It is tall enough for a finger, and apart from a link in the value. */
export function FurtherLink({
  to,
  search = {},
  children,
}: {
  to: string
  search?: Record<string, unknown>
  children: ReactNode
}) {
  return (
    <Anchor
      size="xs"
      display="block"
      w="max-content"
      maw="100%"
      lh="24px"
      mt={4}
      renderRoot={(props) => <Link to={to} search={search} {...props} />}
    >
      {children}
    </Anchor>
  )
}
