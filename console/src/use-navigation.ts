import { type Group, navigation } from './navigation.ts'
import { useKindPlaces } from './records/kinds/navigation.ts'

/** The navigation with the organization's kinds of objects, before the settings. */
export function useNavigation(): readonly Group[] {
  const kinds = useKindPlaces()
  const settings = navigation.findIndex(({ label }) => label?.startsWith('Settings'))
  return kinds.places.length > 0 ? navigation.toSpliced(settings, 0, kinds) : navigation
}
