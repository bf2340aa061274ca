import { blank } from './from.ts'
import { renderPaper } from './render.ts'

/** Whether a picture can be on a paper: it is put on one. */
export async function isDrawable(logo: Buffer): Promise<boolean> {
  const empty = { ...blank, title: '', number: null, from: { name: '', lines: [], logo }, date: new Date(0), size: 'A4' as const }
  return renderPaper(empty).then(
    () => true,
    () => false,
  )
}
