import {
  type Grants,
  grantsOf,
  newcomerOf,
  type TokenKeys,
} from '@atrium/embedded-media/api/access-tokens.ts'
import { MediaFault, recordOf, textOf } from '@atrium/embedded-media/api/api-messages.ts'
import type { Room } from '@atrium/embedded-media/rooms/rooms.ts'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Server } from '../../platform/http/server.ts'
import { Refusal } from '../../platform/refusal.ts'
import { sendSandboxPage } from '../sandbox-page.ts'
import { changeFaults } from './faults.ts'
import { mediaPage } from './media-page.ts'
import { participantView, type ViewNeeds, viewOf } from './media-view.ts'
import type { Streams } from './streams.ts'

export interface SimulationNeeds extends ViewNeeds, TokenKeys {
  clock: Clock
  streams: Streams
  /** Names of rooms, by their ids: for people who look. */
  namesOf(rooms: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Forgets everything and sends no events. */
  crash(): void
}

type Body = Record<string, unknown>
type Act = (needs: SimulationNeeds, body: Body) => Promise<object> | object

const MEDIA_PATH = '/sandbox/media'
const SOURCES = ['camera', 'microphone', 'screen_share', 'screen_share_audio', 'unknown']
const FORM_BYTES_MAX = 64 * 1024

/** What clients, streamers and accidents would do: `POST /sandbox/media/<act>`. */
const ACTS: Record<string, Act> = {
  async join(needs, body) {
    const { grants, room } = await visitorOf(needs, body)
    return participantView(needs.media.rooms.join(room, newcomerOf(grants)))
  },
  async abort(needs, body) {
    const { grants, room } = await visitorOf(needs, body)
    needs.media.rooms.abort(room, newcomerOf(grants), textOf(body, 'reason') || 'SIGNAL_CLOSE')
    return {}
  },
  leave(needs, body) {
    const { room, participant } = insiderOf(needs, body)
    needs.media.rooms.leave(room, participant, textOf(body, 'reason') || 'CLIENT_INITIATED')
    return {}
  },
  publish(needs, body) {
    const { room, participant } = insiderOf(needs, body)
    const source = textOf(body, 'source') || 'camera'
    if (!SOURCES.includes(source))
      throw Refusal.of('invalid', { message: `source is one of ${SOURCES.join(', ')}` })
    const type = textOf(body, 'type') || (/audio|microphone/.test(source) ? 'audio' : 'video')
    const encryption = textOf(body, 'encryption')
    const kind = { source: source.toUpperCase(), type: type.toUpperCase() }
    const track = { name: source, ...kind, ...(encryption && { encryption }) }
    return { sid: needs.media.rooms.publish(room, participant, track).sid }
  },
  unpublish(needs, body) {
    const { room, participant } = insiderOf(needs, body)
    const wanted = [textOf(body, 'trackSid'), textOf(body, 'source').toUpperCase()]
    const track = [...participant.tracks.values()].find(
      ({ sid, source }) => wanted.includes(sid) || wanted.includes(source),
    )
    if (!track) throw new MediaFault('not_found', 'no such track')
    needs.media.rooms.unpublish(room, participant, track)
    return {}
  },
  'ingress-start': ({ streams }, body) => streams.start(body),
  'ingress-end': ({ streams }, body) => streams.end(body),
  faults(needs, body) {
    const next = changeFaults(needs.faults.current, body)
    if ('problem' in next) throw Refusal.of('invalid', { message: next.problem })
    needs.faults.current = next
    return { ...next }
  },
  /** The connections of real clients are gone, and the rooms are still there. */
  'kill-media'({ media }) {
    media.live?.kill()
    return {}
  },
  crash(needs) {
    needs.crash()
    return {}
  },
}

/**
 * `GET /sandbox/media`: what the stand-in holds, as a page or as JSON. `POST /sandbox/media/<act>`: what would happen
 * at a real media server by itself. Takes JSON, and the forms of the page.
 */
export function serveSimulation(server: Server, needs: SimulationNeeds): void {
  server.get(MEDIA_PATH, async (request, reply) => {
    reply.header('vary', 'origin, accept').header('cache-control', 'no-store')
    const view = viewOf(needs)
    if (!wantsPage(request)) return view
    const ids = [...view.rooms.map(({ name }) => name), ...view.recordings.map(({ room }) => room)]
    return sendSandboxPage(reply, mediaPage(view, await needs.namesOf(ids)))
  })
  void server.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(text as string))),
    )
    for (const [name, act] of Object.entries(ACTS))
      scope.post(`${MEDIA_PATH}/${name}`, async (request, reply) => {
        const answer = await attempt(() => act(needs, recordOf(request.body)))
        return wantsPage(request) ? reply.redirect(MEDIA_PATH, 303) : answer
      })
  })
}

function wantsPage({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('text/html')
}

/** What the media server refuses, a developer is told in the form of every refusal. */
async function attempt(act: () => Promise<object> | object): Promise<object> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof MediaFault)) throw error
    const kinds = {
      not_found: 'not-found',
      unauthenticated: 'unauthenticated',
      permission_denied: 'forbidden',
    }
    const kind = kinds[error.code as keyof typeof kinds] ?? 'invalid'
    throw new Refusal(kind as 'invalid', error.message)
  }
}

/** A token lets its bearer in as long as the room is there: joining makes none. */
async function visitorOf(needs: SimulationNeeds, body: Body): Promise<{ grants: Grants; room: Room }> {
  const grants = await grantsOf(needs, textOf(body, 'token').trim(), needs.clock.now())
  const name = grants && textOf(grants.video, 'room')
  if (!grants?.identity || !name || grants.video.roomJoin !== true)
    throw new MediaFault('unauthenticated', 'the token is not valid, or lets nobody in')
  return { grants, room: needs.media.rooms.require(name) }
}

function insiderOf({ media }: SimulationNeeds, body: Body) {
  const room = media.rooms.require(textOf(body, 'room'))
  const participant = room.participants.get(textOf(body, 'identity'))
  if (!participant) throw new MediaFault('not_found', 'participant does not exist')
  return { room, participant }
}
