/** An interchange on its way to customs. */
export type OutgoingInterchange = {
  org: string
  /** Unique in the organization. */
  controlNumber: string
  transactionSet: string
  text: string
}

/** A file with acknowledgements. It is looked at again until one of the two is called. */
export type IncomingFile = {
  org: string
  name: string
  text: string
  done(): Promise<void>
  refuse(reason: string): Promise<void>
}

/** The way to customs and back: another one is another of these. */
export type FilingAdapter = {
  /**
   * Hands an interchange over, and answers what came back at once, if anything did. It may be called again with the same, after a crash: whoever receives
   * it tells that by the name, or the key, which are made of the control number.
   */
  file(outgoing: OutgoingInterchange): Promise<string | null>
  /** Calls with each file of acknowledgements that has come since. */
  collect(take: (incoming: IncomingFile) => Promise<void>): Promise<void>
}

/**
 * Why an interchange was not handed over. `again`: trying it once more may help. `mayHaveArrived`: nothing was said of it, or not clearly, so the other side
 * may have it.
 */
export class FilingFault extends Error {
  readonly again: boolean
  readonly mayHaveArrived: boolean

  constructor(message: string, { again, mayHaveArrived = again }: { again: boolean; mayHaveArrived?: boolean }) {
    super(message)
    this.again = again
    this.mayHaveArrived = mayHaveArrived
  }
}
