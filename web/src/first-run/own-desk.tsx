import type { Cell } from '../floor/plan/building.ts'
import { furnish } from '../floor/plan/furniture/furnish.ts'
import { RoomPicture } from '../floor/plan-picture/room-picture.tsx'
import { lengths } from '../floor/plan-view/lengths.ts'
import { Lights } from '../floor/plan-view/walls-drawing.tsx'
import { useFirstRunWords } from '../words/first-run.ts'
import type { OwnFace } from './own-face.ts'
import '../floor/plan-view/plan.css'
import '../floor/plan-view/room.css'
import '../floor/plan-view/face.css'
import '../floor/plan-picture/plan-picture.css'

const SIZE = { width: 180, height: 156 }
const CELL: Cell = {
  ...{ x: 0, y: 0, ...SIZE, side: 'down', hasWindows: true },
  room: { id: 'desk', kind: 'desk', seats: 1 },
  door: { at: 146, width: 30 },
}
const FURNITURE = furnish(CELL)
const WINDOW = 'M54 0h64'
const WALLS = `M131 ${SIZE.height}H0V0H${SIZE.width}V${SIZE.height}H161`

/** A room of one's own, with the face and the name that colleagues will see. */
export function OwnDesk({ face }: { face: OwnFace }) {
  const words = useFirstRunWords()
  const [first = ''] = face.name.trim().split(/\s+/u)
  const style = lengths({ 'plan-width': SIZE.width, 'plan-height': SIZE.height })
  return (
    <figure className="own-desk">
      <div className="plan plan-picture" style={style}>
        <RoomPicture cell={CELL} furniture={FURNITURE} people={[{ ...face, name: first }]}>
          <h3>{first ? words.deskOf(first) : words.yourDesk}</h3>
        </RoomPicture>
        <svg className="walls" viewBox={`-8 -8 ${SIZE.width + 16} ${SIZE.height + 16}`} aria-hidden="true">
          <Lights />
          <path className="walls-outer" d={WALLS} />
          <path className="walls-frame" d={WINDOW} />
          <path className="walls-glass" d={WINDOW} />
        </svg>
      </div>
      <figcaption>{words.seenSo}</figcaption>
    </figure>
  )
}
