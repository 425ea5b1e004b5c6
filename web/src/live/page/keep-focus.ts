/** What can have the focus. */
const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'
const HEADING = 'h1, h2, h3'
const WATCHED = { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] }
/** So often it is looked for, every other frame. */
const TRIES = 30

/** Where the focus was, and what was around it, from within. */
interface Place {
  element: Element
  around: readonly { element: Element; at: number }[]
}

/**
 * Keeps the focus on the page where what had it goes: the row that was deleted, the button that has done its work, what
 * opened a dialog and is gone when that closes. It goes to the next row, else to the heading of what was around it. The
 * browser itself would forget where one was.
 * @returns what ends it
 */
export function keepFocus(main: HTMLElement): () => void {
  let place: Place | undefined
  let looks: number | undefined
  let tries = 0
  const look = () => {
    looks = undefined
    if (!place || !isNowhere(main.ownerDocument)) return
    const next = nextOf(place)
    if (next instanceof HTMLElement) focus(next)
    // below a dialog that is about to go nothing takes the focus yet
    tries += 1
    if (isNowhere(main.ownerDocument) && tries < TRIES) lookSoon()
  }
  // a dialog gives the focus back one frame after it has closed
  function lookSoon() {
    looks ??= requestAnimationFrame(() => {
      looks = requestAnimationFrame(look)
    })
  }
  const inside = new MutationObserver(lookSoon)
  const onFocus = ({ target }: FocusEvent) => {
    tries = 0
    if (!(target instanceof Element) || !main.contains(target)) return
    place = target === main ? undefined : placeOf(target, main)
    inside.disconnect()
    if (place) inside.observe(main, WATCHED)
  }
  const onBlur = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null || target !== place?.element || !document.hasFocus()) return
    const left = place
    // a press on nothing is meant so; what opens above the page makes it inert, and what is taken away is there still
    queueMicrotask(() => {
      if (place === left && isUsable(left.element) && !left.element.closest('[inert]')) place = undefined
    })
  }
  // overlays stand beside the page
  const beside = new MutationObserver(lookSoon)
  beside.observe(document.body, { childList: true })
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', onBlur)
  return () => {
    if (looks !== undefined) cancelAnimationFrame(looks)
    for (const observer of [inside, beside]) observer.disconnect()
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', onBlur)
  }
}

function isNowhere({ activeElement, body }: Document): boolean {
  return activeElement === null || activeElement === body
}

function isUsable(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled')
}

function placeOf(element: Element, main: Element): Place {
  const around: { element: Element; at: number }[] = []
  for (let one = element; one !== main && one.parentElement; one = one.parentElement)
    around.push({ element: one.parentElement, at: [...one.parentElement.children].indexOf(one) })
  return { element, around }
}

function nextOf({ element, around }: Place): Element | undefined {
  if (isUsable(element)) return element
  for (const { element: outer, at } of around.filter((one) => one.element.isConnected)) {
    const next = outer.matches('ul, ol, tbody') ? inRow(outer, at) : outer.querySelector(HEADING)
    if (next) return next
  }
  return undefined
}

/** The row that has come to the place of the one before, else the last one. */
function inRow(list: Element, at: number): Element | undefined {
  const row = list.children[Math.min(at, list.children.length - 1)]
  return row?.querySelector(FOCUSABLE) ?? undefined
}

function focus(element: HTMLElement): void {
  const isHeading = !element.matches(FOCUSABLE)
  if (isHeading) element.tabIndex = -1
  // below a list that grows its heading is far above
  element.focus({ preventScroll: isHeading })
}
