import {
  createSealedRoom,
  type Entrant,
  type KeyPair,
  type KeyWatch,
  type PersonInside,
  SEALING_TOPIC,
  type SealedRoom,
  type SealingOffice,
} from '@atrium/client/sealing'
import {
  BaseKeyProvider,
  ConnectionState,
  createKeyMaterialFromBuffer,
  type Participant,
  type Room,
  RoomEvent,
  type RoomOptions,
} from 'livekit-client'
import workerAddress from 'livekit-client/e2ee-worker?worker&url'
import { sendPacket } from '../send-packet.ts'
import type { OpenSealing, SealingState } from './sealing.ts'

interface Sealing {
  keys: KeyPair
  deviceId?: string
  officeOf(roomId: string): SealingOffice
  /** Of members: guests have no colleagues whom they know. */
  watch?: KeyWatch
}

/** By which the office tells guests, and all others inside, that there is a new key. */
const ROOM_KEY = 'room-key'
/** As many keys are kept, each under its place, so that what is on its way when the key changes can be opened. */
const KEPT_KEYS = 16
const NOTHING: SealingState = { hasKey: false, words: undefined, unsealed: [], changed: [] }

/** One call, over all of its connections. */
interface OpenCall {
  readonly sealing: Sealing
  readonly tell: (state: SealingState) => void
  state: SealingState
  /** Of the connection of now. */
  provider: RoomKeys | undefined
  worker: Worker | undefined
  room: Room | undefined
  latest: { key: Uint8Array<ArrayBuffer>; epoch: number } | undefined
  readonly changed: Map<string, Entrant>
  readonly firstKey: PromiseWithResolvers<void>
  sealed: SealedRoom | undefined
}

/** Seals a call by the encryption of the media client, with keys that go from client to client. */
export function sealedCall(sealing: Sealing): OpenSealing {
  return (tell) => {
    const nothing = { provider: undefined, worker: undefined, room: undefined, sealed: undefined }
    const parts = { changed: new Map<string, Entrant>(), firstKey: Promise.withResolvers<void>() }
    const call: OpenCall = { sealing, tell, state: NOTHING, latest: undefined, ...nothing, ...parts }
    tell(call.state)
    return {
      options: () => optionsOf(call),
      look: (of) => look(call, of),
      hasKey: () => call.firstKey.promise,
      accept() {
        for (const entrant of call.changed.values()) void sealing.watch?.accept(entrant)
        call.changed.clear()
        change(call, { changed: [] })
      },
      close() {
        call.sealed?.close()
        call.worker?.terminate()
        call.firstKey.resolve()
      },
    }
  }
}

function change(call: OpenCall, more: Partial<SealingState>): void {
  call.state = { ...call.state, ...more }
  call.tell(call.state)
}

async function optionsOf(call: OpenCall): Promise<RoomOptions> {
  call.worker?.terminate()
  const worker = newWorker()
  const provider = new RoomKeys()
  // before anything is waited for: a key that comes meanwhile is for this connection
  Object.assign(call, { worker, provider })
  if (call.latest) await provider.use(call.latest.key, call.latest.epoch)
  // packets of the room stay in clear: with them clients come to the key
  return { e2ee: { keyProvider: provider, worker } }
}

function look(call: OpenCall, of: Room): void {
  if (call.room !== of) {
    call.room = of
    follow(of, () => (call.room === of ? call.sealed : undefined))
  }
  // the others are told nothing before the connection stands, nor while it is made anew
  if (of.state !== ConnectionState.Connected || of.localParticipant.permissions?.canPublish === false) return
  call.sealed ??= openSealedRoom(call, of.name)
  call.sealed.setInside(insideOf(of), of.localParticipant.identity)
}

function openSealedRoom(call: OpenCall, roomId: string): SealedRoom {
  const { sealing } = call
  const opened = createSealedRoom({
    ...{ roomId, office: sealing.officeOf(roomId), keys: sealing.keys },
    ...(sealing.deviceId === undefined ? {} : { deviceId: sealing.deviceId }),
    say: (payload, to) => say(call.room, payload, to),
    useKey(key, epoch) {
      call.latest = { key, epoch }
      void call.provider?.use(key, epoch).then(call.firstKey.resolve)
    },
    onEntrant: (entrant) => void watchKey(call, entrant),
  })
  opened.subscribe(() => {
    const { epoch, words, unsealed } = opened.get()
    change(call, { hasKey: epoch > 0, words, unsealed })
  })
  return opened
}

/** A key that this browser knew as another one is shown as changed. */
async function watchKey(call: OpenCall, entrant: Entrant): Promise<void> {
  if (!(await call.sealing.watch?.isChanged(entrant))) return
  call.changed.set(entrant.identity, entrant)
  change(call, { changed: [...call.changed.keys()] })
}

function follow(room: Room, sealed: () => SealedRoom | undefined): void {
  room
    .on(RoomEvent.DataReceived, (payload, from, _kind, topic) => {
      if (from && topic === SEALING_TOPIC) sealed()?.hear(from.identity, payload)
      if (!from && topic === ROOM_KEY) sealed()?.keySent()
    })
    // a key that was told of, and not heard
    .on(RoomEvent.EncryptionError, () => sealed()?.keySent())
}

function say(room: Room | undefined, payload: Uint8Array<ArrayBuffer>, to: string[] | undefined): void {
  const how = { reliable: true, topic: SEALING_TOPIC, ...(to && { destinationIdentities: to }) }
  // who is not connected at the moment says it again
  if (room) sendPacket(room, payload, how).catch(() => {})
}

function insideOf({ localParticipant, remoteParticipants }: Room): PersonInside[] {
  const all: Participant[] = [localParticipant, ...remoteParticipants.values()]
  return all
    .filter(({ permissions }) => permissions?.canPublish !== false)
    .map(({ identity, sid, joinedAt }) => ({
      ...{ identity, connection: sid },
      joinedAt: joinedAt?.getTime() ?? 0,
    }))
}

/** One key for all, by its epoch: the one that is given last is sealed with. */
class RoomKeys extends BaseKeyProvider {
  private given = Promise.resolve()

  constructor() {
    // what cannot be opened is no reason to give a key up
    super({ sharedKey: true, ratchetWindowSize: 0, failureTolerance: -1, keyringSize: KEPT_KEYS })
  }

  use(key: Uint8Array<ArrayBuffer>, epoch: number): Promise<void> {
    const importing = createKeyMaterialFromBuffer(key.slice().buffer)
    this.given = Promise.all([importing, this.given]).then(([material]) =>
      this.onSetEncryptionKey(material, undefined, epoch % KEPT_KEYS),
    )
    return this.given
  }
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): unknown }
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/** The policy of the page takes the address of a script from code that vouches for it alone. */
function newWorker(): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('sealing-worker', { createScriptURL: () => workerAddress })
  const address = (policy?.createScriptURL(workerAddress) ?? workerAddress) as string
  return new Worker(address, { type: 'module' })
}
