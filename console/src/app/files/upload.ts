import { Problem } from '../api/problem.ts'
import { signIn } from '../api/session.ts'
import { settings } from '../api/settings.ts'
import type { RecordName } from './queries.ts'
import { type DocumentFile, type DocumentType, largestFile } from './types.ts'

type Upload = {
  file: File
  type: DocumentType
  /** What it is attached to; null for what is attached later. */
  record: RecordName | null
  /** Makes it safe to try again. */
  key: string
  onProgress: (percent: number) => void
}

/** Sends a file, and says how much of it has gone: the browser's fetch cannot. */
export async function upload({ file, type, record, key, onProgress }: Upload): Promise<DocumentFile> {
  if (file.size > largestFile)
    throw new Problem(413, { error_message: `The file has more than ${largestFile / 2 ** 20} MB. Send a smaller one.` })
  const form = new FormData()
  form.append('document_type', type)
  if (record) form.append('attached_to', `${record.type}:${record.id}`)
  form.append('file', file, file.name)
  const token = await signIn.token()
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest()
    request.open('POST', `${settings.publicUrl}/api/v1/documents`)
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('idempotency-key', key)
    request.upload.onprogress = ({ loaded, total }) => onProgress(Math.round((loaded / total) * 100))
    request.onerror = () => fail(new TypeError('the server cannot be reached'))
    request.onload = () =>
      request.status < 300
        ? done(JSON.parse(request.responseText).document)
        : fail(new Problem(request.status, bodyOf(request)))
    request.send(form)
  })
}

function bodyOf({ responseText }: XMLHttpRequest): ConstructorParameters<typeof Problem>[1] {
  try {
    return JSON.parse(responseText)
  } catch {
    return undefined
  }
}
