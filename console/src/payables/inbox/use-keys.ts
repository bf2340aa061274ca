import { useEffect, useRef } from 'react'

export const keyWords = [
  ['j', 'Next'],
  ['k', 'Previous'],
  ['a', 'Approve, or accept an exception'],
  ['e', 'Exceptions'],
  ['/', 'Search'],
  ['?', 'Show the keys'],
] as const

export type Key = (typeof keyWords)[number][0]

const typing =
  'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]:not([contenteditable=false])'

/** Single keys, while nobody types and no dialog is open. */
export function useKeys(actions: Record<Key, () => void>): void {
  const current = useRef(actions)
  current.current = actions
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest(typing)) return
      if (document.querySelector('[role=dialog]')) return
      const action = current.current[event.key as Key]
      if (!action) return
      event.preventDefault()
      action()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
