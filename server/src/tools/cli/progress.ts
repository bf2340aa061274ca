import type { WriteStream } from 'node:tty'

export type Progress = { add(rows: number, failed: number): void; end(): void }

type Out = Pick<WriteStream, 'write'> & { isTTY?: boolean; columns?: number }

const drawMs = 100
/** Where nobody watches, a line every so often is enough. */
const sayMs = 5_000

/** A bar that fills on a terminal; elsewhere plain lines. */
export function showProgress(total: number, out: Out): Progress {
  const since = performance.now()
  let done = 0
  let failures = 0
  let shown = out.isTTY ? Number.NEGATIVE_INFINITY : since

  function show(): void {
    shown = performance.now()
    const text = lineOf({ done, total, failures, seconds: (shown - since) / 1000 })
    if (!out.isTTY) out.write(`${text}\n`)
    else
      out.write(
        `\r\u001b[2K${barOf(done, total, Math.max(10, Math.min(40, (out.columns ?? 80) - text.length - 3)))} ${text}`,
      )
  }

  return {
    add(rows, failed) {
      done += rows
      failures += failed
      if (performance.now() - shown >= (out.isTTY ? drawMs : sayMs)) show()
    },
    end() {
      if (out.isTTY) {
        show()
        out.write('\n')
      }
    },
  }
}

export function barOf(done: number, total: number, width: number): string {
  const full = total === 0 ? width : Math.min(width, Math.floor((done / total) * width))
  return `[${'█'.repeat(full)}${'░'.repeat(width - full)}]`
}

export function lineOf({
  done,
  total,
  failures,
  seconds,
}: {
  done: number
  total: number
  failures: number
  seconds: number
}): string {
  const number = (value: number) => value.toLocaleString('en-US')
  const rate = seconds > 0 ? done / seconds : 0
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
  const left = rate > 0 && done < total ? `, ${Math.ceil((total - done) / rate)} s left` : ''
  const failed = failures > 0 ? `, ${number(failures)} failed` : ''
  return `${number(done)}/${number(total)} ${percent}%, ${number(Math.round(rate))} rows/s${left}${failed}`
}
