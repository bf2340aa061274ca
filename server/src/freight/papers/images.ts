import { Refusal } from '../../platform/core/refusal.ts'
import { renderPaper } from '../../platform/drawing/render.ts'
import { blank } from './from.ts'

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
