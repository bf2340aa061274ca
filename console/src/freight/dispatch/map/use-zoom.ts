import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'

export type Zoom = { scale: number; x: number; y: number }

const all: Zoom = { scale: 1, x: 0, y: 0 }
const most = 24

/** Zooming with the wheel and with buttons, and dragging, of a drawing of this size. */
export function useZoom(width: number, height: number) {
  const [zoom, setZoom] = useState(all)
  const ref = useRef<SVGSVGElement>(null)
  const held = useRef<{ id: number; x: number; y: number } | null>(null)
  const around = (factor: number, x: number, y: number) =>
    setZoom((before) => {
      const scale = Math.min(most, Math.max(1, before.scale * factor))
      const by = scale / before.scale
      return within({ scale, x: x - (x - before.x) * by, y: y - (y - before.y) * by }, width, height)
    })
  const wheel = useRef(around)
  wheel.current = around
  // React listens to the wheel in a way that cannot keep the page from scrolling.
  useEffect(() => {
    const drawing = ref.current
    if (!drawing) return
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const { x, y } = pointIn(drawing, event, width, height)
      wheel.current(2 ** (-event.deltaY / 200), x, y)
    }
    drawing.addEventListener('wheel', onWheel, { passive: false })
    return () => drawing.removeEventListener('wheel', onWheel)
  }, [width, height])
  return {
    zoom,
    ref,
    by: (factor: number) => around(factor, width / 2, height / 2),
    reset: () => setZoom(all),
    handlers: handlersOf(ref, held, setZoom, width, height),
  }
}

type Held = RefObject<{ id: number; x: number; y: number } | null>
type Set = (change: (before: Zoom) => Zoom) => void

function handlersOf(ref: RefObject<SVGSVGElement | null>, held: Held, setZoom: Set, width: number, height: number) {
  const release = () => {
    held.current = null
  }
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button === 0) held.current = { id: event.pointerId, x: event.clientX, y: event.clientY }
    },
    onPointerMove({ pointerId, clientX, clientY }: PointerEvent) {
      const from = held.current
      if (!from || from.id !== pointerId || !ref.current) return
      const scale = width / ref.current.getBoundingClientRect().width
      held.current = { id: pointerId, x: clientX, y: clientY }
      setZoom((before) =>
        within(
          { ...before, x: before.x + (clientX - from.x) * scale, y: before.y + (clientY - from.y) * scale },
          width,
          height,
        ),
      )
    },
    onPointerUp: release,
    onPointerLeave: release,
  }
}

/** A point of the screen as one of the drawing. */
function pointIn(drawing: SVGSVGElement, { clientX, clientY }: MouseEvent, width: number, height: number) {
  const box = drawing.getBoundingClientRect()
  return { x: ((clientX - box.left) / box.width) * width, y: ((clientY - box.top) / box.height) * height }
}

/** What is in the middle stays on the drawing. */
function within({ scale, x, y }: Zoom, width: number, height: number): Zoom {
  const kept = (value: number, size: number) => Math.min(size / 2, Math.max(size / 2 - size * scale, value))
  return { scale, x: kept(x, width), y: kept(y, height) }
}
