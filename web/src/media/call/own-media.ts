import type { WritableStore } from '@atrium/client/store'
import { LocalAudioTrack, type LocalParticipant, type Room, Track } from 'livekit-client'
import type { Call, CallState, JoinWith, SourceKind, Ticket } from '../call-state.ts'
import { deviceProblemOf } from '../devices/device-problem.ts'
import { devices } from '../devices/devices.ts'
import { deviceOf, microphoneOf, SCREEN } from '../room-options.ts'
import { type BotWatch, createBotWatch } from './bot-watch.ts'

/** What a kind of device is called among the choices. */
const CHOSEN = { audioinput: 'microphoneId', videoinput: 'cameraId', audiooutput: 'speakerId' } as const

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
  /** The next recording is another question. */
  recordingEnded(of: Room): void
  /** A connection that is begun anew does not open it again. */
  microphoneMuted(): void
}

/** @param current the room of now, if any: what ends late of an earlier one changes nothing */
export function createOwnMedia(store: WritableStore<CallState>, current: () => Room | undefined): OwnMedia {
  let choices: JoinWith | undefined
  let agreed = false
  const wanted = { microphone: false, camera: false }
  const bots = createBotWatch(store, () => {
    void current()
      ?.localParticipant.setMicrophoneEnabled(false)
      .catch(() => {})
  })
  /** The microphone waits until its person has seen which bots have come in. */
  const isHeld = (kind: SourceKind) => kind === 'microphone' && store.get().newBots.length > 0

  const switchSource = async (me: LocalParticipant, kind: SourceKind, on: boolean) => {
    if (kind === 'microphone') await me.setMicrophoneEnabled(on, microphoneOf(choices))
    else if (kind === 'camera' && !on) await takeCameraBack(me)
    else if (kind === 'camera') await me.setCameraEnabled(true, deviceOf(choices?.cameraId))
    else await me.setScreenShareEnabled(on, SCREEN.source, SCREEN.publish)
  }
  const publish = async (kind: SourceKind, on: boolean) => {
    const of = current()
    if (!of || (on && (store.get().asksConsent || isHeld(kind)))) return
    try {
      await switchSource(of.localParticipant, kind, on)
      // names of devices are known once one was opened
      if (on) void devices.refresh()
    } catch (error) {
      if (current() !== of) return
      const problem = deviceProblemOf(error, isSecureContext)
      // the question which screen to share was closed: that is no problem
      if (kind === 'screen' && problem === 'refused') return
      store.update((state) => ({ ...state, problem: { kind, problem } }))
    }
  }
  const publishWanted = async (of: Room) => {
    bots.look()
    if (of.localParticipant.permissions?.canPublish === false) return
    // recording needs an agreement before anything is open; those already inside are told, and may leave
    const asksConsent = of.isRecording && !agreed
    store.update((state) => ({ ...state, asksConsent }))
    if (asksConsent) return
    if (wanted.microphone) await publish('microphone', true)
    if (wanted.camera && of === current()) await publish('camera', true)
  }
  return {
    begin(given) {
      choices = given
      wanted.microphone = given.microphone
      wanted.camera = given.camera
      agreed = given.agreed
    },
    choices: () => choices,
    told(ticket, { isFirst }) {
      if (isFirst) bots.tell(ticket.bots, choices?.seenBots)
      return ticket
    },
    lookForBots: bots.look,
    publishWanted,
    recordingEnded(of) {
      agreed = false
      if (store.get().asksConsent) void publishWanted(of)
    },
    microphoneMuted() {
      if (!isHeld('microphone')) wanted.microphone = false
    },
    controls: {
      async agree() {
        agreed = true
        const room = current()
        if (room && store.get().asksConsent) await publishWanted(room)
      },
      async heedBots() {
        bots.heed()
        if (wanted.microphone && store.get().mayPublish) await publish('microphone', true)
      },
      async set(kind, on) {
        if (kind !== 'screen') wanted[kind] = on
        store.update((state) => (state.problem?.kind === kind ? { ...state, problem: undefined } : state))
        await publish(kind, on)
      },
      async chooseDevice(kind, id) {
        choices = choices && { ...choices, [CHOSEN[kind]]: id }
        await current()
          ?.switchActiveDevice(kind, id || 'default')
          .catch(() => {})
      },
      async suppressNoise(on) {
        choices = choices && { ...choices, suppressNoise: on }
        const { audioTrack } = current()?.localParticipant.getTrackPublication(Track.Source.Microphone) ?? {}
        if (audioTrack instanceof LocalAudioTrack)
          await audioTrack.restartTrack(microphoneOf(choices)).catch(() => {})
      },
    },
  }
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
