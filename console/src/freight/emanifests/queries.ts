import type { Paths, Schemas } from '@lading/sdk'
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { pageSize } from '../../app/table/page-number.ts'
import { saveFile } from '../../app/values/save-file.ts'
import type { EmanifestsSearch } from './routes.ts'
import type { Edit } from './values.ts'

export type Emanifest = Schemas['Emanifest']
export type Filing = Emanifest['filings'][number]
export type FilingObstacle =
  Paths['/api/v1/emanifests/{emanifestID}/validate']['post']['responses']['200']['content']['application/json']['missing'][number]

const path = (emanifestID: string) => ({ params: { path: { emanifestID } } })
/** The track of a manifest shows what customs has accepted. */
const changed = { touches: ['emanifests', 'objects'], evenIfRefused: true }

const statesOf = {
  open: ['draft', 'validated', 'submitted'],
  accepted: ['accepted'],
  rejected: ['rejected'],
  cancelled: ['cancelled'],
} as const

export const emanifestsQuery = ({ show, border, page = 1 }: EmanifestsSearch) => {
  const query = {
    ...(show && { status_ids: [...statesOf[show]] }),
    ...(border && { borders: [border] }),
    limit: pageSize,
    offset: (page - 1) * pageSize,
  }
  return queryOptions({
    queryKey: ['emanifests', 'list', query],
    queryFn: () => answered(lading.GET('/api/v1/emanifests', { params: { query } })),
    placeholderData: keepPreviousData,
  })
}

/** While customs is awaited it is looked at again. */
export const emanifestQuery = (id: string) =>
  queryOptions({
    queryKey: ['emanifests', id],
    queryFn: async () => (await answered(lading.GET('/api/v1/emanifests/{emanifestID}', path(id)))).emanifest,
    refetchInterval: (query) => (query.state.data?.state === 'submitted' ? 5000 : false),
  })

/** What is missing now: validating as a dry run, which moves nothing. */
export const missingQuery = ({ id, revision }: Pick<Emanifest, 'id' | 'revision'>) =>
  queryOptions({
    queryKey: ['emanifests', id, 'missing', revision],
    queryFn: async () =>
      (
        await answered(
          lading.POST('/api/v1/emanifests/{emanifestID}/validate', { ...path(id), headers: { prefer: 'dry-run' } }),
        )
      ).missing as FilingObstacle[],
  })

/** Read again with each revision: customs changes it while somebody looks. */
export const historyQuery = ({ id, revision }: Pick<Emanifest, 'id' | 'revision'>, limit: number) =>
  queryOptions({
    queryKey: ['emanifests', id, 'history', revision, limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/emanifests/{emanifestID}/history', {
          params: { path: { emanifestID: id }, query: { limit } },
        }),
      ),
  })

export function useCreateEmanifest() {
  return useChange(
    async (body: { manifest_id: string; border: 'ace' | 'aci' }) =>
      (await answered(lading.POST('/api/v1/emanifests', { body }))).emanifest,
    changed,
  )
}

export function useUpdateEmanifest(id: string) {
  return useChange(
    async ({ body, revision }: { body: Edit; revision: number }) =>
      (await answered(lading.PUT('/api/v1/emanifests/{emanifestID}', { ...path(id), ...ifUnchanged(revision), body })))
        .emanifest,
    changed,
  )
}

export function useValidate({ id }: Emanifest) {
  return useChange(
    (_: undefined) => answered(lading.POST('/api/v1/emanifests/{emanifestID}/validate', path(id))),
    changed,
  )
}

export function useSubmit({ id }: Emanifest) {
  return useChange(
    (_: undefined) => answered(lading.POST('/api/v1/emanifests/{emanifestID}/submit', path(id))),
    changed,
  )
}

export function useAmend({ id, revision }: Emanifest) {
  return useChange(
    (_: undefined) =>
      answered(
        lading.POST('/api/v1/emanifests/{emanifestID}/amend', { ...path(id), ...ifUnchanged(revision), body: {} }),
      ),
    changed,
  )
}

export function useCancel({ id }: Emanifest) {
  return useChange(
    (_: undefined) => answered(lading.POST('/api/v1/emanifests/{emanifestID}/cancel', path(id))),
    changed,
  )
}

export function useDownload({ id }: Emanifest) {
  return useMutation({
    mutationFn: async ({ id: filingID, control_number, transaction_set }: Filing) => {
      const at = { params: { path: { emanifestID: id, filingID } } }
      const content = await answered(
        lading.GET('/api/v1/emanifests/{emanifestID}/filings/{filingID}/content', {
          ...at,
          parseAs: 'blob',
          headers: { accept: 'application/edi-x12' },
        }),
      )
      saveFile(content as unknown as Blob, `${control_number}.${transaction_set}`)
    },
  })
}
