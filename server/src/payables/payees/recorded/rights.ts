import { requireRight } from '../../../platform/access/roles.ts'
import type { Context } from '../../../platform/context.ts'

/** Who may see bank details whole, and have files made that hold them. */
export async function requireBankDetailsRight(ctx: Context): Promise<void> {
  requireRight(ctx, 'see_bank_details')
}
