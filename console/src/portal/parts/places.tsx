import { type AnchorHTMLAttributes, type MouseEvent, useEffect, useState } from 'react'

/** The path of the page, which follows the links of the portal and the back button. */
export function usePath(): string {
  const [path, setPath] = useState(window.location.pathname)
  useEffect(() => {
    const follow = () => {
      setPath(window.location.pathname)
      window.scrollTo(0, 0)
      document.querySelector<HTMLElement>('main h1')?.focus()
    }
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])
  return path
}

export function goTo(path: string): void {
  window.history.pushState(null, '', path)
  window.dispatchEvent(new PopStateEvent('popstate'))
}

export function Go({ to, ...props }: { to: string } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const follow = (event: MouseEvent) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    event.preventDefault()
    goTo(to)
  }
  return <a href={to} onClick={follow} {...props} />
}
