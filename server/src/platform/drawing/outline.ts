export type Point = { x: number; y: number; isOnCurve: boolean }
type Edges = readonly number[]
type Outline = {
  points: readonly Point[] /** The last point of each contour. */
  ends: readonly number[]
  edges?: Edges
  program?: Buffer
}

/** A glyph as the table `glyf` of a TrueType file has it. */
export function outlineOf({ points, ends, edges = edgesOf(points), program = Buffer.alloc(0) }: Outline): Buffer {
  const head = Buffer.alloc(10 + ends.length * 2 + 2)
  head.writeInt16BE(ends.length, 0)
  for (const [n, edge] of edges.entries()) head.writeInt16BE(edge, 2 + n * 2)
  for (const [n, end] of ends.entries()) head.writeUInt16BE(end, 10 + n * 2)
  head.writeUInt16BE(program.length, 10 + ends.length * 2)
  return Buffer.concat([head, program, encoded(points)])
}

type Path = { commands: readonly { command: string; args: readonly number[] }[] }

/** The same of a glyph whose lines and curves are known: how one of a font with weights looks in one of them. */
export function outlineOfPath({ commands }: Path): Buffer {
  const points: Point[] = []
  const ends: number[] = []
  let first = 0
  const add = (x = 0, y = 0, isOnCurve = true) => points.push({ x: Math.round(x), y: Math.round(y), isOnCurve })
  for (const { command, args } of commands) {
    if (command === 'moveTo') {
      first = points.length
      add(args[0], args[1])
    } else if (command === 'lineTo') add(args[0], args[1])
    else if (command === 'quadraticCurveTo') {
      add(args[0], args[1], false)
      add(args[2], args[3])
    } else if (command === 'closePath') {
      const [begun, last] = [points[first], points.at(-1)]
      // A contour closes by itself: its first point is not written again.
      if (points.length - first > 1 && begun && last?.isOnCurve && begun.x === last.x && begun.y === last.y)
        points.pop()
      ends.push(points.length - 1)
    }
  }
  return points.length > 0 ? padToFour(outlineOf({ points, ends })) : Buffer.alloc(0)
}

/** To four bytes, at which the next one begins. */
export function padToFour(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
}

/** The points as TrueType has them: a flag for each, then the ways across, then those up, with two bytes where there is one. */
function encoded(points: readonly Point[]): Buffer {
  const out = Buffer.alloc(points.length * 5)
  let size = points.length
  const write = (axis: 'x' | 'y', same: number) => {
    let before = 0
    for (const [n, point] of points.entries()) {
      const way = point[axis] - before
      before = point[axis]
      if (way === 0) out[n] = (out[n] as number) | same
      else size = out.writeInt16BE(way, size)
    }
  }
  for (const [n, { isOnCurve }] of points.entries()) out[n] = isOnCurve ? 1 : 0
  write('x', 16)
  write('y', 32)
  return out.subarray(0, size)
}

function edgesOf(points: readonly Point[]): number[] {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}
