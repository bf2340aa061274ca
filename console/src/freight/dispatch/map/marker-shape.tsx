import styles from './map.module.css'
import type { MarkerState } from './markers.ts'

/** A triangle is late, a disc under way, a square not: the shape says it to who does not see the colour. */
export function MarkerShape({ standing, size }: { standing: MarkerState; size: number }) {
  const shared = { className: styles.marker ?? '', 'data-standing': standing }
  if (standing === 'late')
    return <path {...shared} d={`M0 ${-size * 1.15}L${size * 1.1} ${size * 0.85}H${-size * 1.1}Z`} />
  if (standing === 'moving') return <circle {...shared} r={size} />
  return <rect {...shared} x={-size * 0.8} y={-size * 0.8} width={size * 1.6} height={size * 1.6} />
}
