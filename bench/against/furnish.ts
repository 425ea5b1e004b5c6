import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { type FirstPerson, mailedCode, signUp } from '../first-person.ts'
import { deliveryOf, participantOf, sessionOf } from '../media-deliveries.ts'

const COLLEAGUES = 99
const ROOMS = 60
const TALKERS = 20
const MESSAGES = 30
/** Sign-ups under way at the same time: no more than a machine with others at work answers in time. */
const AT_ONCE = 4
/** Until what the media server has told is seen. */
const SEEN_WITHIN_MS = 60_000
const LATER_MS = 1_000
const TRIES = 60
const SIGN_UP_TRIES = 5
/** An older office has limits that no setting lifts; on a busy machine the database does not answer in time. */
const LATER_STATUSES = [429, 503]

export interface Colleague {
  cookie: string
  userId: string
}

/** What an office for development is given before it is measured, through its public interface alone. */
export interface Furnished {
  first: FirstPerson
  everybody: readonly Colleague[]
  roomIds: readonly string[]
  /** Of one colleague each, with a page of messages. */
  conversations: readonly { cookie: string; conversation: number }[]
}

export async function furnish(url: string, mediaSecret: string): Promise<Furnished> {
  const first = await signUp(url)
  const everybody = [first, ...(await colleagues(url, first))]
  const chosen = ['online', 'away', 'busy'] as const
  for (const [n, { cookie }] of everybody.entries())
    await send(`${url}/presence/status`, { status: chosen[n % chosen.length] }, { cookie })
  const roomIds = await furnishRooms(url, first, everybody, mediaSecret)
  const conversations = await Promise.all(
    everybody.slice(0, TALKERS).map(async ({ cookie }, n) => {
      const peer = everybody[TALKERS + n] as Colleague
      return { cookie, conversation: await talk(url, cookie, peer) }
    }),
  )
  return { first, everybody, roomIds, conversations }
}

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: as offices of several commits answer it
  body: any
  /** Value of the header `cookie` from then on. */
  cookie: string
}

/** Sends JSON. @returns undefined where that path is not served @throws Error where the answer is another refusal */
export async function send(
  url: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (answer.ok) return { body: text && JSON.parse(text), cookie: cookieOf(answer) }
    if (answer.status === 404) return undefined
    if (!LATER_STATUSES.includes(answer.status) || attempt === TRIES)
      throw new Error(`${url} answered ${answer.status}: ${text}`)
    await pause(LATER_MS)
  }
}

function cookieOf(answer: Response): string {
  const set = answer.headers.getSetCookie().map((text) => text.split(';')[0])
  return set.join('; ')
}

async function colleagues(url: string, first: FirstPerson): Promise<Colleague[]> {
  const link = await fetch(`${url}/api/v1/organizations/get-invite-link`, {
    headers: { cookie: first.cookie },
  })
  const { inviteLink } = (await link.json()) as { inviteLink: string }
  const inviteToken = new URL(inviteLink).searchParams.get('invite_token')
  const names = Array.from({ length: COLLEAGUES }, (_, n) => `colleague-${n}@example.com`)
  const people: Colleague[] = []
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const some = names.slice(from, from + AT_ONCE).map((email) => join(url, email, inviteToken))
    people.push(...(await Promise.all(some)))
  }
  return people
}

/** With a code that is asked for anew where it may have been spent by a call that got no answer. */
async function join(url: string, email: string, inviteToken: string | null): Promise<Colleague> {
  for (let attempt = 1; ; attempt += 1) {
    await send(`${url}/auth/member-sign-up`, { email, inviteToken }, {})
    const code = await mailedCode(url, email)
    try {
      const signedIn = await send(`${url}/auth/finalize-magic-auth`, { email, code }, {})
      assert(signedIn, 'codes are taken')
      return { cookie: signedIn.cookie, userId: signedIn.body.user.id }
    } catch (error) {
      if (attempt === SIGN_UP_TRIES) throw error
    }
  }
}

/** Rooms with everybody in them and the microphone on, as the media server tells it. @returns their ids */
async function furnishRooms(
  url: string,
  { cookie }: FirstPerson,
  everybody: readonly Colleague[],
  secret: string,
): Promise<string[]> {
  const ids: string[] = []
  for (let n = 1; n <= ROOMS; n += 1) {
    const made = await send(`${url}/api/v1/rtc/room-create`, { name: `Room ${n}` }, { cookie })
    ids.push(made?.body.room.id)
  }
  const now = Math.floor(Date.now() / 1_000) - 60
  for (const [n, { userId }] of everybody.entries()) {
    const id = ids[n % ids.length] as string
    const room = sessionOf(id, `RM_${id}`, now)
    const participant = participantOf(userId, `PA_${userId}`, now)
    const track = { sid: `TR_${userId}`, source: 'MICROPHONE', type: 'AUDIO' }
    for (const event of [
      { event: 'participant_joined', room, participant },
      { event: 'track_published', room, participant, track },
    ]) {
      const told = { ...event, id: `EV_${event.event}_${userId}`, createdAt: String(now) }
      const { headers, body } = deliveryOf(told, secret)
      const answer = await fetch(`${url}/webhook`, { method: 'POST', headers, body })
      assert.equal(answer.status, 200, await answer.text())
    }
  }
  await untilInside(url, cookie, everybody.length)
  return ids
}

async function untilInside(url: string, cookie: string, people: number): Promise<void> {
  const until = Date.now() + SEEN_WITHIN_MS
  for (;;) {
    const answer = await send(`${url}/api/v1/rtc/rooms/list`, {}, { cookie })
    if (!answer) return
    const rooms: { people: unknown[] }[] = answer.body.rooms
    const inside = rooms.reduce((sum, room) => sum + room.people.length, 0)
    if (inside === people) return
    if (Date.now() > until) throw new Error(`${inside} of ${people} people were seen in rooms`)
    await pause(LATER_MS / 4)
  }
}

async function talk(url: string, cookie: string, peer: Colleague): Promise<number> {
  const authorization = await chatToken(url, cookie)
  const opened = await send(
    `${url}/rest/v1/rpc/open_dm`,
    { p_peer_user_id: Number(peer.userId) },
    { authorization },
  )
  const conversation: number = opened?.body[0].conversation_id
  for (let n = 1; n <= MESSAGES; n += 1) {
    const content = `Message ${n} of a conversation about what there is to do`
    await send(`${url}/rest/v1/messages`, { conversation_id: conversation, content }, { authorization })
  }
  return conversation
}

/** Value of the header `authorization` for the data of the chat; it lives for minutes. */
export async function chatToken(url: string, cookie: string): Promise<string> {
  const minted = await send(`${url}/api/v1/realtime/token`, {}, { cookie })
  return `Bearer ${minted?.body.token}`
}
