import { Collapse, NavLink, Text, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { IconChevronDown, IconChevronRight } from '../icons/icons.ts'
import type { Place, PlaceGroup } from './place.ts'
import styles from './shell.module.css'

type NavigationGroupProps = { group: PlaceGroup; path: string }

/** The links of a group under its name. A folded group shows them when one of them is open, or when its name is clicked. */
export function NavigationGroup({ group, path }: NavigationGroupProps) {
  if (group.folded) return <FoldedGroup group={group} path={path} />
  return (
    <div>
      {group.label && (
        <Text size="xs" fw={650} c="dimmed" px="xs" pt="sm" pb={2}>
          {group.label}
        </Text>
      )}
      <Links places={group.places} path={path} />
    </div>
  )
}

function FoldedGroup({ group: { label, places }, path }: NavigationGroupProps) {
  const isInside = places.some(({ to }) => isAt(path, to))
  const [chosen, setChosen] = useState<{ opened: boolean; inside: boolean } | null>(null)
  // A choice counts until the person goes to a page of the group, or leaves it.
  const isOpen = chosen && chosen.inside === isInside ? chosen.opened : isInside
  const id = useId()
  const Icon = isOpen ? IconChevronDown : IconChevronRight
  return (
    <div>
      <UnstyledButton
        className={styles.fold ?? ''}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setChosen({ opened: !isOpen, inside: isInside })}
      >
        {label} <Icon size={14} aria-hidden />
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        <Links places={places} path={path} />
      </Collapse>
    </div>
  )
}

function Links({ places, path }: { places: readonly Place[]; path: string }) {
  return places.map(({ label, to, icon: Icon }) => {
    const here = isAt(path, to)
    return (
      <NavLink
        key={to}
        renderRoot={(props) => <Link to={to} {...props} aria-current={here ? 'page' : undefined} />}
        label={label}
        leftSection={<Icon size={17} stroke={1.7} aria-hidden />}
        active={here}
        variant="light"
        py={4}
        px="xs"
      />
    )
  })
}

function isAt(path: string, to: string): boolean {
  return to === '/' ? path === '/' || path === '/home' : path === to || path.startsWith(`${to}/`)
}
