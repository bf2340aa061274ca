import { documentTransfers } from './billing/documents/transfers.ts'
import { documentKinds } from './billing/kinds.ts'
import { extensions } from './movement/extension.ts'
import { objectTransfers } from './objects/exchange/transfers.ts'
import type { Transferable } from './transfers/transferable.ts'

/** Everything that can be imported and exported in the background. */
export const transferables: readonly Transferable[] = [
  ...documentKinds.map((kind) => documentTransfers(kind)),
  objectTransfers(extensions),
]
