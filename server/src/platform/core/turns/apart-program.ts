/** What runs in the threads of `apart.ts`: calls the function that it is asked for. */

import { Refusal } from '../refusal.ts'
import type { ApartResult, Task } from './apart.ts'

export default async function read({ file, name, args, begun }: Task): Promise<ApartResult> {
  const module: Record<string, (...args: readonly unknown[]) => unknown> = await import(file)
  Atomics.store(begun, 0, 1)
  Atomics.notify(begun, 0)
  try {
    return { value: await (module[name] as (typeof module)[string])(...args) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { kind, code, message, details, cause } = error
    return { refused: { kind, code, message, details, cause } }
  }
}
