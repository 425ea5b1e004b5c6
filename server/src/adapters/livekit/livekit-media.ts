import {
  AccessToken,
  DataPacket_Kind,
  type EgressClient,
  EncodedFileOutput,
  EncodedFileType,
  type IngressClient,
} from 'livekit-server-sdk'
import { outside } from '../../platform/outside/outside.ts'
import type {
  JoinToken,
  MediaIngress,
  MediaPort,
  RecordingStart,
  RecordingStarted,
  RecordingStopped,
} from '../../ports/media.ts'
import { type Clients, type LivekitOptions, openClients } from './clients.ts'
import { isNotFound, livekitErrorOf, livekitFailure, orElse } from './failures.ts'
import { participantOf, roomOf } from './participants.ts'
import { recordingOf } from './recordings.ts'
import { askWorker, dismissWorkers, listAsked } from './workers.ts'

export type { LivekitOptions } from './clients.ts'

type Call = <Answer>(action: string, work: (clients: Clients) => Promise<Answer>) => Promise<Answer>

/** Until the first participant, and after the last one. */
const EMPTY_TIMEOUT_SECONDS = 10 * 60
const DEPARTURE_TIMEOUT_SECONDS = 30

const TAKE_PART = { canPublish: true, canSubscribe: true, canPublishData: true, hidden: false } as const
const WAIT = { canPublish: false, canSubscribe: false, canPublishData: false, hidden: true } as const

const INPUTS = ['rtmp', 'whip', 'url'] as const

/** Rooms and recordings of a LiveKit server, or of any server with its API. */
export function livekitMedia(options: LivekitOptions): MediaPort {
  let opened: Clients | undefined
  const open = () => {
    opened ??= openClients(options)
    return opened
  }
  const call: Call = (action, work) =>
    outside(
      { provider: 'livekit', action },
      async () => work(open()),
      (error) => livekitFailure(action, error),
    )
  return {
    ...roomsOf(call),
    ...participantsOf(call),
    ...workersOf(call),
    ...recordingsOf(call),
    async mintToken(token) {
      // refused while there is no server to go to
      open()
      return await mint(options, token)
    },
    ingresses: () => call('ListIngress', ({ ingress }) => listIngresses(ingress)),
    async check() {
      await call('ListRooms', ({ rooms }) => rooms.listRooms(['-']))
    },
  }
}

function roomsOf(call: Call): Pick<MediaPort, 'openRoom' | 'closeRoom' | 'rooms'> {
  return {
    async openRoom(room) {
      await call('CreateRoom', ({ rooms }) =>
        rooms.createRoom({
          name: room,
          emptyTimeout: EMPTY_TIMEOUT_SECONDS,
          departureTimeout: DEPARTURE_TIMEOUT_SECONDS,
        }),
      )
    },
    closeRoom: (room) => call('DeleteRoom', ({ rooms }) => found(rooms.deleteRoom(room))),
    rooms: () => call('ListRooms', async ({ rooms }) => (await rooms.listRooms()).map(roomOf)),
  }
}

function participantsOf(
  call: Call,
): Pick<MediaPort, 'admit' | 'remove' | 'rename' | 'mute' | 'sendData' | 'participants'> {
  return {
    admit: (room, identity) =>
      call('UpdateParticipant', ({ rooms }) =>
        // replaced as a whole: what is not named is taken away
        found(rooms.updateParticipant(room, identity, { permission: TAKE_PART })),
      ),
    remove: (room, identity) =>
      call('RemoveParticipant', ({ rooms }) => {
        // earlier tokens are void, where the server knows how (LiveKit Cloud)
        const revokeTokenTs = BigInt(Math.floor(Date.now() / 1_000))
        return found(rooms.removeParticipant(room, identity, { revokeTokenTs }))
      }),
    rename: (room, identity, name, bot) =>
      call('UpdateParticipant', ({ rooms }) =>
        found(rooms.updateParticipant(room, identity, { name, ...(bot && { attributes: { bot } }) })),
      ),
    mute: (room, identity, trackSid) =>
      call('MutePublishedTrack', ({ rooms }) =>
        found(rooms.mutePublishedTrack(room, identity, trackSid, true)),
      ),
    async sendData(room, topic, data) {
      await call('SendData', ({ rooms }) =>
        found(rooms.sendData(room, Buffer.from(JSON.stringify(data)), DataPacket_Kind.RELIABLE, { topic })),
      )
    },
    participants: (room) =>
      call('ListParticipants', async ({ rooms }) =>
        (await orElse(rooms.listParticipants(room), [])).map(participantOf),
      ),
  }
}

