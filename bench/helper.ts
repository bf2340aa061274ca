import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A program of this folder in a process of its own: nothing that is measured shares its event loop with anything else. */
export type Helper<Question, Reply> = { ask(question: Question): Promise<Reply>; stop(): unknown }

export function startHelper<Question, Reply>(file: string): Helper<Question, Reply> {
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        const ended = () => reject(new Error(`${file} ended by itself`))
        child.once('exit', ended)
        child.once('message', (reply) => {
          child.off('exit', ended)
          resolve(reply as Reply)
        })
        child.send(question as object)
      }),
    stop: () => child.connected && child.disconnect(),
  }
}

/** The other end: answers one question after the other until the bench is gone. */
export function answerWith<Question, Reply>(answer: (question: Question) => Promise<Reply>): void {
  process.on('message', async (question) => process.send?.(await answer(question as Question)))
  process.on('disconnect', () => process.exit())
}
