/** Checked as a program in CommonJS; never run. */
import sdk = require('@lading/sdk')

const lading: sdk.Lading = sdk.createLading({ baseUrl: 'https://tms.example.com', token: 'good', timeout: 5_000 })

async function total(): Promise<number | undefined> {
  try {
    return (await lading.GET('/api/v1/bills', { timeout: 1_000 })).data?.total
  } catch (error) {
    return error instanceof sdk.LadingConnectionError ? error.attempts : undefined
  }
}

export = total
