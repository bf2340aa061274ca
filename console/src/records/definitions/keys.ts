/** `Dock door no. 3` → `dockDoorNo3`. */
export function keyFor(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .replaceAll(/[\u0300-\u036f]/g, '')
      .match(/[A-Za-z0-9]+/g) ?? []
  const joined = words
    .map((word, index) =>
      index === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
    )
    .join('')
  return joined.replace(/^\d+/, '').slice(0, 40)
}

export function prefixFor(name: string): string {
  return keyFor(name).toUpperCase().slice(0, 4)
}
