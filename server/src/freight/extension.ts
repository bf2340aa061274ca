import type { Extension } from '../records/kinds/extension.ts'
import { documentExtensions } from './billing/extension.ts'
import { bookingExtension } from './bookings/extension.ts'
import { stopExtensions } from './stops/itinerary/extension.ts'

/** All that freight adds to kinds of objects. */
export const extensions: readonly Extension[] = [...documentExtensions, ...stopExtensions, bookingExtension]

/** The same for what the program writes by itself: nobody is there to be told of a type that is missing, and billing says it. */
export const uncheckedExtensions: readonly Extension[] = extensions.map(({ findWrong: _, ...rest }) => rest)
