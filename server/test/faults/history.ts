/** What clients asked for and how they were answered, for the checker. */

/** `unknown`: no answer came, or one that says so itself; what was asked for may have been done or not. */
export type Fate = 'acknowledged' | 'refused' | 'unknown'
export type Kind = 'bill item type' | 'bill' | 'line' | 'statement' | 'object'

export type Write = {
  kind: Kind
  org: string
  /** A text that is in this record and in no other. */
  mark: string
  fate: Fate
  /** By a clock that never jumps. */
  began: number
  ended: number
  id: string | null
  /** The last answer, for messages. */
  answer: string
  /** The list that a line was appended to: the id of its bill. */
  list?: string
}

/** What a client saw of a list, in its order. */
export type Read = { list: string; marks: string[]; began: number; ended: number }

export type History = {
  writes: Write[]
  reads: Read[]
  /** The numbers that saved bills were answered with. */
  numbers: { org: string; bill: string; number: string }[]
  /** Answers that must never be given, and how often each was. */
  wrong: Map<string, number>
  /** How often each status was answered; 0 is no answer. */
  statuses: Map<number, number>
  slowestMs: number
}

export function newHistory(): History {
  return { writes: [], reads: [], numbers: [], wrong: new Map(), statuses: new Map(), slowestMs: 0 }
}

export function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export function countFate({ writes }: History, fate: Fate): number {
  return writes.filter((write) => write.fate === fate).length
}
