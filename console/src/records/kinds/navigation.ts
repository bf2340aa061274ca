import {
  IconAddressBook,
  IconBox,
  IconBuildingStore,
  IconFileDollar,
  IconForklift,
  IconPackage,
  IconRoute,
  IconSteeringWheel,
  IconTool,
  IconTruck,
} from '../../app/icons/icons.ts'
import type { PlaceGroup } from '../../app/shell/place.ts'
import { useKinds } from './queries.ts'

const icons: Record<string, typeof IconBox> = {
  customer: IconBuildingStore,
  contact: IconAddressBook,
  order: IconPackage,
  quote: IconFileDollar,
  manifest: IconTruck,
  leg: IconRoute,
  equipment: IconForklift,
  partner: IconSteeringWheel,
  service: IconTool,
}
const order = ['customer', 'order', 'quote', 'manifest', 'leg', 'partner', 'contact', 'equipment', 'service']

/** A link for every kind: the built-in ones in the order of work, then the organization's own. */
export function useKindPlaces(): PlaceGroup {
  const place = (objectKey: string) => (order.includes(objectKey) ? order.indexOf(objectKey) : order.length)
  const kinds = useKinds().toSorted((a, b) => place(a.objectKey) - place(b.objectKey))
  return {
    label: 'Objects',
    places: kinds.map(({ objectKey, plural }) => ({
      label: plural,
      to: `/objects/${objectKey}`,
      icon: icons[objectKey] ?? IconBox,
    })),
  }
}
