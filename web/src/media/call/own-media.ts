import type { WritableStore } from '@atrium/client/store'
import { LocalAudioTrack, type LocalParticipant, type Room, Track } from 'livekit-client'
import type { Call, CallState, JoinWith, SourceKind, Ticket } from '../call-state.ts'
import type { DeviceKind } from '../devices/device-choice.ts'
import { deviceProblemOf } from '../devices/device-problem.ts'
import { devices } from '../devices/devices.ts'
import { deviceOf, microphoneOf, SCREEN } from '../room-options.ts'
import { type BotWatch, createBotWatch } from './bot-watch.ts'

/** What a kind of device is called among the choices. */
const CHOSEN = { audioinput: 'microphoneId', videoinput: 'cameraId', audiooutput: 'speakerId' } as const
const SOURCES = { audioinput: 'microphone', videoinput: 'camera' } as const

/** What the person here publishes: by which devices, what is to be on, and whether a recording is agreed to. */
export interface OwnMedia {
  /** What the person does about it. */
  controls: Pick<Call, 'agree' | 'heedBots' | 'set' | 'chooseDevice' | 'suppressNoise'>
  /** Before the room is entered. */
  begin(choices: JoinWith): void
  choices(): JoinWith | undefined
  /** Tells of the bots that the first ticket names. @returns the same ticket */
  told(ticket: Ticket, how: { isFirst: boolean }): Ticket
  lookForBots: BotWatch['look']
  /** What is to be on, as far as the room lets; also after a connection was begun anew. */
  publishWanted(of: Room): Promise<void>
  /** Each recording is another question. */
  recordingChanged(of: Room, isOn: boolean): void
  /** A connection that is begun anew does not open it again. */
  microphoneMuted(): void
  /** By the browser, or by the person. */
  screenTaken(): void
}

interface Publishing {
  store: WritableStore<CallState>
  current(): Room | undefined
  bots: BotWatch
  choices: JoinWith | undefined
  wanted: Record<SourceKind, boolean>
  /** To being recorded. */
  agreed: boolean
}

/** @param current the room of now, if any: what ends late of an earlier one changes nothing */
export function createOwnMedia(store: WritableStore<CallState>, current: () => Room | undefined): OwnMedia {
  const bots = createBotWatch(store, () => {
    void current()
      ?.localParticipant.setMicrophoneEnabled(false)
      .catch(() => {})
  })
  const wanted = { microphone: false, camera: false, screen: false }
  const own: Publishing = { store, current, bots, choices: undefined, wanted, agreed: false }
  return {
    begin(choices) {
      const { microphone, camera, agreed } = choices
      Object.assign(own, { choices, wanted: { microphone, camera, screen: false }, agreed })
    },
    choices: () => own.choices,
    told(ticket, { isFirst }) {
      if (isFirst) bots.tell(ticket.bots, own.choices?.seenBots)
      return ticket
    },
    lookForBots: bots.look,
    publishWanted: (of) => publishWanted(own, of),
    recordingChanged(of, isOn) {
      if (!isOn) own.agreed = false
      store.update((state) => ({ ...state, recordingBegun: isOn && !own.agreed }))
      if (!isOn && store.get().asksConsent) void publishWanted(own, of)
    },
    microphoneMuted() {
      if (!isHeld(own, 'microphone')) own.wanted.microphone = false
    },
    screenTaken() {
      own.wanted.screen = false
    },
    controls: controlsOf(own),
  }
}

function controlsOf(own: Publishing): OwnMedia['controls'] {
  const { store, current, bots } = own
  return {
    async agree() {
      own.agreed = true
      store.update((state) => ({ ...state, recordingBegun: false }))
      const room = current()
      if (room && store.get().asksConsent) await publishWanted(own, room)
    },
    async heedBots() {
      bots.heed()
      if (own.wanted.microphone && store.get().mayPublish) await publish(own, 'microphone', true)
    },
    async set(kind, on) {
      if (kind !== 'screen') own.wanted[kind] = on
      store.update((state) => (state.problem?.kind === kind ? { ...state, problem: undefined } : state))
      await publish(own, kind, on)
    },
    chooseDevice: (kind, id) => chooseDevice(own, kind, id),
    async suppressNoise(on) {
      own.choices = own.choices && { ...own.choices, suppressNoise: on }
      const { audioTrack } = current()?.localParticipant.getTrackPublication(Track.Source.Microphone) ?? {}
      if (audioTrack instanceof LocalAudioTrack)
        await audioTrack.restartTrack(microphoneOf(own.choices)).catch(() => {})
    },
  }
}

