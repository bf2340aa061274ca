import type { FileLimits, Limit } from '../../../settings.ts'
import type { Context } from '../../context.ts'
import { conflict, Refusal } from '../../core/refusal.ts'
import { addUsage, findUsage, type Usage, type UsageOwner } from './usage-store.ts'

const words: Record<UsageOwner, { who: string; remedy: string }> = {
  organization: {
    who: 'This organization',
    remedy: 'Delete documents that are not needed, or ask whoever runs the server for more room.',
  },
  carrier: {
    who: 'This carrier',
    remedy: 'Ask the organization to delete documents that it does not need, or for more room.',
  },
  link: { who: 'This link', remedy: 'Ask whoever sent the link for a new one, or for an account.' },
}

/** Refuses what goes beyond the limit. What is added and the count are one transaction, so that no number of requests at once keeps more. */
export async function takeRoom(
  ctx: Context,
  limits: FileLimits | undefined,
  whose: UsageOwner,
  id: string,
  added: Usage,
): Promise<void> {
  const used = await addUsage(ctx, whose, id, added)
  if (limits) requireWithin(whose, used, limits[whose])
}

/** Before a file is taken in: there is no use in reading one that cannot be kept. The count that decides is that of `takeRoom`. */
export async function requireRoom(
  ctx: Context,
  limits: FileLimits | undefined,
  whose: UsageOwner,
  id: string,
): Promise<void> {
  const used = await findUsage(ctx, whose, id)
  if (used && limits) requireWithin(whose, { files: used.files + 1, bytes: used.bytes + 1 }, limits[whose])
}

function requireWithin(whose: UsageOwner, used: Usage, most: Limit): void {
  const { who, remedy } = words[whose]
  const keeps = whose === 'link' ? 'can send' : 'can keep'
  if (used.files > most.files)
    throw conflict(
      'too_many_files',
      `${who} ${keeps} ${most.files.toLocaleString('en-US')} ${whose === 'link' ? 'files and invoices' : 'files'}, and has that many. ${remedy}`,
    )
  if (used.bytes > most.bytes)
    throw new Refusal(
      'too_large',
      'storage_full',
      `${who} ${keeps} files of ${(most.bytes / 2 ** 20).toLocaleString('en-US')} MiB together, and with this one there would be more. ${remedy}`,
    )
}
