/** JSON with line breaks; another text stays as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** JSON that ends behind a value, where the rest was cut off, with line breaks; another text stays as it is. */
export function formattedBeginning(text: string): string {
  let closers = ''
  for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\]]/gs)) {
    if (sign === '{') closers = `}${closers}`
    else if (sign === '[') closers = `]${closers}`
    else if (sign === '}' || sign === ']') closers = closers.slice(1)
  }
  const lines = formatJson(text + closers)
  return lines === text + closers ? `${text}…` : `${lines.split('\n').slice(0, -closers.length).join('\n')}\n…`
}
