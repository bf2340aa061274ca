import { everyRow } from '../../app/api/every-row.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from './session.ts'

/** The offers that wait for an answer, of either side. */
export const openTenders = () =>
  everyRow('tenders', (paging) =>
    answered(
      lading.GET('/api/v1/portal/tenders', { params: { query: { ...paging, status_ids: ['open', 'countered'] } } }),
    ),
  )

export const everyLoad = () =>
  everyRow('manifests', (query) => answered(lading.GET('/api/v1/portal/manifests', { params: { query } })))
