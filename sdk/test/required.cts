/** Checked as a program in CommonJS; never run. */
import { createLading, type Lading, LadingConnectionError } from '@lading/sdk'

const lading: Lading = createLading({ baseUrl: 'https://tms.example.com', token: 'good', timeout: 5_000 })

export async function total(): Promise<number | undefined> {
  try {
    return (await lading.GET('/api/v1/bills', { timeout: 1_000 })).data?.total
  } catch (error) {
    return error instanceof LadingConnectionError ? error.attempts : undefined
  }
}
