import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from './benchmark.ts'
import { type Asking, type Listener, listen, subscribed, timeAsking } from './listener.ts'
import { deliveryOf, MEDIA_KEY, mediaSettings, participantOf, sessionOf } from './media-deliveries.ts'
import { employ } from './noisy-tenants.ts'
import { openBare, openContest, openProduction, pinSides } from './opening.ts'
import { insertRoom } from './room.ts'

const BASELINE = fileURLToPath(new URL('room-entered-baseline.ts', import.meta.url))

export const roomEntered: Benchmark = {
  name: 'room-entered',
  describe:
    "POST /webhook of somebody who has come into a room until a colleague's client has it, written down, counted and through outbox and embedded broker (median), against bare node:http with the receiver of LiveKit's SDK that hands it to a WebSocket",
  unit: 'ms',
  goal: { subjectMax: 15, subjectP99Max: 60 },
  prepare: () =>
    openContest(async (ends) => {
      const secret = randomBytes(32).toString('base64url')
      const { office, running, person } = await openProduction(ends, mediaSettings(secret))
      const bare = await openBare(ends, BASELINE, [MEDIA_KEY, secret])
      pinSides(ends, running, bare)

      const databaseUrl = await office.databaseUrl()
      const room = await insertRoom(databaseUrl, person)
      const [colleague] = await employ(databaseUrl, person, 1)
      assert(colleague, 'nobody is there to come in')
      const ours = await subscribed(office.url, person)
      ends.push(async () => ours.close())
      const theirs = await listen(`${bare.base.replace('http', 'ws')}/`)
      ends.push(async () => theirs.close())
      const coming = { room, identity: colleague.userId, secret }
      return await timeAsking(
        comingAndGoing(office.url, ours, coming),
        comingAndGoing(bare.base, theirs, coming),
      )
    }),
}

interface Coming {
  room: string
  identity: string
  secret: string
}

/** A person comes in, which is timed, and leaves again. */
function comingAndGoing(url: string, listener: Listener, { room, identity, secret }: Coming): Asking {
  const now = Math.floor(Date.now() / 1_000)
  const session = sessionOf(room, `RM_${randomUUID()}`, now)
  let visits = 0
  const tell = (event: string) => {
    const participant = participantOf(identity, `PA_${visits}`, now)
    const id = `EV_${visits}_${event}`
    const about = { event, room: session, participant, id, createdAt: String(now) }
    return fetch(`${url}/webhook`, { method: 'POST', ...deliveryOf(about, secret) })
  }
  return {
    listener,
    text: () => 'room.entered',
    ask: () => {
      visits += 1
      return tell('participant_joined')
    },
    async after() {
      const left = listener.next('room.left')
      assert.equal((await tell('participant_left')).status, 200)
      await left
    },
  }
}
