import { type RefObject, useEffect, useState } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { useFloorWords } from '../../../words/floor.ts'
import type { Building } from '../../plan/building.ts'
import { useOnFloor } from '../../state/use-floor.ts'
import { pixelsOfUnit } from '../lengths.ts'
import './below-fold.css'

/** The bar of the screens, the chip itself, and the name of a room: what is lower is not seen. */
const COVERED = 144
const NAMED_MOST = 2
/** A finger that scrolls draws the chip anew in these steps. */
const STEP = 24

/** In a narrow window: names the occupied rooms that are further down; a press scrolls to the first of them. */
export function BelowFold({ plan, building }: { plan: RefObject<HTMLElement | null>; building: Building }) {
  const words = useFloorWords()
  const end = useSeenEnd(plan)
  const rooms = useOnFloor((state) => state.rooms)
  const below = rooms.filter(({ room, people }) => {
    const cell = building.cells.find((one) => one.room.id === room.id)
    return people.length > 0 && cell !== undefined && cell.y > end
  })
  const [first] = below
  if (!first) return null
  const named = below.slice(0, NAMED_MOST)
  const more = below.length - named.length
  const show = () => {
    const place = plan.current?.querySelector<HTMLElement>(`[data-place="${CSS.escape(first.room.id)}"]`)
    place?.scrollIntoView({ block: 'center' })
    place?.focus({ preventScroll: true })
  }
  return (
    <button
      type="button"
      className="below-fold"
      aria-label={words.below(
        named.map(({ room, people }) => `${room.name}, ${people.length}`),
        more,
      )}
      onClick={show}
    >
      <Icon name="down" size={18} />
      {named.map(({ room, people }) => (
        <span key={room.id} className="below-fold-room">
          <span>{room.name}</span> <strong>{people.length}</strong>
        </span>
      ))}
      {more > 0 && <span>{words.more(more)}</span>}
    </button>
  )
}

/** How far down the plan is seen, in its units. */
function useSeenEnd(plan: RefObject<HTMLElement | null>): number {
  const [end, setEnd] = useState(Number.POSITIVE_INFINITY)
  useEffect(() => {
    const look = () => {
      const top = plan.current?.getBoundingClientRect().top ?? 0
      setEnd(Math.floor(((window.innerHeight - top) / pixelsOfUnit() - COVERED) / STEP) * STEP)
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    return () => {
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
    }
  }, [plan])
  return end
}
