import type { PointerEvent, RefObject } from 'react'
import { type Corner, cornerAt } from './corner.ts'

/** Lets something follow the pointer, without a rendering, and rest in the nearest corner. @returns what begins it, unless a control is pressed */
export function useDragging(
  element: RefObject<HTMLElement | null>,
  onCorner: (corner: Corner) => void,
): (event: PointerEvent) => void {
  return ({ button, clientX, clientY, target }) => {
    const dragged = element.current
    // of a menu that it has opened React tells it too
    const isGrasped = dragged?.contains(target as Node) === true && !(target as Element).closest('a, button')
    if (button !== 0 || !dragged || !isGrasped) return
    const over = new AbortController()
    const end = () => {
      over.abort()
      dragged.style.removeProperty('translate')
    }
    const move = (event: globalThis.PointerEvent) =>
      dragged.style.setProperty('translate', `${event.clientX - clientX}px ${event.clientY - clientY}px`)
    const drop = () => {
      const { left, top, width, height } = dragged.getBoundingClientRect()
      end()
      const middle = { x: left + width / 2, y: top + height / 2 }
      onCorner(cornerAt(middle, { width: innerWidth, height: innerHeight }))
    }
    addEventListener('pointermove', move, { signal: over.signal })
    addEventListener('pointerup', drop, { signal: over.signal })
    addEventListener('pointercancel', end, { signal: over.signal })
  }
}
