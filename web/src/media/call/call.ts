import { createStore } from '@atrium/client/store'
import { DisconnectReason, Room, RoomEvent, setLogLevel, Track } from 'livekit-client'
import { client } from '../../live/office-client.ts'
import { createActivityReports } from '../activity-reports.ts'
import { type Call, type CallState, type Entrance, OUTSIDE, type Ticket } from '../call-state.ts'
import { closeOpenedTracks, holdOpenedTracks } from '../devices/opened-tracks.ts'
import { isOwnMediaServer } from '../own-media-server.ts'
import { optionsFor } from '../room-options.ts'
import type { SealedCall } from '../sealing/sealing.ts'
import { createSignals } from '../signals/follow-signals.ts'
import { AWAY_MS, watchAbsence } from '../watch/absence.ts'
import { createMediaWatch } from '../watch/watch-media.ts'
import { type CallEnd, endOfConnecting, endOfReason, endOfRefusal } from './call-end.ts'
import { stateOf } from './call-snapshot.ts'
import { hear, letGo, silence, unhear } from './hearing.ts'
import { createOwnMedia } from './own-media.ts'

/** The connection says nothing new for so long, in turns, before it is given up. */
const PAUSES_MS = [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

const CHANGES = [
  ...[RoomEvent.ParticipantConnected, RoomEvent.ParticipantDisconnected, RoomEvent.ParticipantNameChanged],
  RoomEvent.ParticipantAttributesChanged,
  ...[RoomEvent.TrackSubscribed, RoomEvent.TrackUnsubscribed, RoomEvent.TrackMuted, RoomEvent.TrackUnmuted],
  ...[RoomEvent.LocalTrackPublished, RoomEvent.LocalTrackUnpublished, RoomEvent.ActiveSpeakersChanged],
  ...[RoomEvent.ConnectionQualityChanged, RoomEvent.ConnectionStateChanged],
  ...[RoomEvent.RecordingStatusChanged, RoomEvent.AudioPlaybackStatusChanged],
] as const

export function createCall({ getTicket, getSealing, onPermissions, tellActivity }: Entrance): Call {
  const store = createStore<CallState>(OUTSIDE)
  const reports = tellActivity && createActivityReports(tellActivity)
  if (reports) store.subscribe(() => reports.look(store.get()))
  let room: Room | undefined
  /** Of the connection that one was inside by last, as the media server names it. */
  let lastSid: string | undefined
  /** A connection was tried since, in vain: the media server may take what is left of it for another device. */
  let wasTried = false
  let stopAbsence: (() => void) | undefined
  let sealed: SealedCall | undefined
  setLogLevel('silent')
  const signals = createSignals(client.time.now, (signalled) =>
    store.update((state) => ({ ...state, ...signalled })),
  )
  const own = createOwnMedia(store, () => room)
  const watch = createMediaWatch((of) => room === of && beginAnew(of))

  const end = (why: CallEnd) => {
    const before = room
    room = undefined
    watch.stop()
    stopAbsence?.()
    stopAbsence = undefined
    signals.close()
    sealed?.close()
    sealed = undefined
    if (before) letGo(before)
    store.set({ ...OUTSIDE, phase: 'ended', end: why })
  }
  const follow = (next: Room) => {
    const look = () => {
      if (room !== next) return
      sealed?.look(next)
      store.update((state) => stateOf(next, state))
      own.lookForBots()
    }
    for (const event of CHANGES) next.on(event, look)
    signals.follow(next)
    next
      .on(RoomEvent.RecordingStatusChanged, (recording) => {
        if (!recording && room === next) own.recordingEnded(next)
      })
      .on(RoomEvent.TrackSubscribed, hear)
      .on(RoomEvent.TrackMuted, ({ source }, { isLocal }) => {
        // by a moderator too
        if (isLocal && source === Track.Source.Microphone) own.microphoneMuted()
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
  /** Nothing of a sealed room is sent before there is a key. */
  const publishWanted = async (of: Room) => {
    if (of.localParticipant.permissions?.canPublish === false) return
    await sealed?.hasKey()
    if (room === of) await own.publishWanted(of)
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
  /** Media has ended without a word: a person who is still there comes in once more. */
  const beginAnew = (of: Room) => {
    letGo(of)
    void comeBack()
  }
  /** Comes in with a fresh ticket. @returns whether it did; false: it may be better soon */
  const enter = async (isFirst: boolean): Promise<boolean> => {
    const choices = own.choices()
    if (!choices) return false
    const encryption = sealed ? await sealed.options() : {}
    // left while the encryption was opened
    if (sealed && store.get().phase === 'ended') return true
    const next = new Room({ ...optionsFor(choices), ...encryption })
    room = next
    holdOpenedTracks(next)
    follow(next)
    let ticket: Ticket
    try {
      ticket = own.told(await getTicket(isFirst ? undefined : lastSid), { isFirst })
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
      if (sealed) await next.setE2EEEnabled(true)
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
    sealed?.look(next)
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
      // after so long, going live again needs a question
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
    async join(choices) {
      own.begin(choices)
      store.set({ ...OUTSIDE, phase: 'connecting' })
      const open = await getSealing?.().catch((error: unknown) => {
        store.set(OUTSIDE)
        throw error
      })
      sealed = open?.((sealing) => store.update((state) => ({ ...state, sealing })))
      if (!(await enter(true))) await tryAgainAndAgain(PAUSES_MS.slice(1, 4))
    },
    ...own.controls,
    raiseHand: signals.raise,
    react: signals.react,
    playSound: async () => await room?.startAudio().catch(() => {}),
    acceptKeys: () => sealed?.accept(),
    forgetProblem: () => store.update((state) => ({ ...state, problem: undefined })),
    async leave() {
      const { phase } = store.get()
      if (phase !== 'ended' && phase !== 'outside') end('left')
    },
  }
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
