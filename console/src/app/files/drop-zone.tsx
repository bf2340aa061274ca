import { type DragEvent, type ReactNode, useState } from 'react'
import styles from './drop-zone.module.css'

type DropZoneProps = {
  enabled: boolean
  /** What happens to files that are dropped. */
  words?: string
  onFiles: (files: File[]) => void
  children: ReactNode
}

/** Marked while files are over it. What is dropped elsewhere the browser would open in place of the page. */
export function DropZone({ enabled, words = 'Drop the files to add them', onFiles, children }: DropZoneProps) {
  const [over, setOver] = useState(false)
  const isFiles = ({ dataTransfer }: DragEvent) => enabled && dataTransfer.types.includes('Files')
  // One zone may be inside of another: the innermost takes the files.
  const isHere = ({ target, currentTarget }: DragEvent) =>
    (target as Element).closest(`.${styles.zone}`) === currentTarget
  const hover = (event: DragEvent) => {
    if (!isFiles(event)) return
    event.preventDefault()
    setOver(isHere(event))
  }
  const leave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false)
  }
  const drop = (event: DragEvent) => {
    if (!isFiles(event)) return
    event.preventDefault()
    setOver(false)
    if (isHere(event)) onFiles([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are dropped with a mouse; the button does the same for everybody
    <div
      className={styles.zone}
      data-over={over ? words : undefined}
      onDragEnter={hover}
      onDragOver={hover}
      onDragLeave={leave}
      onDrop={drop}
    >
      {children}
    </div>
  )
}
