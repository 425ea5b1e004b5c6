import type { ReceivedEvent } from '@atrium/client/realtime'
import type { PersonInRoom } from '@atrium/client/rooms'
import type { Page } from 'playwright-core'

/** How somebody is in a room, as far as others can tell. */
export interface Shown {
  microphone: boolean
  camera: boolean
  screen: boolean
  hand: boolean
}
export type Switch = keyof Shown

/** By the names of people. */
export type ShownPeople = Record<string, Shown>

/** What a page inside the room shows of the others. */
export async function seenInside(page: Page): Promise<ShownPeople> {
  return await page.evaluate(() => {
    const people: Record<string, { microphone: boolean; camera: boolean; screen: boolean; hand: boolean }> =
      {}
    for (const tile of document.querySelectorAll('.tile')) {
      const label = tile.querySelector('.tile-name-text')?.textContent ?? ''
      const isScreen = tile.matches('.tile-screen')
      const name = isScreen ? label.replace(/’s screen$/, '') : label
      people[name] ??= { microphone: false, camera: false, screen: false, hand: false }
      const person = people[name]
      if (isScreen) person.screen = true
      else {
        person.microphone = !tile.querySelector('.tile-name')?.textContent?.startsWith('muted')
        person.camera = tile.querySelector('video') !== null
        person.hand = tile.querySelector('.tile-hand') !== null
      }
    }
    return people
  })
}

/** What the floor says of the members in a room, in the words of a reader; of guests it has no names. */
export async function seenOnFloor(
  page: Page,
  room: string,
): Promise<{ people: ShownPeople; guests: number }> {
  const labels = await page
    .locator('.plan')
    .getByRole('region', { name: new RegExp(`^${room}`) })
    .locator('[data-face]')
    .evaluateAll((faces) => faces.map((face) => face.getAttribute('aria-label') ?? ''))
  const people = labels
    .map((label) => label.split(', '))
    .filter(([name]) => name !== 'guest')
    .map(([name = '', ...marks]): [string, Shown] => [
      name,
      {
        microphone: !marks.includes('muted'),
        camera: marks.includes('camera on'),
        screen: marks.includes('shares a screen'),
        hand: marks.includes('hand raised'),
      },
    ])
  return { people: Object.fromEntries(people), guests: labels.length - people.length }
}

/** What a list says. */
export function shownInList(people: readonly PersonInRoom[]): ShownPeople {
  return Object.fromEntries(people.map((one) => [one.displayName, shownOf(one)]))
}

const shownOf = ({ sound, camera, screen, hand }: Omit<PersonInRoom, 'displayName'>): Shown => ({
  microphone: sound === 'on',
  ...{ camera, screen, hand },
})

/** What events alone have said of people and guests, by their ids. */
export function heardOf(): { hear(event: ReceivedEvent): void; of(who: string): Partial<Shown> } {
  const heard = new Map<string, Partial<Shown>>()
  const add = (who: string, more: Partial<Shown>) => heard.set(who, { ...heard.get(who), ...more })
  return {
    hear({ type, data }) {
      if (type === 'room.activity')
        add(data.userId ?? data.guestIdentity ?? '', { microphone: data.sound === 'on', hand: data.hand })
      if (type === 'room.updated' && data.person) {
        const { userId, microphone, camera, screen } = data.person
        add(userId, { camera, screen, ...(microphone ? {} : { microphone }) })
      }
    },
    of: (who) => heard.get(who) ?? {},
  }
}
