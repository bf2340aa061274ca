import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { wordsFor } from '../api/problem.ts'
import type { RecordName } from './queries.ts'
import { typeFor } from './types.ts'
import { upload } from './upload.ts'

/** A file on its way, or one that was refused: those stay until they are tried again or dismissed. */
export type FileUpload = { key: string; file: File; percent: number; error: string | null }

/** Sends files one after the other, so that the first is there soon. */
export function useUploads(record: RecordName) {
  const queryClient = useQueryClient()
  const [sending, setSending] = useState<readonly FileUpload[]>([])
  const change = (key: string, values: Partial<FileUpload>) =>
    setSending((all) => all.map((one) => (one.key === key ? { ...one, ...values } : one)))
  const dismiss = (key: string) => setSending((all) => all.filter((one) => one.key !== key))

  async function send({ key, file }: Pick<FileUpload, 'key' | 'file'>): Promise<void> {
    change(key, { percent: 0, error: null })
    try {
      await upload({ file, type: typeFor(file.name), record, key, onProgress: (percent) => change(key, { percent }) })
      await queryClient.invalidateQueries({ queryKey: ['documents'] })
      dismiss(key)
    } catch (error) {
      change(key, { error: wordsFor(error) })
    }
  }

  async function add(files: readonly File[]): Promise<void> {
    const added = files.map((file) => ({ key: crypto.randomUUID(), file, percent: 0, error: null }))
    setSending((all) => [...all, ...added])
    for (const one of added) await send(one)
  }

  return { sending, add, retry: send, dismiss }
}
