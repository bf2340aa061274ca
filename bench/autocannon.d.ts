/** As much of autocannon as the bench uses. */
declare module 'autocannon' {
  type Request = { method: string; path: string; headers: Record<string, string>; body?: string }
  type Client = { setRequests(requests: Request[]): void }
  type Result = { errors: number; non2xx: number; duration: number; requests: { total: number } }
  type Run = Promise<Result> & {
    on(event: 'response', listener: (client: Client, status: number, bytes: number, ms: number) => void): void
  }
  export default function autocannon(options: {
    url: string
    connections: number
    duration: number
    overallRate?: number
    setupClient(client: Client): void
  }): Run
}
