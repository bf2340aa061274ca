import { documentTransfers } from './books/documents/exchange/transfers.ts'
import { documentKinds } from './books/kinds/kinds.ts'
import { extensions } from './freight/extension.ts'
import type { TransferableKind } from './platform/transfers/transferable.ts'
import { objectTransfers } from './records/exchange/transfers.ts'

/** Everything that can be imported and exported in the background. */
export const transferables: readonly TransferableKind[] = [
  ...documentKinds.map((kind) => documentTransfers(kind)),
  objectTransfers(extensions),
]
