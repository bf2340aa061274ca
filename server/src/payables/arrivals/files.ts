import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Context } from '../../platform/context.ts'
import { Refusal } from '../../platform/core/refusal.ts'
import { createDocument, keepContent } from '../../platform/files/actions.ts'
import { dispositionOf } from '../../platform/files/contents/file-names.ts'
import { receiveUpload, type Upload } from '../../platform/files/contents/receive.ts'
import type { DocumentType } from '../../platform/files/model.ts'
import type { Storage } from '../../platform/files/storage/storage.ts'

/** Where files go: `folder` is where they are until they were checked. */
export type FileStore = { storage: Storage; folder: string }
export type ArrivedFile = { name: string; bytes: Buffer; documentType: DocumentType }
/** A file whose content is kept, and that is no document yet. */
export type TakenFile = { upload: Upload; documentType: DocumentType }

/** As many records a document is attached to at most; the content of a second one is kept once. */
const mostRecords = 50

/** Checks a file as every upload is checked. A name that ends as other files do gets the end of its content. */
export async function checkFile({ folder }: FileStore, { name, bytes, documentType }: ArrivedFile): Promise<TakenFile> {
  const take = (name: string) =>
    receiveUpload(
      Readable.from([bytes]),
      { 'content-type': 'application/octet-stream', 'content-disposition': dispositionOf('attachment', name) },
      folder,
    )
  const upload = await take(name).catch((error) => {
    if (!(error instanceof Refusal) || error.code !== 'content_mismatch') throw error
    return take(name.replace(/\.[^.]*$/, ''))
  })
  return { upload, documentType }
}

/** Before the transaction that makes documents of them, as with every upload. */
export async function keepFiles(ctx: Context, { storage }: FileStore, files: readonly TakenFile[]): Promise<void> {
  for (const { upload } of files) await keepContent(ctx, storage, upload)
}

/** Makes documents of the files, attached to all of these invoices. `storage` is null where it is only tried. */
export async function attachFiles(
  ctx: Context,
  storage: Storage | null,
  files: readonly TakenFile[],
  invoices: readonly string[],
): Promise<void> {
  for (let first = 0; first < invoices.length; first += mostRecords) {
    const attached_to = invoices.slice(first, first + mostRecords).map((id) => ({ type: 'carrier_invoice', id }))
    for (const { upload, documentType } of files)
      await createDocument(ctx, storage, upload, { document_type: documentType, attached_to })
  }
}

/** The files themselves; their contents are in the storage. */
export async function removeFiles(files: readonly TakenFile[]): Promise<void> {
  for (const { upload } of files) await rm(upload.path, { force: true })
}
