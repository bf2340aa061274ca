import { useEffect } from 'react'

const above = '[role=dialog], [role=menu], [role=listbox]'

/**
 * After a dialog, a drawer or a menu the focus goes back to where it was. The dialogs are removed from the page at once, which leaves the focus
 * nowhere: keyboards would start again at the top of the page, and screen readers would lose their place.
 */
export function useFocusReturn(): void {
  useEffect(() => {
    let last: HTMLElement | null = null
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && !target.closest(above)) last = target
    }
    const observer = new MutationObserver((changes) => {
      if (isNowhere() && changes.some(({ removedNodes }) => [...removedNodes].some(wasAbove)))
        requestAnimationFrame(bringBack)
    })
    const bringBack = () => {
      if (!isNowhere() || document.querySelector('[role=dialog]')) return
      const place = last?.isConnected ? last : document.getElementById('main')
      place?.focus({ preventScroll: true })
    }
    document.addEventListener('focusin', onFocus)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [])
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

function wasAbove(node: Node): boolean {
  return node instanceof HTMLElement && (node.matches(above) || node.querySelector(above) !== null)
}
