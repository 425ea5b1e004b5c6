import { type CSSProperties, type ReactNode, useRef, useState } from 'react'
import { useSize } from '../../ui/use-size.ts'
import { useRoomWords } from '../../words/room.ts'
import { useStageWords } from '../../words/stage.ts'
import type { Arrangement, Shown } from './arrangement.ts'
import { Tile, type TileLook } from './tile.tsx'
import { placeFor, tileGrid } from './tile-grid.ts'
import './stage.css'

export interface StageProps extends TileLook {
  arrangement: Arrangement
  /** The last card of the strip, where there is one. */
  door: ReactNode
}

const GRID = { gap: 12, narrowest: 144 }
const SCREEN_RATIO = 16 / 10
const CAMERA_RATIO = 16 / 9

/** Everybody in the room, and what they show. */
export function Stage({ arrangement: { large, tiles, self }, door, ...look }: StageProps) {
  return large ? (
    <div className="stage stage-with-large">
      <Large key={large.key} shown={large} {...look} />
      <div className="stage-strip">
        <People tiles={tiles} {...look} />
        {door}
      </div>
    </div>
  ) : (
    <div className="stage stage-alike">
      <Grid tiles={tiles} {...look} />
      {self && (
        <div className="stage-self">
          <Tile shown={self} {...look} />
        </div>
      )}
    </div>
  )
}

/** In the shape of what it shows, as large as there is room. */
function Large({ shown, ...look }: TileLook & { shown: Shown }) {
  const words = useRoomWords()
  const stage = useStageWords()
  const box = useRef<HTMLDivElement>(null)
  const size = useSize(box)
  const [ratio, setRatio] = useState(shown.what === 'screen' ? SCREEN_RATIO : CAMERA_RATIO)
  const { width, height } = placeFor(ratio, size)
  return (
    <section
      ref={box}
      className="stage-large"
      aria-label={words.large}
      style={{ '--shape': ratio } as CSSProperties}
    >
      <div className="stage-large-place" style={{ width, height }}>
        <Tile shown={shown} onShape={setRatio} {...look} />
      </div>
      {shown.what === 'screen' && <p className="stage-turn">{stage.turnPhone}</p>}
    </section>
  )
}

function Grid({ tiles, ...look }: TileLook & { tiles: readonly Shown[] }) {
  const box = useRef<HTMLDivElement>(null)
  const size = useSize(box)
  const { width, columns } = tileGrid(tiles.length, size, GRID)
  const fields = {
    '--tile-width': `${Math.floor(width * 100) / 100}px`,
    '--columns': columns,
  } as CSSProperties
  return (
    <div ref={box} className="stage-grid" style={fields}>
      <People tiles={tiles} {...look} />
    </div>
  )
}

function People({ tiles, ...look }: TileLook & { tiles: readonly Shown[] }) {
  const words = useRoomWords()
  return (
    <ul className="stage-tiles" aria-label={words.people}>
      {tiles.map((shown) => (
        <li key={shown.key} className="stage-place">
          <Tile shown={shown} {...look} />
        </li>
      ))}
    </ul>
  )
}
