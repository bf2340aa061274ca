import { Card, SimpleGrid, Text } from '@mantine/core'
import { IconBook, IconUserCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe } from '../api/me.ts'
import { Page } from '../parts/page.tsx'
import { settings } from '../settings.ts'
import { useNavigation } from '../shell/use-navigation.ts'

/** The first page after signing in: links to everything that the person can use. */
export function HomePage() {
  const { user, organization, isAdmin } = useMe()
  const places = useNavigation()
    .flatMap(({ places }) => places)
    .filter(({ to, adminsOnly }) => to !== '/' && (isAdmin || !adminsOnly))
  return (
    <Page title={`Welcome, ${user?.name ?? 'you'}`} lead={`You are signed in to ${organization.name} as ${isAdmin ? 'an admin' : 'a member'}.`}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {places.map(({ label, to, icon }) => (
          <Card key={to} withBorder padding="lg" renderRoot={(props) => <Link to={to} {...props} />}>
            <Tile icon={icon} label={label} />
          </Card>
        ))}
        <Card withBorder padding="lg" component="a" href="/docs">
          <Tile icon={IconBook} label="API reference" />
        </Card>
        <Card withBorder padding="lg" component="a" href={`${settings.authUrl}/account`}>
          <Tile icon={IconUserCircle} label="Your account" />
        </Card>
      </SimpleGrid>
    </Page>
  )
}

function Tile({ icon: Icon, label }: { icon: typeof IconBook; label: string }) {
  return (
    <>
      <Icon size={26} stroke={1.5} aria-hidden />
      <Text fw={600} mt="sm">
        {label}
      </Text>
    </>
  )
}
