import { type Direction, nearestPlace } from './nearest.ts'

/**
 * The plan has two stops for Tab: one of its places, and one of the people there. Arrows, letters and the pointer move
 * them. Which buttons those are stands in the page alone: nothing is rendered again for it.
 */
export interface PlanFocus {
  /** Puts the stops right after a rendering: a focused person keeps the focus, at whichever place they are now. */
  settle(): void
  /** Makes what has got the focus the stop of its kind. */
  follow(target: Element): void
  /** The focus has gone elsewhere. */
  forget(target: Element): void
  /** @returns whether something else has the focus now */
  toPlace(from: HTMLElement, direction: Direction | 'first' | 'last'): boolean
  toFace(from: HTMLElement, direction: Direction | 'first' | 'last'): boolean
  /** From the people of a place back to its name. */
  leave(face: HTMLElement): void
  /** To whatever is called so, after what has the focus. */
  find(from: HTMLElement, text: string): void
}

const PLACE = '[data-place]'
const FACE = '[data-face]'
/** What a place and its people stand in. */
const AREA = '[data-room], [data-zone], .plot'

/** The stops of one plan, for the functions below. */
interface Stops {
  readonly root: HTMLElement
  placeId: string | undefined
  /** What Tab stops at. */
  stops: readonly HTMLElement[]
  lastFace: HTMLElement | undefined
  focused: HTMLElement | undefined
}

export function createPlanFocus(root: HTMLElement): PlanFocus {
  const stops: Stops = { root, placeId: undefined, stops: [], lastFace: undefined, focused: undefined }
  return {
    settle: () => settle(stops),
    follow: (target) => follow(stops, target),
    forget(target) {
      // what was taken away while it had the focus is looked for again
      if (target.isConnected) stops.focused = undefined
    },
    toPlace: (from, direction) => move(placesOf(root), from, direction),
    toFace(from, direction) {
      const faces = facesOf(from)
      // in reading order, not by where they sit
      if (direction === 'first' || direction === 'last') return move(faces, from, direction)
      const step = direction === 'right' || direction === 'down' ? 1 : -1
      const target = faces[faces.indexOf(from) + step]
      target?.focus()
      return target !== undefined
    },
    leave: (face) => face.closest(AREA)?.querySelector<HTMLElement>(PLACE)?.focus(),
    find(from, text) {
      const all = [...root.querySelectorAll<HTMLElement>(`${PLACE}, ${FACE}`)]
      const after = [...all.slice(all.indexOf(from) + 1), ...all.slice(0, all.indexOf(from) + 1)]
      after.find((one) => isCalled(one, text))?.focus()
    },
  }
}

function settle(plan: Stops): void {
  const all = placesOf(plan.root)
  // the first one is not kept: what stands there before the rooms are read is no place to begin
  const place = all.find((one) => one.dataset.place === plan.placeId) ?? all[0]
  const faces = facesOf(place)
  const face = faces.find((one) => one.dataset.face === plan.lastFace?.dataset.face) ?? faces[0]
  const next = [place, face].filter((one) => one !== undefined)
  for (const one of plan.stops) if (!next.includes(one)) one.tabIndex = -1
  for (const one of next) one.tabIndex = 0
  plan.stops = next
  keepFocus(plan, place)
}

/** Moves the focus along with a person who has moved; to the place where the person is gone. */
function keepFocus(plan: Stops, place: HTMLElement | undefined): void {
  const { root, focused } = plan
  if (!focused || focused.isConnected) return
  const { face = '' } = focused.dataset
  plan.focused = undefined
  if (document.activeElement !== document.body && document.activeElement !== null) return
  const again = root.querySelector<HTMLElement>(`[data-face="${CSS.escape(face)}"]`)
  ;(again ?? place)?.focus()
}

function follow(plan: Stops, target: Element): void {
  const place = target.closest(AREA)?.querySelector<HTMLElement>(PLACE)
  plan.placeId = place?.dataset.place ?? plan.placeId
  plan.focused = target instanceof HTMLElement && target.matches(FACE) ? target : undefined
  plan.lastFace = plan.focused ?? plan.lastFace
  settle(plan)
}

/** @returns whether something else has the focus now */
function move(all: HTMLElement[], from: HTMLElement, direction: Direction | 'first' | 'last'): boolean {
  const at = all.indexOf(from)
  const next =
    direction === 'first'
      ? 0
      : direction === 'last'
        ? all.length - 1
        : nearestPlace(all.map(middleOf), at, direction)
  const target = next === undefined ? undefined : all[next]
  target?.focus()
  return target !== undefined
}

function placesOf(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(PLACE)]
}

function facesOf(place: Element | null | undefined): HTMLElement[] {
  const area = place?.closest(AREA)
  const faces = [...(area?.querySelectorAll<HTMLElement>(FACE) ?? [])]
  // a table stands in the atrium, and is a place of its own
  return faces.filter((face) => face.closest(AREA) === area)
}

function middleOf(place: HTMLElement): { x: number; y: number } {
  // parts of the atrium lie above each other: each is where its name stands
  const area = place.closest<HTMLElement>(AREA)
  const { left, top, width, height } = (
    area?.dataset.zone === undefined ? (area ?? place) : place
  ).getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}

/** Whether a person's first or last name begins with the text; of a place, its whole name. */
function isCalled(element: HTMLElement, text: string): boolean {
  const said = element.getAttribute('aria-label') ?? element.textContent ?? ''
  const name = (said.split(',')[0] ?? '').trim().toLocaleLowerCase()
  if (element.matches(PLACE)) return name.startsWith(text)
  return name.split(/\s+/u).some((_, at, words) => words.slice(at).join(' ').startsWith(text))
}
