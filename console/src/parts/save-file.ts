/** Hands the browser a file to keep. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  document.body.append(link)
  link.click()
  link.remove()
  // The browser reads it after this turn of the loop.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
