/** Reads PDF files as a viewer would. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

export type ReadPdf = {
  pages: string[]
  text: string
  info: Record<string, unknown>
}

/** The text of every page, line by line as it stands on it. */
export async function readPdf(file: Uint8Array): Promise<ReadPdf> {
  const task = getDocument({ data: new Uint8Array(file), verbosity: 0 })
  const document = await task.promise
  const pages: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    const lines = Map.groupBy(
      items.filter((item) => 'str' in item),
      ({ transform }) => Math.round(transform[5] as number),
    )
    const ordered = [...lines].sort(([one], [other]) => other - one)
    pages.push(
      ordered
        .map(([, all]) =>
          all
            .sort((one, other) => (one.transform[4] as number) - (other.transform[4] as number))
            .map(({ str }) => str)
            .join(''),
        )
        .join('\n'),
    )
  }
  const { info } = await document.getMetadata()
  await task.destroy()
  return { pages, text: pages.join('\n'), info: info as Record<string, unknown> }
}
