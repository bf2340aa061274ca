import type { Schemas } from '@lading/sdk'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { everyRow } from '../../app/api/every-row.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { pageSize } from '../../app/table/page-number.ts'
import type { DeliverySearch } from './search.ts'

export type Webhook = Schemas['Webhook']
export type Delivery = Schemas['WebhookDelivery']
export type DeliveryDetail = Schemas['WebhookDeliveryDetail']
export type Attempt = DeliveryDetail['attempts'][number]
/** The fields of the form. */
export type Content = { url: string; description: string; event_types: string[] }

const all = ['webhooks']
const deliveries = ['webhook-deliveries']
const path = (webhookID: string) => ({ params: { path: { webhookID } } })
const changed = { touches: [...all, ...deliveries] }

/** How deliveries go changes by itself. Not often, because each look is in the request log. */
const refetchInterval = 10_000
const soonMs = 1000

export const webhooksQuery = (page: number) =>
  queryOptions({
    queryKey: [...all, 'list', page],
    staleTime: 0,
    refetchInterval,
    queryFn: () =>
      answered(
        lading.GET('/api/v1/webhooks', { params: { query: { limit: pageSize, offset: (page - 1) * pageSize } } }),
      ),
  })

/** For lists that name webhooks. */
export const webhookNamesQuery = queryOptions({
  queryKey: [...all, 'names'],
  queryFn: () => everyRow('webhooks', (query) => answered(lading.GET('/api/v1/webhooks', { params: { query } }))),
})

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...all, id],
    staleTime: 0,
    refetchInterval,
    queryFn: async () => (await answered(lading.GET('/api/v1/webhooks/{webhookID}', path(id)))).webhook,
  })

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: [...all, id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/webhooks/{webhookID}/history', { params: { path: { webhookID: id }, query: { limit } } }),
      ),
  })

export const deliveriesQuery = (webhookID: string, { state, types, page = 1 }: DeliverySearch) =>
  queryOptions({
    queryKey: [...deliveries, 'of webhook', webhookID, state, types, page],
    staleTime: 0,
    refetchInterval: (query) => (isWaiting(query.state.data?.webhook_deliveries) ? soonMs : refetchInterval),
    queryFn: () => {
      const query = {
        limit: pageSize,
        offset: (page - 1) * pageSize,
        ...(state && { status_ids: [state] }),
        ...(types && { types }),
      }
      return answered(lading.GET('/api/v1/webhooks/{webhookID}/deliveries', { params: { path: { webhookID }, query } }))
    },
  })

export const eventDeliveriesQuery = (eventId: string) =>
  queryOptions({
    queryKey: [...deliveries, 'of event', eventId],
    staleTime: 0,
    refetchInterval: (query) => (isWaiting(query.state.data) ? soonMs : refetchInterval),
    queryFn: () =>
      everyRow('webhook_deliveries', (paging) =>
        answered(lading.GET('/api/v1/webhook_deliveries', { params: { query: { ...paging, event_id: eventId } } })),
      ),
  })

export const deliveryQuery = (deliveryID: string) =>
  queryOptions({
    queryKey: [...deliveries, deliveryID],
    staleTime: 0,
    refetchInterval: (query) => (query.state.data && isWaiting([query.state.data]) ? soonMs : refetchInterval),
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/webhook_deliveries/{deliveryID}', { params: { path: { deliveryID } } })))
        .webhook_delivery,
  })

/** Whether one of them is to be sent soon. */
function isWaiting(some: readonly Pick<Delivery, 'next_attempt_at'>[] | undefined): boolean {
  return (
    some?.some(
      ({ next_attempt_at }) => next_attempt_at !== null && Date.parse(next_attempt_at) < Date.now() + 2 * soonMs,
    ) ?? false
  )
}

export function useCreateWebhook() {
  return useChange(
    async ({ description, ...content }: Content) =>
      (await answered(lading.POST('/api/v1/webhooks', { body: { ...content, description: description || null } })))
        .webhook,
    changed,
  )
}

type Edit = { changes: Partial<Content & { enabled: boolean }>; revision: number }

export function useUpdateWebhook(id: string) {
  return useChange(
    async ({ changes: { description, ...changes }, revision }: Edit) => {
      const body = { ...changes, ...(description !== undefined && { description: description || null }) }
      return (
        await answered(lading.PUT('/api/v1/webhooks/{webhookID}', { ...path(id), ...ifUnchanged(revision), body }))
      ).webhook
    },
    { ...changed, evenIfRefused: true },
  )
}

export function useSwitchWebhook({ id, revision }: Webhook, enabled: boolean) {
  return useChange(
    () =>
      answered(
        lading.PUT('/api/v1/webhooks/{webhookID}', { ...path(id), ...ifUnchanged(revision), body: { enabled } }),
      ),
    changed,
  )
}

export function useDeleteWebhook({ id, revision }: Webhook, done: () => Promise<void>) {
  const queryClient = useQueryClient()
  return useChange(async () => {
    await answered(lading.DELETE('/api/v1/webhooks/{webhookID}', { ...path(id), ...ifUnchanged(revision) }))
    // Away from its page first: there is nothing to read there any more.
    await done()
    queryClient.removeQueries({ queryKey: [...all, id] })
  }, changed)
}

export function useRotateSecret({ id }: Webhook) {
  return useChange(
    async (overlap_seconds: number) =>
      (
        await answered(
          lading.POST('/api/v1/webhooks/{webhookID}/rotate_secret', { ...path(id), body: { overlap_seconds } }),
        )
      ).webhook,
    changed,
  )
}

export function useSendTest({ id }: Webhook) {
  return useChange(
    async () =>
      (await answered(lading.POST('/api/v1/webhooks/{webhookID}/test', { ...path(id), body: {} }))).webhook_delivery,
    changed,
  )
}

export type Span = { from: string; to?: string; event_types?: string[] }

export function useReplay({ id }: Webhook) {
  return useChange(
    (body: Span) => answered(lading.POST('/api/v1/webhooks/{webhookID}/replay', { ...path(id), body })),
    changed,
  )
}

export function useResend() {
  return useChange(
    (deliveryID: string) =>
      answered(
        lading.POST('/api/v1/webhook_deliveries/{deliveryID}/redeliver', {
          params: { path: { deliveryID } },
          body: {},
        }),
      ),
    changed,
  )
}
