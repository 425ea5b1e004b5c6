import { createStore } from '@atrium/client/store'
import type { Room } from 'livekit-client'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type CallState, OUTSIDE, type PersonInCall } from '../call-state.ts'
import { createOwnMedia } from './own-media.ts'

vi.mock('../devices/devices.ts', () => ({ devices: { refresh: async () => {} } }))
vi.mock('../../live/of-person.ts', () => ({}))

const minutes = { identity: '17', sid: 'PA_17', name: 'Minutes', isBot: true, botId: '17' } as PersonInCall
const CHOICES = { microphone: true, camera: false, microphoneId: '', cameraId: '', speakerId: '' }

describe('the microphone of a call that a bot comes into', () => {
  const store = createStore<CallState>(OUTSIDE)
  const said: boolean[] = []
  const localParticipant = {
    permissions: { canPublish: true },
    async setMicrophoneEnabled(on: boolean) {
      // as livekit-client does: a track that is muted is told of
      if (!on && said.at(-1)) own.microphoneMuted()
      said.push(on)
    },
  }
  const room = { localParticipant, isRecording: false } as unknown as Room
  let own: ReturnType<typeof createOwnMedia>
  const sees = (bots: readonly PersonInCall[]) => {
    store.update((state) => ({ ...state, bots }))
    own.lookForBots()
  }
  beforeEach(async () => {
    said.length = 0
    store.set({ ...OUTSIDE, phase: 'inside', mayPublish: true })
    own = createOwnMedia(store, () => room)
    own.begin({ ...CHOICES, suppressNoise: true, agreed: false })
    own.told({ token: '', url: undefined, bots: [] }, { isFirst: true })
    await own.publishWanted(room)
    expect(said).toEqual([true])
  })

  it('is closed at once, stays so whatever is pressed or begun anew, and opens when one goes on', async () => {
    sees([minutes])
    expect(said).toEqual([true, false])
    await own.controls.set('microphone', true)
    await own.publishWanted(room)
    expect(said).toEqual([true, false])
    await own.controls.heedBots()
    expect(said).toEqual([true, false, true])
    expect(store.get().newBots).toEqual([])
  })

  it('stays closed where it was closed before, or was closed meanwhile', async () => {
    await own.controls.set('microphone', false)
    sees([minutes])
    await own.controls.heedBots()
    expect(said.at(-1)).toBe(false)
    await own.controls.set('microphone', true)
    sees([])
    sees([minutes])
    await own.controls.set('microphone', false)
    await own.controls.heedBots()
    expect(said.at(-1)).toBe(false)
  })
})

describe('a recording that begins in a call', () => {
  const store = createStore<CallState>(OUTSIDE)
  const room = {
    localParticipant: { permissions: { canPublish: true } },
    isRecording: true,
  } as unknown as Room
  const begin = (agreed: boolean) => {
    store.set({ ...OUTSIDE, phase: 'inside' })
    const own = createOwnMedia(store, () => room)
    own.begin({ ...CHOICES, microphone: false, suppressNoise: true, agreed })
    return own
  }

  it('is told of, whatever screen is shown, until it is agreed to or ends', async () => {
    const own = begin(false)
    own.recordingChanged(room, true)
    expect(store.get().recordingBegun).toBe(true)
    await own.controls.agree()
    expect(store.get().recordingBegun).toBe(false)
    own.recordingChanged(room, false)
    own.recordingChanged(room, true)
    expect(store.get().recordingBegun).toBe(true)
    own.recordingChanged(room, false)
    expect(store.get().recordingBegun).toBe(false)
  })

  it('is not told of after it was agreed to, at the entrance or by starting it', async () => {
    const own = begin(true)
    own.recordingChanged(room, true)
    expect(store.get().recordingBegun).toBe(false)
    own.recordingChanged(room, false)
    await own.controls.agree()
    own.recordingChanged(room, true)
    expect(store.get().recordingBegun).toBe(false)
  })
})

describe('a screen that was shared as the connection was lost', () => {
  const store = createStore<CallState>(OUTSIDE)
  const localParticipant = {
    permissions: { canPublish: true },
    isScreenShareEnabled: false,
    async setScreenShareEnabled(on: boolean) {
      localParticipant.isScreenShareEnabled = on
    },
  }
  const room = { localParticipant, isRecording: false } as unknown as Room
  const problemAfter = async (shares: boolean, work: (own: ReturnType<typeof createOwnMedia>) => void) => {
    store.set({ ...OUTSIDE, phase: 'inside', mayPublish: true })
    const own = createOwnMedia(store, () => room)
    own.begin({ ...CHOICES, microphone: false, suppressNoise: true, agreed: false })
    await own.controls.set('screen', shares)
    work(own)
    await own.publishWanted(room)
    return store.get().problem
  }
  const lost = () => {
    localParticipant.isScreenShareEnabled = false
  }

  it('is told of once, and not where it was taken back before, or is shared still', async () => {
    expect(await problemAfter(true, lost)).toEqual({ kind: 'screen', problem: 'ended' })
    expect(await problemAfter(false, lost)).toBeUndefined()
    expect(await problemAfter(true, () => {})).toBeUndefined()
    const taken = (own: ReturnType<typeof createOwnMedia>) => {
      lost()
      own.screenTaken()
    }
    expect(await problemAfter(true, taken)).toBeUndefined()
  })
})

describe('another device that cannot be opened', () => {
  const store = createStore<CallState>(OUTSIDE)
  const asked: unknown[] = []
  const refused = new Set<string>()
  const room = {
    async switchActiveDevice(kind: string, id: string, exact: boolean) {
      asked.push([kind, id, exact])
      if (refused.has(id)) throw new DOMException('used elsewhere', 'NotReadableError')
    },
  } as unknown as Room

  it('leaves the one in use, which was closed for it, and is told of', async () => {
    vi.stubGlobal('isSecureContext', true)
    const own = createOwnMedia(store, () => room)
    own.begin({ ...CHOICES, cameraId: 'own', suppressNoise: true, agreed: false })
    refused.add('busy')
    await own.controls.chooseDevice('videoinput', 'busy')
    await own.controls.chooseDevice('videoinput', 'free')
    expect(asked).toEqual([
      ['videoinput', 'busy', true],
      ['videoinput', 'own', false],
      ['videoinput', 'free', true],
    ])
    expect(own.choices()?.cameraId).toBe('free')
    expect(store.get().problem).toEqual({ kind: 'camera', problem: 'in-use' })
    // the last choice stays, whichever ends first
    await Promise.all([
      own.controls.chooseDevice('videoinput', 'busy'),
      own.controls.chooseDevice('videoinput', 'own'),
    ])
    expect(own.choices()?.cameraId).toBe('own')
    expect(asked.slice(3)).toEqual([
      ['videoinput', 'busy', true],
      ['videoinput', 'own', true],
    ])
    await own.controls.chooseDevice('audiooutput', 'busy')
    expect(asked.at(-1)).toEqual(['audiooutput', 'default', false])
    expect(store.get().problem?.kind).toBe('camera')
  })
})
