import { registerHooks } from 'node:module'

/**
 * postgres.js 3.4.9 ends the whole process when a connection breaks at the wrong moment: it then writes to a socket that is gone (its issues
 * 1154 and 1208), never writes again on a connection whose last write was still waiting, or lets nobody hear that its first question failed. Its source is put right as it is loaded.
 * Remove this with the first release that does without; should the source change before, the start says so.
 */
const repairs = [
  {
    from: "    if (terminated)\n      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))\n",
    to: "    if (terminated || socket === null) {\n      queryError(q, Errors.connection('CONNECTION_DESTROYED', options))\n      return true\n    }\n",
    times: 1,
  },
  {
    from: '    const x = socket.write(chunk, fn)\n',
    to: '    const x = socket === null || socket.write(chunk, fn)\n',
    times: 1,
  },
  {
    from: '    clearImmediate(nextWriteTimer)\n    ',
    to: '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    ',
    times: 2,
  },
  {
    from: '        return fetchArrayTypes()\n',
    to: '        return fetchArrayTypes().catch(() => {})\n',
    times: 1,
  },
]

const hooks = registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    return url.endsWith('/postgres/src/connection.js') ? { ...loaded, source: repaired(String(loaded.source)) } : loaded
  },
})
export const { default: postgres } = await import('postgres')
hooks.deregister()

function repaired(source: string): string {
  return repairs.reduce((text, { from, to, times }) => {
    if (text.split(from).length !== times + 1) throw new Error('postgres.js has changed: see whether it still needs the repairs in db/driver.ts')
    return text.replaceAll(from, to)
  }, source)
}
