import type { MouseEvent } from 'react'

/** Marks the link that a click anywhere in its row follows. */
export const rowLink = { 'data-row-link': true }

const ownClicks = 'a, button, input, label, select, textarea, [role=button], [data-own-clicks]'

/** A click in a row follows its link, in a new tab with the middle button or a modifier key. Text can still be selected. */
export function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const link = linkFor(event)
  if (!link || window.getSelection()?.toString()) return
  const inNewTab = event.button === 1 || (event.button === 0 && (event.ctrlKey || event.metaKey || event.shiftKey))
  if (inNewTab) window.open(link.href, '_blank', 'noopener')
  else if (event.button === 0) link.click()
}

/** The middle button would start to scroll instead. */
export function keepMiddleClick(event: MouseEvent<HTMLTableRowElement>): void {
  if (event.button === 1 && linkFor(event)) event.preventDefault()
}

/** None where the click was meant for something else in the row, or for a dialog that the row opened. */
function linkFor({ currentTarget, target }: MouseEvent<HTMLTableRowElement>): HTMLAnchorElement | null {
  const clicked = target as Element
  if (!currentTarget.contains(clicked) || clicked.closest(ownClicks)) return null
  return currentTarget.querySelector<HTMLAnchorElement>('a[data-row-link]')
}