function workersOf(call: Call): Pick<MediaPort, 'askWorker' | 'askedWorkers' | 'dismissWorkers'> {
  return {
    askWorker: (room, wanted) => call('CreateDispatch', (clients) => askWorker(clients, room, wanted)),
    askedWorkers: (room) => call('ListDispatch', ({ workers }) => listAsked(workers, room)),
    dismissWorkers: (room, agentName) =>
      call('DeleteDispatch', ({ workers }) => dismissWorkers(workers, room, agentName)),
  }
}

function recordingsOf(call: Call): Pick<MediaPort, 'startRecording' | 'stopRecording' | 'recordings'> {
  return {
    startRecording: (start) => call('StartRoomCompositeEgress', (clients) => startRecording(clients, start)),
    stopRecording: (egressId) => call('StopEgress', ({ egress }) => stopRecording(egress, egressId)),
    recordings: (only = {}) =>
      call('ListEgress', async ({ egress }) => {
        const listed = await egress.listEgress({
          ...(only.room ? { roomName: only.room } : {}),
          ...(only.egressId ? { egressId: only.egressId } : {}),
          ...(only.running ? { active: true } : {}),
        })
        return listed.map(recordingOf)
      }),
  }
}

/** Signs a token for one room. Every right is named: what is left out would be allowed. */
async function mint(
  { apiKey, apiSecret }: Pick<LivekitOptions, 'apiKey' | 'apiSecret'>,
  token: JoinToken,
): Promise<string> {
  // a token without a room would open every one
  if (!token.room || !token.identity) throw new Error('a token is for one room and one identity')
  const access = new AccessToken(apiKey, apiSecret.reveal(), {
    identity: token.identity,
    name: token.name,
    ttl: token.expiresInSeconds,
    ...(token.session && { attributes: { session: token.session } }),
  })
  if (token.agent) access.kind = 'agent'
  const rights = rightsOf(token)
  // the embedded media server reads it; LiveKit passes over what it does not know
  const sealed = token.sealed ? { encryptedOnly: true } : {}
  access.addGrant({ roomJoin: true, room: token.room, canUpdateOwnMetadata: false, ...rights, ...sealed })
  return await access.toJwt()
}

function rightsOf({ rights, agent }: JoinToken) {
  if (rights === 'wait') return WAIT
  return agent ? { ...TAKE_PART, canPublish: agent.speaks, canSubscribe: agent.listens } : TAKE_PART
}

/** False where what was meant is not there. */
async function found(work: Promise<unknown>): Promise<boolean> {
  return await orElse(
    work.then(() => true),
    false,
  )
}

async function startRecording({ recorder }: Clients, start: RecordingStart): Promise<RecordingStarted> {
  const file = new EncodedFileOutput({
    fileType: EncodedFileType.MP4,
    filepath: start.fileKey,
    disableManifest: true,
  })
  try {
    const patient = recorder(start.answerWithinSeconds)
    const info = await patient.startRoomCompositeEgress(start.room, { file }, { layout: 'grid' })
    return { outcome: 'started', recording: recordingOf(info) }
  } catch (error) {
    return failedStart(error)
  }
}

/** Tells certain failures from those after which it may run all the same. */
function failedStart(error: unknown): RecordingStarted {
  const { code, status } = livekitErrorOf(error)
  if (status === 401 || status === 403) throw error
  const detail = `${status} ${code}`
  if (code === 'not_found') return { outcome: 'refused', reason: 'no-room', detail }
  if (code === 'unavailable' || code === 'resource_exhausted')
    return { outcome: 'refused', reason: 'no-recorder', detail }
  if (status !== undefined && status >= 400 && status < 500 && status !== 408)
    return { outcome: 'refused', reason: 'rejected', detail }
  return { outcome: 'unknown', cause: livekitFailure('StartRoomCompositeEgress', error) }
}

async function stopRecording(egress: EgressClient, egressId: string): Promise<RecordingStopped> {
  try {
    return { outcome: 'stopping', recording: recordingOf(await egress.stopEgress(egressId)) }
  } catch (error) {
    if (isNotFound(error)) return { outcome: 'not-found' }
    if (livekitErrorOf(error).code === 'failed_precondition') return { outcome: 'over' }
    throw error
  }
}

const PUBLISHING = 2

async function listIngresses(ingress: IngressClient): Promise<MediaIngress[]> {
  let listed: Awaited<ReturnType<IngressClient['listIngress']>>
  try {
    listed = await ingress.listIngress()
  } catch (error) {
    // a server without the service that brings streams in says so by an error of its own
    if (livekitErrorOf(error).code === 'internal' || isNotFound(error)) return []
    throw error
  }
  return listed
    .filter(({ state }) => state?.status === PUBLISHING)
    .map(({ ingressId, inputType, roomName, state }) => ({
      ingressId,
      input: INPUTS[inputType] ?? 'rtmp',
      room: roomName,
      startedAt: state && state.startedAt > 0n ? new Date(Number(state.startedAt / 1_000_000n)) : undefined,
    }))
}
