/** What every call takes besides what its operation takes. */
export interface CallOptions {
  /** How long each attempt may take, in milliseconds: that of the client unless set. */
  timeout?: number
  /** Ends the call, which then throws the reason of the signal. */
  signal?: AbortSignal
  /** Fields of the header, such as `Prefer`. */
  headers?: Record<string, string>
}

export interface AsOfOptions extends CallOptions {
  /** The moment in the past, as `2026-10-31` or with a time, of which the answer is. */
  asOf?: string
}

export interface KeyOptions extends CallOptions {
  /** With the same key a write is done once, however often it is sent. Each call has a key of its own unless set. */
  idempotencyKey?: string
}

export interface WriteOptions extends KeyOptions {
  /** Checks everything and answers as if it were done, and keeps nothing. */
  dryRun?: boolean
}

export interface ChangeOptions extends WriteOptions {
  /** The revision that the record must still have, else 412: nobody's change in between is overwritten. */
  ifMatch?: Revision
}

/** The `revision` of a record, or its `ETag` as it came. */
export type Revision = number | string

/** Asks a report for its rows as a file. */
export interface AsCsv {
  accept: 'text/csv'
}

/** A file to send: a text, or bytes. */
export type Content = string | Blob | ArrayBuffer | Uint8Array

/** The fields of a form, with its file as bytes; `file_name` is for a `Blob`, and a `File` has a name by itself. */
export type Form<Fields> = Omit<Fields, 'file'> & { file: Blob; file_name?: string }
