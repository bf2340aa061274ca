/** Files by their keys, in memory. Where there are too many, the one that was asked for longest ago goes. */
export function makeFileCache({ mostBytes, mostBytesOfOne }: { mostBytes: number; mostBytesOfOne: number }) {
  const files = new Map<string, Buffer>()
  let bytes = 0
  return {
    find(key: string): Buffer | undefined {
      const file = files.get(key)
      if (!file) return undefined
      files.delete(key)
      files.set(key, file)
      return file
    },
    keep(key: string, file: Buffer): Buffer {
      if (file.length > mostBytesOfOne || files.has(key)) return file
      files.set(key, file)
      bytes += file.length
      for (const [oldest, { length }] of files) {
        if (bytes <= mostBytes) break
        files.delete(oldest)
        bytes -= length
      }
      return file
    },
  }
}
