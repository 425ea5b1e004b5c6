import { type RefObject, useEffect, useRef } from 'react'
import type { Direction } from './nearest.ts'
import { createPlanFocus, type PlanFocus } from './plan-focus.ts'

/** What one can do on the plan. */
export interface PlanActions {
  goIn(roomId: string): void
  /** @param isAsked by a key, and not because the pointer rests there */
  showRoom(roomId: string, isAsked: boolean): void
  /** The pointer has gone. */
  hideRoom(): void
  closeRoom(): void
  /** Something is open that belongs to what is shown of a room: it stays, wherever the pointer goes. */
  keepRoom(isKept: boolean): void
  showPerson(id: string, anchor: HTMLElement): void
  talk(id: string): void
  write(id: string): void
  build(plotId: string): void
  /** Shows the people of a place who have no seat there. */
  showMore(place: string): void
}

/** How long the pointer rests on a room until more is shown of it, and until that goes. */
const REST_MS = 400
const LEAVE_MS = 200
/** Letters that follow each other are one name. */
const SPELL_MS = 700

const DIRECTIONS: Readonly<Record<string, Direction | 'first' | 'last'>> = {
  ...{ ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' },
  ...{ Home: 'first', End: 'last' },
}

/** Hears for all of the plan what is pressed, pointed at and typed on it. */
export function usePlanEvents(root: RefObject<HTMLElement | null>, actions: PlanActions): void {
  const current = useRef(actions)
  current.current = actions
  useEffect(() => {
    const element = root.current
    if (!element) return undefined
    const focus = createPlanFocus(element)
    focus.settle()
    const ends = [
      watchPlan(element, focus.settle),
      listen(element, 'focusin', ({ target }) => target instanceof Element && focus.follow(target)),
      listen(element, 'focusout', ({ target }) => target instanceof Element && focus.forget(target)),
      listen(element, 'click', ({ target }) => press(target as Element, current.current)),
      listen(element, 'keydown', createKeys(focus, current)),
      // a button is pressed when the space bar is let go
      listen(element, 'keyup', (event) => {
        if (event.key === ' ' && (event.target as Element).matches('[data-place]')) event.preventDefault()
      }),
      watchPointer(element, current),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [root])
}

function listen<Name extends keyof HTMLElementEventMap>(
  element: HTMLElement,
  name: Name,
  hear: (event: HTMLElementEventMap[Name]) => void,
): () => void {
  element.addEventListener(name, hear)
  return () => element.removeEventListener(name, hear)
}

function watchPlan(element: HTMLElement, onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(element, { childList: true, subtree: true })
  return () => observer.disconnect()
}

function press(target: Element, actions: PlanActions): void {
  const button = target.closest<HTMLElement>('button')
  const { more, face, plot, place = '' } = button?.dataset ?? {}
  const room = target.closest<HTMLElement>('[data-room]')?.dataset.room
  if (more !== undefined) actions.showMore(more)
  else if (button && face !== undefined) actions.showPerson(face, button)
  else if (plot !== undefined) actions.build(plot)
  else if (place.startsWith('zone-'))
    button?.closest('[data-zone]')?.querySelector<HTMLElement>('[data-face]')?.focus()
  // names are beside the faces, and no way in
  else if (room !== undefined && !target.closest('.face')) actions.goIn(room)
}

function createKeys(focus: PlanFocus, actions: { current: PlanActions }): (event: KeyboardEvent) => void {
  const spell = createSpelling()
  return (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (!(target instanceof HTMLElement) || ctrlKey || metaKey || altKey) return
    const isPlace = target.matches('[data-place]')
    if (!isPlace && !target.matches('[data-face]')) return
    const direction = DIRECTIONS[key]
    const done = () => event.preventDefault()
    if (direction) {
      done()
      if (isPlace) focus.toPlace(target, direction)
      else focus.toFace(target, direction)
      return
    }
    if (isPlace) {
      if (key === ' ') {
        done()
        const room = target.closest<HTMLElement>('[data-room]')?.dataset.room
        if (room === undefined) target.click()
        else actions.current.showRoom(room, true)
      } else if (isLetter(key)) focus.find(target, spell(key))
      return
    }
    const { face = '' } = target.dataset
    if (key === 'Escape') focus.leave(target)
    else if (key === 't') actions.current.talk(face)
    else if (key === 'w') actions.current.write(face)
  }
}

function isLetter(key: string): boolean {
  return [...key].length === 1 && /[\p{L}\p{N}]/u.test(key)
}

/** @returns what was typed since the last pause */
function createSpelling(): (letter: string) => string {
  let text = ''
  let last = 0
  return (letter) => {
    const now = performance.now()
    text = now - last > SPELL_MS ? '' : text
    last = now
    text += letter.toLocaleLowerCase()
    return text
  }
}

/** Shows more of the room that the pointer rests on. At a face it does not: there the person is of interest. */
function watchPointer(element: HTMLElement, actions: { current: PlanActions }): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let pointed: string | undefined
  const wait = (ms: number, work: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(work, ms)
  }
  const look = ({ target, pointerType }: PointerEvent) => {
    if (pointerType === 'touch' || !(target instanceof Element)) return
    if (target.closest('.room-about')) return clearTimeout(timer)
    const room = target.closest('.face')
      ? undefined
      : target.closest<HTMLElement>('[data-room]')?.dataset.room
    if (room === pointed && room !== undefined) return
    pointed = room
    if (room === undefined) return wait(LEAVE_MS, () => actions.current.hideRoom())
    wait(REST_MS, () => actions.current.showRoom(room, false))
  }
  // a plan that appears under a pointer at rest is not pointed at, though the browser says that it moved there, by nothing
  let hasMoved = false
  const ends = [
    listen(element, 'pointerover', (event) => hasMoved && look(event)),
    listen(element, 'pointermove', (event) => {
      if (hasMoved || (event.movementX === 0 && event.movementY === 0)) return
      hasMoved = true
      look(event)
    }),
    listen(element, 'pointerleave', ({ pointerType }) => {
      if (pointerType === 'touch') return
      pointed = undefined
      wait(LEAVE_MS, () => actions.current.hideRoom())
    }),
    // a press is a decision: no more hints
    listen(element, 'pointerdown', () => clearTimeout(timer)),
  ]
  return () => {
    clearTimeout(timer)
    for (const end of ends) end()
  }
}
