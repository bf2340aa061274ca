/** The lines with one of them moved up or down by one. */
export function moveLine<T extends { key: string }>(lines: readonly T[], key: string, by: -1 | 1): T[] {
  const at = lines.findIndex((line) => line.key === key)
  const next = [...lines]
  const [line] = next.splice(at, 1)
  if (line) next.splice(at + by, 0, line)
  return next
}
