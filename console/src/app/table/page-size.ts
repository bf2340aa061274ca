import { pageSize } from './page-number.ts'

export const pageSizes = [20, 50, 100, 200] as const

const key = 'lading page size'

/** The page size in the address of a list. */
export function sizeIn(search: Record<string, unknown>): { size?: number } {
  const size = Number(search.size)
  return isSize(size) ? { size } : {}
}

/** The size that this person chose last, for lists whose address names none. */
export function rememberedSize(): number {
  // Tests run without a browser.
  const size = 'document' in globalThis ? Number(localStorage.getItem(key)) : pageSize
  return isSize(size) ? size : pageSize
}

export function rememberSize(size: number): void {
  localStorage.setItem(key, String(size))
}

function isSize(size: number): boolean {
  return pageSizes.some((known) => known === size)
}
