import type { Page } from 'playwright-core'
import { inviteTokenOf, newPerson, type WebPerson } from '../web/people.ts'
import { PHONE } from '../web/visitor.ts'
import type { Device, Machine } from './device.ts'

/** Ada at her laptop and by phone, and Bob; with their conversation and a room. */
export interface Cast {
  ada: WebPerson
  bob: WebPerson
  bobId: string
  adaId: string
  roomId: string
  conversationId: number
  devices: readonly [laptop: Device, desk: Device, phone: Device]
  storing: Storing
}

/** How the browsers of a day are: with all they have, without IndexedDB, or with a store that is full. */
export type Storing = 'whole' | 'none' | 'full'

export async function openCast(url: string, machines: readonly Machine[], storing: Storing): Promise<Cast> {
  const ada = await newPerson({ url }, 'Ada Lovelace', { found: 'Analytical Laptops' })
  const bob = await newPerson({ url }, 'Bob Noyce', { inviteToken: await inviteTokenOf(ada) })
  const [adaId, bobId] = [await idOf(ada), await idOf(bob)]
  const { room } = await ada.client.call('createRoom', { name: 'Meeting' })
  const conversationId = await openConversation(url, ada, bobId)
  const open = async (
    name: string,
    place: number,
    person: WebPerson,
    viewport = { width: 1280, height: 800 },
  ) => {
    const machine = machines[place] as Machine
    const context = await machine.browser.newContext({
      viewport,
      baseURL: url,
      reducedMotion: 'reduce',
      locale: 'en-GB',
    })
    await context.addInitScript(atWake)
    if (storing !== 'whole') await context.addInitScript(withoutStore, storing)
    await (place === 2 ? await person.signInAgain() : person).enter({ context })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(`/chat/${conversationId}`)
    await fieldOf(page).waitFor()
    return { name, machine, context, page }
  }
  const laptop = await open('the laptop', 0, ada)
  const desk = await open('Bob’s desk', 1, bob)
  const phone = await open('the phone', 2, ada, PHONE)
  return { ada, bob, adaId, bobId, roomId: room.id, conversationId, devices: [laptop, desk, phone], storing }
}

export const fieldOf = (page: Page) => page.getByRole('textbox', { name: /^Write to/ })

/** What a machine that slept has to be told: its clock has gone on. */
function atWake(): void {
  const place = globalThis as unknown as { sleptMs: number }
  place.sleptMs = 0
  const now = Date.now
  Date.now = () => now.call(Date) + place.sleptMs
}

function withoutStore(how: Storing): void {
  if (how === 'none') Object.defineProperty(globalThis, 'indexedDB', { value: undefined })
  else
    IDBObjectStore.prototype.add = IDBObjectStore.prototype.put = () => {
      throw new DOMException('The store is full', 'QuotaExceededError')
    }
}

async function idOf({ client }: WebPerson): Promise<string> {
  return (await client.call('getCurrentUser')).id
}

async function openConversation(url: string, { client }: WebPerson, peer: string): Promise<number> {
  const [row] = (await rest(url, client, 'rpc/open_dm', { p_peer_user_id: Number(peer) })) as {
    conversation_id: number
  }[]
  return row?.conversation_id ?? 0
}

/** The chat's data, as the office holds them. */
export async function rest(
  url: string,
  client: WebPerson['client'],
  path: string,
  body: object,
): Promise<unknown> {
  const { token } = await client.call('mintChatToken')
  const answer = await fetch(`${url}/rest/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return await answer.json()
}
