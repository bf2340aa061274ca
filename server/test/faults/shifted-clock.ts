/**
 * Loaded into the server before anything else (`node --import`): its clock is ahead by as many milliseconds as the file CLOCK_FILE says. Timers go
 * by another clock, which does not jump, as on a real machine.
 */
import { readFileSync } from 'node:fs'

const RealDate = Date
const realNow = Date.now
let ahead = 0

function look(): void {
  try {
    ahead = Number(readFileSync(process.env.CLOCK_FILE as string, 'utf8')) || 0
  } catch {
    ahead = 0
  }
}

look()
setInterval(look, 25).unref()

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [realNow() + ahead] : args, newTarget),
  apply: () => new RealDate(realNow() + ahead).toString(),
})
RealDate.now = () => realNow() + ahead
