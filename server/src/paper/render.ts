import type { Paper } from './paper.ts'

/** The file of a paper. What draws is loaded with the first one: most processes never draw, and it takes a few megabytes. */
export async function renderPaper(paper: Paper): Promise<Buffer> {
  const { drawPaper } = await import('./draw.ts')
  return drawPaper(paper)
}
