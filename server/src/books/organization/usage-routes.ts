import Type from 'typebox'
import { ok } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { mostWaiting } from '../../platform/transfers/room.ts'
import { mostKinds } from '../../records/definitions/actions.ts'
import type { Settings } from '../../settings.ts'
import { findUsed } from './usage-store.ts'

const names = [
  'documents',
  'storage',
  'transfers_waiting',
  'transfers_kept',
  'transfer_files',
  'positions_today',
  'kinds',
] as const
const Usage = Type.Object(
  {
    name: Type.Enum([...names], {
      description:
        'What it is: `documents` that are kept, `storage` for their files, imports and exports of the background that wait or run (`transfers_waiting`) or have ended and are kept (`transfers_kept`), the files of those (`transfer_files`), positions that were recorded since midnight UTC (`positions_today`), and `kinds` of objects.',
      examples: ['storage'],
    }),
    unit: Type.Enum(['count', 'bytes'], {
      description: 'What `used` and `limit` are counted in.',
      examples: ['bytes'],
    }),
    used: Type.Integer({ description: 'How much there is.', examples: [734003200] }),
    limit: Type.Integer({ description: 'How much there may be.', examples: [107374182400] }),
    beyond: Type.Enum(['refused', 'oldest_deleted'], {
      description: 'What happens beyond it: more is refused, or the oldest are deleted.',
      examples: ['refused'],
    }),
  },
  { description: 'How much of something there is, and how much there may be.' },
)

/** What an organization uses of what it may have. */
export const organizationUsage =
  ({ fileLimits, transfers, positionsOfDay }: Pick<Settings, 'fileLimits' | 'transfers' | 'positionsOfDay'>) =>
  async (app: App): Promise<void> => {
    app.get(
      '/organization/usage',
      {
        config: { scope: 'any' },
        schema: {
          tags: ['Organization'],
          operationId: 'getOrganizationUsage',
          summary: 'Get what the organization uses',
          description:
            'Answers how much the organization keeps of what is bounded, and the bounds. Any good token will do.',
          response: answers({ 200: Type.Object({ usage: Type.Array(Usage) }) }),
        },
      },
      async ({ ctx }) => {
        const used = await findUsed(ctx)
        const { files, bytes } = fileLimits.organization
        const usage = [
          { name: 'documents', unit: 'count', used: used.documents, limit: files, beyond: 'refused' },
          { name: 'storage', unit: 'bytes', used: used.storage, limit: bytes, beyond: 'refused' },
          { name: 'transfers_waiting', unit: 'count', used: used.waiting, limit: mostWaiting, beyond: 'refused' },
          {
            name: 'transfers_kept',
            unit: 'count',
            used: used.ended,
            limit: transfers.kept.count,
            beyond: 'oldest_deleted',
          },
          {
            name: 'transfer_files',
            unit: 'bytes',
            used: used.transferred,
            limit: transfers.kept.bytes,
            beyond: 'oldest_deleted',
          },
          { name: 'positions_today', unit: 'count', used: used.positions, limit: positionsOfDay, beyond: 'refused' },
          { name: 'kinds', unit: 'count', used: used.kinds, limit: mostKinds, beyond: 'refused' },
        ]
        return ok(JSON.stringify({ usage }))
      },
    )
  }
