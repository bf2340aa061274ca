import { Avatar, type MantineColorScheme, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useMe } from '../api/me.ts'
import { leaveToSignIn, signOut } from '../api/session.ts'
import { settings } from '../api/settings.ts'
import {
  IconBook,
  IconBuilding,
  IconChevronDown,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
} from '../icons/icons.ts'
import styles from './shell.module.css'

const schemes = [
  { scheme: 'auto', label: 'Use system setting', icon: IconDeviceDesktop },
  { scheme: 'light', label: 'Light', icon: IconSun },
  { scheme: 'dark', label: 'Dark', icon: IconMoon },
] as const

const accountUrl = `${settings.authUrl}/account`
const icon = { size: 17, stroke: 1.7, 'aria-hidden': true }

export function PersonMenu() {
  const { user, organization } = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu width={260} position="bottom-end" withinPortal>
      <Menu.Target>
        <UnstyledButton
          className={styles.person ?? ''}
          aria-label={`${user?.name ?? 'You'} in ${organization.name}: account, organization, appearance, sign out`}
        >
          <Avatar size={32} radius="xl" color="lading" variant="filled" aria-hidden>
            {[...(user?.name ?? '?')][0]?.toUpperCase()}
          </Avatar>
          <span className={styles.names}>
            <Text span display="block" size="sm" fw={600} truncate>
              {organization.name}
            </Text>
            <Text span display="block" size="xs" c="dimmed" truncate>
              {user?.name}
            </Text>
          </span>
          <IconChevronDown size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Text size="sm" c="dimmed" px="sm" py={6} truncate>
          {user?.email}
        </Text>
        <Menu.Item component="a" href={accountUrl} leftSection={<IconUserCircle {...icon} />}>
          Account
        </Menu.Item>
        <Menu.Item leftSection={<IconBuilding {...icon} />} onClick={() => void leaveToSignIn('consent')}>
          Switch organization
        </Menu.Item>
        <Menu.Item component="a" href="/docs" leftSection={<IconBook {...icon} />}>
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
          {schemes.map(({ scheme, label, icon: Icon }) => (
            <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon {...icon} />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout {...icon} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
