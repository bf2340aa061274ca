import type { Cpu } from './cpu.ts'
import type { KeptFigure } from './kept.ts'
import type { Row, Yardstick } from './rows.ts'

/** `ms` has the time of every call. */
export type Measured = { perSecond: number; ms: number[] }

/** A round of ours and a round of theirs, one after the other; `cpu`: what ours took of the processors. */
export type Round = { ours: Measured; theirs: Measured; cpu: Cpu | null }

type Figures = { perSecond: number; p50: number; p99: number }

export type Outcome = {
  row: string
  against: Yardstick
  ours: Figures
  theirs: Figures
  /** The median of the rounds, with the lowest and the highest: how much to believe it. */
  ratio: { median: number; least: number; most: number }
  figure: 'perSecond' | 'p50' | 'p99'
  memoryMb: number
  /** Microseconds of a processor for each request. */
  cpu: Cpu | null
  targets: { text: string; reached: boolean }[]
}

export function outcomeOf(row: Row, rounds: Round[], memoryMb: number): Outcome {
  const { name, against, figure = 'perSecond' } = row
  const ratios = sorted(rounds.map(({ ours, theirs }) => figuresOf([ours])[figure] / figuresOf([theirs])[figure]))
  const ratio = { median: at(ratios, 0.5), least: at(ratios, 0), most: at(ratios, 1) }
  return {
    row: name,
    against,
    ours: figuresOf(rounds.map(({ ours }) => ours)),
    theirs: figuresOf(rounds.map(({ theirs }) => theirs)),
    ratio,
    figure,
    memoryMb,
    cpu: cpuOfRequests(rounds),
    targets: targetsOf(row, ratio.median, memoryMb),
  }
}

function targetsOf({ atLeast, atMost, atMostMb }: Row, ratio: number, memoryMb: number): Outcome['targets'] {
  return [
    ...(atLeast === undefined ? [] : [{ text: `≥ ${atLeast.toFixed(2)}`, reached: ratio >= atLeast }]),
    ...(atMost === undefined ? [] : [{ text: `≤ ${atMost.toFixed(2)}`, reached: ratio <= atMost }]),
    ...(atMostMb === undefined ? [] : [{ text: `≤ ${atMostMb} MB`, reached: memoryMb <= atMostMb }]),
  ]
}

function cpuOfRequests(rounds: Round[]): Cpu | null {
  const each = rounds.flatMap(({ ours, cpu }) =>
    cpu && ours.ms.length > 0
      ? [{ node: (1000 * cpu.node) / ours.ms.length, postgres: (1000 * cpu.postgres) / ours.ms.length }]
      : [],
  )
  if (each.length === 0) return null
  return {
    node: at(sorted(each.map(({ node }) => node)), 0.5),
    postgres: at(sorted(each.map(({ postgres }) => postgres)), 0.5),
  }
}

/** In Markdown, so that it can be pasted where it is wanted. `kept`: what the rows came to when figures were last kept. */
export function tableOf(outcomes: Outcome[], kept: Record<string, KeptFigure>): string {
  const heads = [
    'row',
    'against',
    'requests/s',
    'theirs',
    'ratio',
    'p50 ms',
    'theirs',
    'p99 ms',
    'theirs',
    'memory',
    'CPU of Node + PostgreSQL, µs',
    'kept: ratio, CPU',
    'target',
  ]
  const lines = [heads, ...outcomes.map((outcome) => cellsOf(outcome, kept[outcome.row]))]
  const widths = heads.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const [head, ...body] = lines.map(
    (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  )
  return `${[head, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body].join('\n')}\n`
}

function cellsOf(
  { row, against, ours, theirs, ratio, figure, memoryMb, cpu, targets }: Outcome,
  kept: KeptFigure | undefined,
): string[] {
  const share = `${figure === 'perSecond' ? '' : `${figure} `}${ratio.median.toFixed(2)} (${ratio.least.toFixed(2)}–${ratio.most.toFixed(2)})`
  return [
    ...[row, against, ours.perSecond.toFixed(0), theirs.perSecond.toFixed(0), share],
    ...[ours.p50, theirs.p50, ours.p99, theirs.p99].map((ms) => ms.toFixed(1)),
    memoryMb > 0 ? `${memoryMb} MB` : '?',
    cpu ? `${cpu.node.toFixed(0)} + ${cpu.postgres.toFixed(0)}` : '',
    kept ? `${kept.ratio.toFixed(2)}, ${kept.node_us ?? '?'} + ${kept.postgres_us ?? '?'}` : '',
    targets.map(({ text, reached }) => `${reached ? 'pass' : 'MISS'} (${text})`).join(', '),
  ]
}

function figuresOf(measured: Measured[]): Figures {
  const ms = sorted(measured.flatMap((round) => round.ms))
  return { perSecond: at(sorted(measured.map(({ perSecond }) => perSecond)), 0.5), p50: at(ms, 0.5), p99: at(ms, 0.99) }
}

function sorted(numbers: number[]): number[] {
  return numbers.toSorted((a, b) => a - b)
}

/** The value that this share of the sorted values does not exceed. */
function at(numbers: number[], share: number): number {
  return numbers[Math.max(0, Math.ceil(numbers.length * share) - 1)] ?? 0
}
