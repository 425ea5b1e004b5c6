import { memo } from 'react'
import type { Atrium } from '../plan/atrium.ts'

interface AtriumDrawingProps {
  width: number
  height: number
  drawing: Atrium['drawing']
  /** The person is the only member: furniture makes way for the invitation of others. */
  isAlone: boolean
}

/** What stands in the atrium: nothing of it changes with the people there. */
export const AtriumDrawing = memo(function AtriumDrawing({
  width,
  height,
  drawing,
  isAlone,
}: AtriumDrawingProps) {
  const shown = isAlone ? 1 : Number.POSITIVE_INFINITY
  const sofas = drawing.sofas.slice(0, shown)
  const plants = drawing.plants.slice(0, shown)
  return (
    <svg className="drawing" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
      <path className="drawing-mat" d={drawing.mat} />
      <path className="drawing-steps" d={drawing.steps} />
      {!isAlone && <path className="drawing-quiet" d={drawing.rug} />}
      <path className="drawing-tables" d={sofas.map(({ seat }) => seat).join('')} />
      <path d={sofas.map(({ back }) => back).join('')} />
      <path className="drawing-pots" d={plants.map(({ pot }) => pot).join('')} />
      <path className="drawing-plants" d={plants.map(({ crown }) => crown).join('')} />
    </svg>
  )
})
