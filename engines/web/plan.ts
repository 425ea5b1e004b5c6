import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { WebPerson } from './people.ts'
import type { WebOffice } from './visitor.ts'

/** The name of a room on the plan: a press goes in. */
export function roomOnPlan(page: Page, name: string): Locator {
  return page.locator('.plan').getByRole('button', { name, exact: true })
}

/** Somebody on the plan, and no table of theirs. @param name as a reader hears it, with what they are at */
export function faceOnPlan(page: Page, name: string | RegExp): Locator {
  return page.locator('.plan').getByRole('button', { name }).and(page.locator('[data-face]'))
}

/** Moves the pointer to a place as a hand does, in more than one step: the first move on a page is by nothing to a browser. */
export async function pointAt(place: Locator): Promise<void> {
  await place.hover({ position: { x: 4, y: 4 } })
  await place.hover()
}

/** Before a page is opened: whoever looks has chosen the list. */
export async function preferList(page: Page): Promise<void> {
  await page.addInitScript(() =>
    localStorage.setItem('atrium-preferences', JSON.stringify({ floorView: 'list' })),
  )
}

/** What of the plan was touched since, in the page: which rooms, how many faces came into them and went. */
export interface Touched {
  rooms: string[]
  zones: string[]
  added: number
  removed: number
  /** Anything of the plan outside of rooms and zones. */
  elsewhere: string[]
}

/** Watches what changes on the plan. @returns what says so */
export async function watchPlan(page: Page): Promise<() => Promise<Touched>> {
  await page.evaluate(startWatching)
  return () => page.evaluate(() => (globalThis as unknown as { touched(): Touched }).touched())
}

/** In the page. */
function startWatching(): void {
  const records: MutationRecord[] = []
  const watched = document.querySelector('.plan')
  if (!watched) throw new Error('there is no plan')
  // tab stops are set by reference, and touch no layout
  const attributeFilter = ['class', 'style', 'aria-label', 'd']
  const observer = new MutationObserver((more) => records.push(...more))
  observer.observe(watched, {
    ...{ subtree: true, childList: true, attributes: true, characterData: true, attributeFilter },
  })
  const elementOf = (node: Node) => (node instanceof Element ? node : node.parentElement)
  const touched = (): Touched => {
    // what is kept of every change would grow with them
    observer.disconnect()
    const all: Touched = { rooms: [], zones: [], added: 0, removed: 0, elsewhere: [] }
    const faces = (nodes: NodeList) =>
      [...nodes].reduce((sum, node) => {
        if (!(node instanceof Element)) return sum
        return sum + (node.matches('.face') ? 1 : node.querySelectorAll('.face').length)
      }, 0)
    for (const { target, addedNodes, removedNodes } of records) {
      const area = elementOf(target)?.closest<HTMLElement>('[data-room], [data-zone]')
      const { room, zone } = area?.dataset ?? {}
      if (room !== undefined) {
        all.rooms.push(room)
        all.added += faces(addedNodes)
        all.removed += faces(removedNodes)
      } else if (zone !== undefined) all.zones.push(zone)
      else all.elsewhere.push(elementOf(target)?.className.toString() ?? '')
    }
    return { ...all, rooms: [...new Set(all.rooms)], zones: [...new Set(all.zones)] }
  }
  Object.assign(globalThis, { touched })
}

/** Into a room, by the stand-in of the media server: no browser is needed for it. */
export async function joinUnseen(
  { url }: Pick<WebOffice, 'url'>,
  { client, name }: WebPerson,
  roomId: string,
): Promise<void> {
  const { token } = await client.call('authorizeRoom', { username: name, roomId })
  await actAtMedia(url, 'join', { token })
}

/** And out of it. */
export async function leaveUnseen(
  { url }: Pick<WebOffice, 'url'>,
  { client }: WebPerson,
  roomId: string,
): Promise<void> {
  const { id: identity } = await client.call('getCurrentUser')
  await actAtMedia(url, 'leave', { room: roomId, identity })
}

async function actAtMedia(url: string, act: string, body: object): Promise<void> {
  const answer = await fetch(`${url}/sandbox/media/${act}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 200)
}
