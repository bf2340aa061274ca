import { useMutation } from '@tanstack/react-query'
import { useChange } from '../../api/changes.ts'
import { answered } from '../../api/problem.ts'
import { lading } from '../../api/session.ts'

export type RowResult = { status: string; id: string | null; error?: { error_message: string; details: readonly { message: string }[] } }
export type Report = { counts: { created: number; updated: number; unchanged: number; failed: number }; results: readonly RowResult[] }

async function send(csv: string, dry_run: boolean): Promise<Report> {
  const headers = { 'content-type': 'text/csv' }
  const request = { params: { query: { dry_run } }, body: csv, bodySerializer: (text: string) => text, headers }
  return (await answered(lading.POST('/api/v1/bills/import', request as never))) as unknown as Report
}

/** What an import would do. Nothing is kept. */
export function useCheckImport() {
  return useMutation({ mutationFn: (csv: string) => send(csv, true) })
}

export function useImport() {
  return useChange((csv: string) => send(csv, false), { touches: ['bills'] })
}

const most = 200

/** The ids of carriers by their names in lower case. */
export async function findCarriers(names: readonly string[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (let first = 0; first < names.length; first += most) {
    const filter = { field: 'name', op: 'in', value: names.slice(first, first + most) }
    const body = { objectKey: 'partner', paths: ['name'], filter, limit: most }
    const { objects } = await answered(lading.POST('/api/v2/platformModel/objects/search', { body }))
    for (const { id, name } of objects as unknown as { id: string; name: string }[]) ids.set(name.toLowerCase(), id)
  }
  return ids
}

/** The ids of pay terms by their names in lower case. An organization has few. */
export async function findPayTerms(): Promise<Map<string, string>> {
  const { pay_terms } = await answered(lading.GET('/api/v1/pay_terms', { params: { query: { limit: most } } }))
  return new Map(pay_terms.map(({ id, name }) => [name.toLowerCase(), id]))
}
