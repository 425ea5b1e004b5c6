import { createStore } from '@atrium/client/store'
import {
  DisconnectReason,
  LocalAudioTrack,
  type LocalParticipant,
  type RemoteTrack,
  Room,
  RoomEvent,
  setLogLevel,
  Track,
} from 'livekit-client'
import { client } from '../live/office-client.ts'
import { createActivityReports } from './activity-reports.ts'
import { type CallEnd, endOfConnecting, endOfReason, endOfRefusal } from './call-end.ts'
import { stateOf } from './call-snapshot.ts'
import {
  type Call,
  type CallState,
  type Entrance,
  type JoinWith,
  OUTSIDE,
  type SourceKind,
  type Ticket,
} from './call-state.ts'
import { deviceProblemOf } from './devices/device-problem.ts'
import { devices } from './devices/devices.ts'
import { closeOpenedTracks, holdOpenedTracks } from './devices/opened-tracks.ts'
import { isOwnMediaServer } from './own-media-server.ts'
import { deviceOf, microphoneOf, optionsFor, SCREEN } from './room-options.ts'
import { createSignals } from './signals/follow-signals.ts'
import { AWAY_MS, watchAbsence } from './watch/absence.ts'
import { createMediaWatch } from './watch/watch-media.ts'

/** The connection says nothing new for so long, in turns, before it is given up. */
const PAUSES_MS = [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

/** What a kind of device is called among the choices. */
const CHOSEN = { audioinput: 'microphoneId', videoinput: 'cameraId', audiooutput: 'speakerId' } as const

const CHANGES = [
  ...[RoomEvent.ParticipantConnected, RoomEvent.ParticipantDisconnected, RoomEvent.ParticipantNameChanged],
  ...[RoomEvent.TrackSubscribed, RoomEvent.TrackUnsubscribed, RoomEvent.TrackMuted, RoomEvent.TrackUnmuted],
  ...[RoomEvent.LocalTrackPublished, RoomEvent.LocalTrackUnpublished, RoomEvent.ActiveSpeakersChanged],
  ...[RoomEvent.ConnectionQualityChanged, RoomEvent.ConnectionStateChanged],
  ...[RoomEvent.RecordingStatusChanged, RoomEvent.AudioPlaybackStatusChanged],
] as const

export function createCall({ getTicket, onPermissions, tellActivity }: Entrance): Call {
  const store = createStore<CallState>(OUTSIDE)
  const reports = tellActivity && createActivityReports(tellActivity)
  if (reports) store.subscribe(() => reports.look(store.get()))
  let room: Room | undefined
  /** Of the connection that one was inside by last, as the media server names it. */
  let lastSid: string | undefined
  /** A connection was tried since, in vain: the media server may take what is left of it for another device. */
  let wasTried = false
  let choices: JoinWith | undefined
  const wanted = { microphone: false, camera: false }
  let agreed = false
  let stopAbsence: (() => void) | undefined
  setLogLevel('silent')
  const signals = createSignals(client.time.now, (signalled) =>
    store.update((state) => ({ ...state, ...signalled })),
  )
  const watch = createMediaWatch((of) => room === of && beginAnew(of))

  const end = (why: CallEnd) => {
    const before = room
    room = undefined
    watch.stop()
    stopAbsence?.()
    stopAbsence = undefined
    signals.close()
    if (before) letGo(before)
    store.set({ ...OUTSIDE, phase: 'ended', end: why })
  }
  const publish = async (kind: SourceKind, on: boolean) => {
    const of = room
    const me = of?.localParticipant
    if (!me || (on && store.get().asksConsent)) return
    try {
      if (kind === 'microphone') await me.setMicrophoneEnabled(on, microphoneOf(choices))
      else if (kind === 'camera' && !on) await takeCameraBack(me)
      else if (kind === 'camera') await me.setCameraEnabled(true, deviceOf(choices?.cameraId))
      else await me.setScreenShareEnabled(on, SCREEN.source, SCREEN.publish)
      // names of devices are known once one was opened
      if (on) void devices.refresh()
    } catch (error) {
      if (room !== of) return
      const problem = deviceProblemOf(error, isSecureContext)
      // whoever closes the question which screen to share has changed their mind
      if (kind !== 'screen' || problem !== 'refused')
        store.update((state) => ({ ...state, problem: { kind, problem } }))
    }
  }
  const publishWanted = async (of: Room) => {
    if (of.localParticipant.permissions?.canPublish === false) return
    // nobody is recorded unasked: whoever is inside when it begins is told instead, and may leave
    const asksConsent = of.isRecording && !agreed
    store.update((state) => ({ ...state, asksConsent }))
    if (asksConsent) return
    if (wanted.microphone) await publish('microphone', true)
    if (wanted.camera && of === room) await publish('camera', true)
  }
  const follow = (next: Room) => {
    const look = () => room === next && store.update((state) => stateOf(next, state))
    for (const event of CHANGES) next.on(event, look)
    signals.follow(next)
    next
      .on(RoomEvent.RecordingStatusChanged, (recording) => {
        if (recording || room !== next) return
        // the next one is another question
        agreed = false
        if (store.get().asksConsent) void publishWanted(next)
      })
      .on(RoomEvent.TrackSubscribed, hear)
      .on(RoomEvent.TrackMuted, ({ source }, { isLocal }) => {
        // by a moderator too: a connection that is begun anew does not open it again
        if (isLocal && source === Track.Source.Microphone) wanted.microphone = false
      })
      .on(RoomEvent.TrackUnsubscribed, unhear)
      .on(RoomEvent.ParticipantPermissionsChanged, (_, participant) => {
        look()
        if (!participant.isLocal) return
        onPermissions?.()
        signals.entered()
        void publishWanted(next)
      })
  }
  const ended = (of: Room, reason: DisconnectReason | undefined) => {
    if (room !== of) return
    const why = endOfReason(reason)
    if (why) return end(why)
    silence(of)
    closeOpenedTracks(of)
    of.removeAllListeners()
    // the client itself ends it only where the page is left, or put to sleep
    if (reason === DisconnectReason.CLIENT_INITIATED) whenPageIsBack(() => room === of && void comeBack())
    else void comeBack()
  }
  /** Media has ended without a word: whoever is still there comes in once more. */
  const beginAnew = (of: Room) => {
    letGo(of)
    void comeBack()
  }
  /** Comes in with a fresh ticket. @returns whether it did; false: it may be better soon */
  const enter = async (isFirst: boolean): Promise<boolean> => {
    if (!choices) return false
    const next = new Room(optionsFor(choices))
    room = next
    holdOpenedTracks(next)
    follow(next)
    let ticket: Ticket
    try {
      ticket = await getTicket(isFirst ? undefined : lastSid)
    } catch (error) {
      if (room !== next) return true
      if (isFirst) {
        room = undefined
        store.set(OUTSIDE)
        throw error
      }
      const why = endOfRefusal(error)
      if (!why || (why === 'elsewhere' && wasTried)) return false
      end(why)
      return true
    }
    if (room !== next) return true
    next.options.singlePeerConnection = !isOwnMediaServer(ticket.url, location.href)
    try {
      await next.connect(ticket.url ?? '', ticket.token)
      next.on(RoomEvent.Disconnected, (reason) => ended(next, reason))
    } catch (error) {
      next.removeAllListeners()
      wasTried = true
      const why = endOfConnecting(error)
      if (why && room === next) end(why)
      return room !== next
    }
    if (room !== next) return true
    store.update((state) => stateOf(next, { ...state, phase: 'inside' }))
    lastSid = next.localParticipant.sid
    wasTried = false
    stopAbsence ??= watchAbsence(() => end('away'))
    signals.entered()
    watch.start(next)
    await publishWanted(next)
    store.update((state) => (room === next ? stateOf(next, state) : state))
    return true
  }
  const tryAgainAndAgain = async (pauses: readonly number[], lostAt?: number) => {
    for (const pause of pauses) {
      const waitingFor = room
      await new Promise((resolve) => setTimeout(resolve, pause))
      // left, or taken over, meanwhile
      if (room !== waitingFor || store.get().phase === 'ended') return
      // nobody is live again unasked after so long
      if (lostAt !== undefined && Date.now() - lostAt > AWAY_MS) return end('away')
      if (await enter(false)) return
    }
    end('unreachable')
  }
  const comeBack = async () => {
    watch.stop()
    store.update((state) => ({ ...state, phase: 'reconnecting', people: state.people.slice(0, 1) }))
    await tryAgainAndAgain(PAUSES_MS, Date.now())
  }
  return {
    get: store.get,
    subscribe: store.subscribe,
    async join(given) {
      choices = given
      wanted.microphone = given.microphone
      wanted.camera = given.camera
      agreed = given.agreed
      store.set({ ...OUTSIDE, phase: 'connecting' })
      if (!(await enter(true))) await tryAgainAndAgain(PAUSES_MS.slice(1, 4))
    },
    async agree() {
      agreed = true
      if (room && store.get().asksConsent) await publishWanted(room)
    },
    async set(kind, on) {
      if (kind !== 'screen') wanted[kind] = on
      store.update((state) => (state.problem?.kind === kind ? { ...state, problem: undefined } : state))
      await publish(kind, on)
    },
    async chooseDevice(kind, id) {
      choices = choices && { ...choices, [CHOSEN[kind]]: id }
      await room?.switchActiveDevice(kind, id || 'default').catch(() => {})
    },
    async suppressNoise(on) {
      choices = choices && { ...choices, suppressNoise: on }
      const { audioTrack } = room?.localParticipant.getTrackPublication(Track.Source.Microphone) ?? {}
      if (audioTrack instanceof LocalAudioTrack)
        await audioTrack.restartTrack(microphoneOf(choices)).catch(() => {})
    },
    raiseHand: signals.raise,
    react: signals.react,
    playSound: async () => await room?.startAudio().catch(() => {}),
    forgetProblem: () => store.update((state) => ({ ...state, problem: undefined })),
    async leave() {
      const { phase } = store.get()
      if (phase !== 'ended' && phase !== 'outside') end('left')
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

function hear(track: RemoteTrack): void {
  if (track.kind !== Track.Kind.Audio) return
  const element = track.attach()
  element.hidden = true
  document.body.append(element)
}

function unhear(track: RemoteTrack): void {
  if (track.kind === Track.Kind.Audio) for (const element of track.detach()) element.remove()
}

function silence(room: Room): void {
  for (const { audioTrackPublications } of room.remoteParticipants.values())
    for (const { track } of audioTrackPublications.values()) if (track) unhear(track as RemoteTrack)
}

/** Nothing of it is heard or told any more, and what it had open is closed. */
function letGo(room: Room): void {
  room.removeAllListeners()
  silence(room)
  closeOpenedTracks(room)
  void room.disconnect().catch(() => {})
}

function whenPageIsBack(act: () => void): void {
  const once = new AbortController()
  const back = () => {
    once.abort()
    act()
  }
  addEventListener('pageshow', back, { signal: once.signal })
  document.addEventListener('resume', back, { signal: once.signal })
}
