import { connect, Socket } from 'node:net'

type Host = { host: string; port: number }

const patienceMs = 3_000

/**
 * An address with several hosts as one with the first of them, and the way to a socket to whichever answers. The driver's own way goes round
 * the hosts for ever, without a pause and without failing the query that waits.
 */
export function severalHosts(url: string): { url: string; socket(): Promise<Socket> } | null {
  const [, before = '', list = '', after = ''] = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? []
  if (!list.includes(',')) return null
  return { url: `${before}${list.split(',')[0]}${after}`, socket: toWhicheverAnswers(list.split(',').map(hostOf)) }
}

function hostOf(text: string): Host {
  const [, host = '', port = '5432'] = /^(.*?)(?::(\d+))?$/.exec(text) ?? []
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

function toWhicheverAnswers(hosts: Host[]): () => Promise<Socket> {
  let next = 0
  return async () => {
    let failure = new Error('no host')
    for (let tried = 0; tried < hosts.length; tried++) {
      try {
        const socket = await open(hosts[next % hosts.length] as Host)
        // It was lost, or did not take writes: the next connection asks the next host first.
        return socket.once('close', () => next++)
      } catch (error) {
        failure = error as Error
        next++
      }
    }
    return broken(failure)
  }
}

function open({ host, port }: Host): Promise<Socket> {
  return new Promise((done, failed) => {
    const socket = connect({ host, port, timeout: patienceMs })
    socket.once('timeout', () => socket.destroy(Object.assign(new Error(`connect ETIMEDOUT ${host}:${port}`), { code: 'ETIMEDOUT' })))
    socket.once('error', failed)
    socket.once('connect', () => {
      socket.setTimeout(0).removeAllListeners('timeout').off('error', failed)
      // The driver checks the certificate, where there is one, against this name.
      done(Object.assign(socket, { host, port }))
    })
  })
}

/** The driver gives a connection back for another try only when its socket fails; from an exception it never recovers. */
function broken(failure: Error): Socket {
  const socket = Object.assign(new Socket(), { write: () => true })
  setImmediate(() => socket.destroy(failure))
  return socket
}
