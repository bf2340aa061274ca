import type { Mailing } from '../../app/mail/mailing.ts'
import type { PdfPlace } from '../../app/mail/queries.ts'
import type { Method } from './methods.ts'

export const moves = ['save', 'send', 'pay', 'reopen', 'draft', 'reprice', 'correct', 'void', 'delete'] as const
export type Move = (typeof moves)[number]
export type MoveBody = {
  reason?: string
  paid_at?: string
  amount?: number
  method?: Method
  reference_number?: string
} & Partial<Mailing>

export type MovesProps = {
  /** As in a sentence. */
  what: string
  name: string
  record: Movable
  /** The PDF that is attached when it is sent. */
  pdf: PdfPlace
  /** Reads the record again after somebody else changed it. */
  load: () => Promise<unknown>
  run: {
    mutate: (asked: { move: Move } & MoveBody, options?: { onSuccess: (answer?: unknown) => void }) => void
    isPending: boolean
    error: unknown
    reset: () => void
  }
}

/** `amount_due` is missing where only the whole can be paid, as of a statement. */
type Movable = {
  total_amount: number
  amount_due?: number
  currency_id: string | null
  send_to_email: string | null
  available_actions: readonly string[]
}