/** What was in use was closed for the other one: where that cannot be opened, it is used again. */
async function chooseDevice(own: Publishing, kind: DeviceKind, id: string): Promise<void> {
  const name = CHOSEN[kind]
  const before = own.choices?.[name] ?? ''
  const of = own.current()
  const use = async (one: string, exact: boolean) => {
    own.choices = own.choices && { ...own.choices, [name]: one }
    await of?.switchActiveDevice(kind, one || 'default', exact)
  }
  try {
    await use(id, id !== '')
  } catch (error) {
    // left, or another one was chosen, meanwhile
    if (own.current() !== of || own.choices?.[name] !== id) return
    // where that fails too, the same is told
    await use(before, false).catch(() => {})
    if (kind !== 'audiooutput') tellOfDevice(own, of, SOURCES[kind], error)
  }
}

async function publishWanted(own: Publishing, of: Room): Promise<void> {
  own.bots.look()
  if (of.localParticipant.permissions?.canPublish === false) return
  // recording needs an agreement before anything is open; those already inside are told, and may leave
  const asksConsent = of.isRecording && !own.agreed
  own.store.update((state) => ({ ...state, asksConsent }))
  if (asksConsent) return
  if (own.wanted.microphone) await publish(own, 'microphone', true)
  if (own.wanted.camera && of === own.current()) await publish(own, 'camera', true)
  if (own.wanted.screen && !of.localParticipant.isScreenShareEnabled) tellOfScreen(own)
}

/** Browsers show a screen after a press alone; who presents looks at the slides. */
function tellOfScreen(own: Publishing): void {
  own.wanted.screen = false
  own.store.update((state) => ({ ...state, problem: { kind: 'screen', problem: 'ended' } }))
}

async function publish(own: Publishing, kind: SourceKind, on: boolean): Promise<void> {
  const of = own.current()
  if (!of || (on && (own.store.get().asksConsent || isHeld(own, kind)))) return
  try {
    await switchSource(own, of.localParticipant, kind, on)
    if (kind === 'screen') own.wanted.screen = on
    // names of devices are known once one was opened
    if (on) void devices.refresh()
  } catch (error) {
    tellOfDevice(own, of, kind, error)
  }
}

function tellOfDevice(own: Publishing, of: Room | undefined, kind: SourceKind, error: unknown): void {
  if (own.current() !== of) return
  const problem = deviceProblemOf(error, isSecureContext)
  // the question which screen to share was closed: that is no problem
  if (kind === 'screen' && problem === 'refused') return
  own.store.update((state) => ({ ...state, problem: { kind, problem } }))
}

/** The microphone waits until its person has seen which bots have come in. */
function isHeld({ store }: Publishing, kind: SourceKind): boolean {
  return kind === 'microphone' && store.get().newBots.length > 0
}

async function switchSource(
  { choices }: Publishing,
  me: LocalParticipant,
  kind: SourceKind,
  on: boolean,
): Promise<void> {
  if (kind === 'microphone') await me.setMicrophoneEnabled(on, microphoneOf(choices))
  else if (kind === 'camera' && !on) await takeCameraBack(me)
  else if (kind === 'camera') await me.setCameraEnabled(true, deviceOf(choices?.cameraId))
  else await me.setScreenShareEnabled(on, SCREEN.source, SCREEN.publish)
}

/**
 * A camera that is only muted would still be told of as published: outside of the room it would seem to be on. Those inside
 * hear of a mute at once, and of the end of a track up to a quarter of a minute later.
 */
async function takeCameraBack(me: LocalParticipant): Promise<void> {
  const camera = me.getTrackPublication(Track.Source.Camera)?.videoTrack
  if (!camera) return
  await camera.mute()
  await me.unpublishTrack(camera)
}
