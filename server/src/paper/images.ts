import { Refusal } from '../core/refusal.ts'
import { blank } from './from.ts'
import { renderPaper } from './render.ts'

/** Whether a picture can be on a paper: it is put on one. */
export async function isDrawable(org: string, logo: Buffer): Promise<boolean> {
  const empty = {
    ...blank,
    title: '',
    number: null,
    from: { name: '', lines: [], logo },
    date: new Date(0),
    size: 'A4' as const,
  }
  return renderPaper(org, empty).then(
    () => true,
    (error) => {
      // There was no turn to try.
      if (error instanceof Refusal && error.kind !== 'too_large') throw error
      return false
    },
  )
}
