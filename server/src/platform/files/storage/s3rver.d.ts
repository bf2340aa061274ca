/** A server of Amazon's S3 protocol for tests; it comes without types. */
declare module 's3rver' {
  type Options = { port: number; silent: boolean; directory: string; configureBuckets: { name: string }[] }
  export default class S3rver {
    constructor(options: Options)
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
}
