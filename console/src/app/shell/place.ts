import type { IconHome } from '../icons/icons.ts'

export type Place = { label: string; to: string; icon: typeof IconHome; adminsOnly?: boolean }
/** A folded group shows its places when it is opened. */
export type PlaceGroup = { label: string | null; places: readonly Place[]; folded?: boolean }
