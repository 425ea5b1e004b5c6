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
  createKeyMaterialFromBuffer,
  type Participant,
  type Room,
  RoomEvent,
} from 'livekit-client'
import workerAddress from 'livekit-client/e2ee-worker?worker&url'
import type { OpenSealing, SealedCall, SealingState } from './sealing.ts'

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

/** Seals a call by the encryption of the media client, with keys that go from client to client. */
export function sealedCall(sealing: Sealing): OpenSealing {
  return (tell) => {
    let state = NOTHING
    const change = (more: Partial<SealingState>) => {
      state = { ...state, ...more }
      tell(state)
    }
    const connection: { provider?: RoomKeys; worker?: Worker; room?: Room } = {}
    const { promise: hasKey, resolve: keyIsThere } = Promise.withResolvers<void>()
    let latest: { key: Uint8Array<ArrayBuffer>; epoch: number } | undefined
    const changed = new Map<string, Entrant>()
    const watch = async (entrant: Entrant) => {
      if (!(await sealing.watch?.isChanged(entrant))) return
      changed.set(entrant.identity, entrant)
      change({ changed: [...changed.keys()] })
    }
    let sealed: SealedRoom | undefined
    const open = (roomId: string) => {
      const opened = createSealedRoom({
        ...{ roomId, office: sealing.officeOf(roomId), keys: sealing.keys },
        ...(sealing.deviceId === undefined ? {} : { deviceId: sealing.deviceId }),
        say: (payload) => say(connection.room, payload),
        useKey(key, epoch) {
          latest = { key, epoch }
          void connection.provider?.use(key, epoch).then(keyIsThere)
        },
        onEntrant: (entrant) => void watch(entrant),
      })
      opened.subscribe(() => {
        const { epoch, words, unsealed } = opened.get()
        change({ hasKey: epoch > 0, words, unsealed })
      })
      return opened
    }
    const call: SealedCall = {
      async options() {
        connection.worker?.terminate()
        const worker = newWorker()
        const provider = new RoomKeys()
        if (latest) await provider.use(latest.key, latest.epoch)
        Object.assign(connection, { worker, provider })
        // packets of the room stay in clear: with them clients come to the key
        return { e2ee: { keyProvider: provider, worker } }
      },
      look(of) {
        if (connection.room !== of) {
          connection.room = of
          follow(of, () => (connection.room === of ? sealed : undefined))
        }
        if (of.localParticipant.permissions?.canPublish === false || of.name === '') return
        sealed ??= open(of.name)
        sealed.setInside(insideOf(of), of.localParticipant.identity)
      },
      hasKey: () => hasKey,
      accept() {
        for (const entrant of changed.values()) void sealing.watch?.accept(entrant)
        changed.clear()
        change({ changed: [] })
      },
      close() {
        sealed?.close()
        connection.worker?.terminate()
        keyIsThere()
      },
    }
    tell(state)
    return call
  }
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

function say(room: Room | undefined, payload: Uint8Array<ArrayBuffer>): void {
  // who is not connected at the moment says it again
  room?.localParticipant.publishData(payload, { reliable: true, topic: SEALING_TOPIC }).catch(() => {})
}

function insideOf({ localParticipant, remoteParticipants }: Room): PersonInside[] {
  const all: Participant[] = [localParticipant, ...remoteParticipants.values()]
  return all
    .filter(({ permissions }) => permissions?.canPublish !== false)
    .map(({ identity, joinedAt }) => ({ identity, joinedAt: joinedAt?.getTime() ?? 0 }))
}

/** One key for all, by its epoch. */
class RoomKeys extends BaseKeyProvider {
  constructor() {
    // what cannot be opened is no reason to give a key up
    super({ sharedKey: true, ratchetWindowSize: 0, failureTolerance: -1, keyringSize: KEPT_KEYS })
  }

  async use(key: Uint8Array<ArrayBuffer>, epoch: number): Promise<void> {
    const material = await createKeyMaterialFromBuffer(key.slice().buffer)
    this.onSetEncryptionKey(material, undefined, epoch % KEPT_KEYS)
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
