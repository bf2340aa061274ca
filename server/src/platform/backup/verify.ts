import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { StartError } from '../core/start-error.ts'
import { damaged, documentIn, type Manifest, manifestName, readManifest, sha256Of } from './format.ts'
import { readEntries } from './places.ts'

const decompress = promisify(zstdDecompress)

/** Reads all of it, and refuses with what is damaged, missing or cut short. */
export async function verifyBackup(path: string): Promise<Manifest> {
  const found = new Map<string, { sha256: string; rows: number }>()
  const documents = { files: 0, bytes: 0 }
  let manifest: Manifest | undefined
  try {
    for await (const entry of readEntries(path)) {
      const bytes = await entry.read()
      const content = documentIn(entry.name)
      if (entry.name === manifestName) manifest = readManifest(bytes.toString(), path)
      else if (content) {
        if (sha256Of(bytes) !== content.sha256) throw damaged(path, `${entry.name} is not what was written`)
        documents.files += 1
        documents.bytes += bytes.length
      } else found.set(entry.name, { sha256: sha256Of(bytes), rows: await rowsIn(bytes) })
    }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw damaged(path, `it cannot be read to its end (${(error as Error).message})`)
  }
  if (!manifest) throw damaged(path, `it has no ${manifestName}, so it was not written to its end`)
  for (const { name, rows, parts } of manifest.tables) {
    for (const part of parts) {
      const there = found.get(part.name)
      if (!there) throw damaged(path, `${part.name} is missing`)
      if (there.sha256 !== part.sha256) throw damaged(path, `${part.name} is not what was written`)
    }
    const there = parts.reduce((sum, part) => sum + (found.get(part.name)?.rows ?? 0), 0)
    if (there !== rows) throw damaged(path, `${name} has ${there} rows of ${rows}`)
  }
  const wanted = manifest.documents?.copied ? manifest.documents : { files: 0, bytes: 0 }
  if (documents.files !== wanted.files || documents.bytes !== wanted.bytes)
    throw damaged(path, `it has ${documents.files} contents of documents, and was made with ${wanted.files}`)
  return manifest
}

/** COPY writes a row in a line, and a line break in a value as two letters. What is not even compressed has none; its checksum says so. */
async function rowsIn(bytes: Buffer): Promise<number> {
  const text = await decompress(bytes).catch(() => Buffer.alloc(0))
  let rows = 0
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) rows += 1
  return rows
}
