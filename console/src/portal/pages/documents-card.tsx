import { useId, useState } from 'react'
import { answered } from '../../app/api/problem.ts'
import { saveFile } from '../../app/values/save-file.ts'
import { Card, Trouble } from '../parts/parts.tsx'
import { documentWords } from '../parts/words.ts'
import { useAsked, useDoing } from '../session/asking.ts'
import { fetchFile, lading, sendFile } from '../session/session.ts'

const types = ['pod', 'bol', 'lumper_receipt', 'other']

/** Takes a photograph or a file and sends it; what was sent is listed. */
export function DocumentsCard({ manifestId: manifestID }: { manifestId: string }) {
  const ids = useId()
  const [type, setType] = useState('pod')
  const { run, isBusy, problem } = useDoing()
  const sent = useAsked(
    `documents ${manifestID}`,
    async () =>
      (
        await answered(
          lading.GET('/api/v1/portal/manifests/{manifestID}/documents', { params: { path: { manifestID } } }),
        )
      ).documents,
  )
  const send = async (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])]
    for (const file of files) await run(() => sendFile(`manifests/${manifestID}/documents`, file, type))
    input.value = ''
    await sent.again()
  }
  return (
    <Card title="Documents">
      <label htmlFor={`${ids}type`}>What it is</label>
      <select id={`${ids}type`} value={type} onChange={({ currentTarget }) => setType(currentTarget.value)}>
        {types.map((name) => (
          <option key={name} value={name}>
            {documentWords[name]}
          </option>
        ))}
      </select>
      <div className="buttons">
        <FileButton label={isBusy ? 'Sending …' : 'Take a photo'} capture disabled={isBusy} choose={send} />
        <FileButton label="Choose a file" disabled={isBusy} choose={send} />
      </div>
      <Trouble words={problem ?? sent.problem} />
      {sent.data?.length === 0 && <p className="quiet">Nothing was sent yet.</p>}
      <ul aria-label="Sent documents">
        {sent.data?.map(({ id, file_name, document_type }) => (
          <li key={id}>
            {documentWords[document_type] ?? document_type}:{' '}
            <button
              type="button"
              className="plain"
              disabled={isBusy}
              onClick={() => void run(async () => saveFile(await fetchFile(id), file_name))}
            >
              {file_name}
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type FileButtonProps = {
  label: string
  capture?: boolean
  disabled?: boolean
  choose: (input: HTMLInputElement) => Promise<void>
}

/** An input for files that looks like a button; with `capture` a phone opens its camera. */
export function FileButton({ label, capture = false, disabled = false, choose }: FileButtonProps) {
  const id = useId()
  return (
    <span className="file">
      <input
        id={id}
        type="file"
        accept="image/*,application/pdf"
        {...(capture && { capture: 'environment' as const })}
        disabled={disabled}
        onChange={({ currentTarget }) => void choose(currentTarget)}
      />
      <label htmlFor={id}>{label}</label>
    </span>
  )
}
