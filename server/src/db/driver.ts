import { registerHooks } from 'node:module'

/**
 * postgres.js 3.4.9 ends the whole process when a connection breaks at the wrong moment: it then writes to a socket that is gone (its issues
 * 1154 and 1208), never writes again on a connection whose last write was still waiting, or lets nobody hear that its first question failed.
 * What it is asked between an error and the end of a connection is never answered, and the last error of a connection is told to whoever asks first
 * through the next. It reserves connections of a pool that has ended, and who has reserved one still speaks through it when it broke and serves
 * another. Of idle connections it takes the one that has rested longest, where the one used last has what it needs at hand, in PostgreSQL and in the
 * processor. Its source is put right as it is loaded.
 * Remove this with the first release that does without; should the source change before, the start says so.
 */
const repairs: { file: string; from: string; to: string; times: number }[] = [
  {
    file: 'connection.js',
    from: "    if (terminated)\n      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))\n",
    to: "    if (terminated || socket === null) {\n      queryError(q, Errors.connection('CONNECTION_DESTROYED', options))\n      return true\n    }\n",
    times: 1,
  },
  {
    file: 'connection.js',
    from: '    const x = socket.write(chunk, fn)\n',
    to: '    const x = socket === null || socket.write(chunk, fn)\n',
    times: 1,
  },
  {
    file: 'connection.js',
    from: '    clearImmediate(nextWriteTimer)\n    ',
    to: '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    ',
    times: 2,
  },
  {
    file: 'connection.js',
    from: '        return fetchArrayTypes()\n',
    to: '        return fetchArrayTypes().catch(() => {})\n',
    times: 1,
  },
  {
    file: 'index.js',
    from: '  async function reserve() {\n',
    to: "  async function reserve() {\n    if (ending) throw Errors.connection('CONNECTION_ENDED', options, options)\n",
    times: 1,
  },
  {
    file: 'connection.js',
    from: "    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
    to: "    if (query || sent.length) error(Errors.connection('CONNECTION_CLOSED', options, socket))\n    query = errorResponse = null\n",
    times: 1,
  },
  {
    file: 'index.js',
    from: '    c.reserved.release = true\n',
    to: '    c.reserved.release = true\n    const held = c.reserved\n',
    times: 1,
  },
  {
    file: 'index.js',
    from: '    sql.release = () => {\n',
    to: '    sql.release = () => {\n      if (c.reserved !== held) return\n',
    times: 1,
  },
  {
    file: 'index.js',
    from: '    function handler(q) {\n      c.queue === full\n        ? queue.push(q)\n        : c.execute(q) || move(c, full)\n    }\n  }\n\n  async function begin(',
    to: "    function handler(q) {\n      if (c.reserved !== held) return q.reject(Errors.connection('CONNECTION_CLOSED', options))\n      c.queue === full\n        ? queue.push(q)\n        : c.execute(q) || move(c, full)\n    }\n  }\n\n  async function begin(",
    times: 1,
  },
  {
    file: 'connection.js',
    from: '    !query && onopen(connection)\n',
    to: '    !query && !connection.reserved && onopen(connection)\n',
    times: 1,
  },
  { file: 'index.js', from: 'open.shift()', to: 'open.pop()', times: 2 },
  {
    file: 'queue.js',
    from: '    push: (x) => (xs.push(x), x),\n',
    to: '    push: (x) => (xs.push(x), x),\n    pop: () => xs.pop(),\n',
    times: 1,
  },
]

const hooks = registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const file = /\/postgres\/src\/(\w+\.js)$/.exec(url)?.[1]
    return file ? { ...loaded, source: repaired(file, String(loaded.source)) } : loaded
  },
})
export const { default: postgres } = await import('postgres')
hooks.deregister()

function repaired(file: string, source: string): string {
  const wanting = repairs.filter((repair) => repair.file === file)
  return wanting.reduce((text, { from, to, times }) => {
    if (text.split(from).length !== times + 1) throw new Error('postgres.js has changed: see whether it still needs the repairs in db/driver.ts')
    return text.replaceAll(from, to)
  }, source)
}
