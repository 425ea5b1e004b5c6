import { createLocalVideoTrack, Room, RoomEvent, Track, VideoPresets } from 'livekit-client'
import { publishBeacon as publishBeaconIn } from './beacon.ts'
import { type Figures, figuresOf, type MediaState, mediaOf, sentOf } from './room-media.ts'

/**
 * A page with the official client, unchanged: bundled for the browser as a front end would bundle it, with the options
 * of a web office. pages.ts opens it, and asks what it hears and sees.
 */
export interface RoomPage {
  /** @throws in the client's words */
  enter(url: string, token: string): Promise<void>
  publish(what: 'camera' | 'microphone' | 'screen', on: boolean): Promise<void>
  /** One more camera of the same person. @throws in the client's words */
  publishAnotherCamera(): Promise<void>
  /** A camera that flashes and a microphone that beeps at the same moment, over and over. */
  publishBeacon(): Promise<void>
  /** @throws in the client's words */
  rename(name: string): Promise<void>
  say(text: string): Promise<void>
  /** Hides the pictures, or shows them again. */
  look(on: boolean): void
  leave(): Promise<void>
  /** Drops the socket of signals, as a network does. */
  cut(): void
  state(): Promise<RoomState>
  figures(): Promise<Figures[]>
}

export interface RoomState {
  connection: string
  /** What has happened, in order. */
  events: string[]
  /** Identities of the others. */
  others: string[]
  /** By identity: name, metadata and attributes, as text. */
  about: Record<string, string>
  /** By identity, `me` for one's own. */
  quality: Record<string, string>
  /** Identities of those who have spoken. */
  spoke: string[]
  mayPublish: boolean
  recorded: boolean
  /** What others publish and is subscribed here, by `identity source`. */
  media: Record<string, MediaState>
  /** Pictures that were encoded of each layer of one's own camera. */
  sent: Record<string, number>
  said: string[]
}

let room: Room | undefined
let began = 0
const events: string[] = []
const said: string[] = []
const spoke = new Set<string>()
const publishedAt = new Map<string, number>()
/** Milliseconds until the first picture of each track. */
const firstPictures = new Map<string, number>()

async function enter(url: string, token: string): Promise<void> {
  const singlePeerConnection = !('twoConnections' in globalThis)
  const next = new Room({ adaptiveStream: true, dynacast: true, singlePeerConnection })
  room = next
  next
    .on(RoomEvent.Disconnected, (reason) => events.push(`disconnected ${reason}`))
    .on(RoomEvent.SignalReconnecting, () => events.push('signal reconnecting'))
    .on(RoomEvent.Reconnecting, () => events.push('reconnecting'))
    .on(RoomEvent.Reconnected, () => events.push('reconnected'))
    .on(RoomEvent.RecordingStatusChanged, (is) => events.push(is ? 'recorded' : 'not recorded'))
    .on(RoomEvent.LocalTrackSubscribed, ({ source }) => events.push(`received ${source}`))
    .on(RoomEvent.DataReceived, (bytes, from, _kind, topic) => {
      said.push(`${from?.identity ?? topic}: ${new TextDecoder().decode(bytes)}`)
    })
    .on(RoomEvent.ActiveSpeakersChanged, (speakers) => {
      for (const { identity } of speakers) spoke.add(identity)
    })
    .on(RoomEvent.TrackPublished, ({ trackSid }) => publishedAt.set(trackSid, performance.now()))
    .on(RoomEvent.TrackSubscribed, (track, { trackSid }) => {
      const element = track.attach()
      document.body.append(element)
      if (element instanceof HTMLVideoElement)
        element.requestVideoFrameCallback((now) => {
          if (!firstPictures.has(trackSid))
            firstPictures.set(trackSid, now - Math.max(began, publishedAt.get(trackSid) ?? 0))
        })
    })
    .on(RoomEvent.TrackUnsubscribed, (track) => {
      for (const element of track.detach()) element.remove()
    })
  began = performance.now()
  await next.connect(url, token)
}

async function publish(what: 'camera' | 'microphone' | 'screen', on: boolean): Promise<void> {
  const me = room?.localParticipant
  if (what === 'camera') await me?.setCameraEnabled(on, { resolution: VideoPresets.h360.resolution })
  if (what === 'microphone') await me?.setMicrophoneEnabled(on)
  if (what === 'screen') await me?.setScreenShareEnabled(on)
}

async function publishAnotherCamera(): Promise<void> {
  const track = await createLocalVideoTrack({ resolution: VideoPresets.h180.resolution })
  await room?.localParticipant.publishTrack(track, { source: Track.Source.Camera })
}

const publishBeacon = async () => room && publishBeaconIn(room)

const rename = async (name: string) => room?.localParticipant.setName(name)

async function say(text: string): Promise<void> {
  await room?.localParticipant.publishData(new TextEncoder().encode(text), { reliable: true })
}

function look(on: boolean): void {
  for (const element of document.querySelectorAll('video')) element.style.display = on ? '' : 'none'
}

function cut(): void {
  const engine = room?.engine as unknown as { client: { ws: { close(): void } } }
  engine.client.ws.close()
}

async function state(): Promise<RoomState> {
  const others = [...(room?.remoteParticipants.values() ?? [])]
  const me = room?.localParticipant
  const about = others.map(({ identity, name, metadata, attributes }) => [
    identity,
    JSON.stringify({ name, metadata, attributes }),
  ])
  const quality = others.map(({ identity, connectionQuality }) => [identity, connectionQuality])
  return {
    connection: String(room?.state),
    events: [...events],
    others: others.map(({ identity }) => identity),
    about: Object.fromEntries(about),
    quality: Object.fromEntries([...quality, ['me', me?.connectionQuality ?? '']]),
    spoke: [...spoke],
    mayPublish: me?.permissions?.canPublish ?? false,
    recorded: room?.isRecording ?? false,
    media: await mediaOf(others),
    sent: await sentOf(me?.getTrackPublication(Track.Source.Camera)),
    said: [...said],
  }
}

const figures = () => figuresOf([...(room?.remoteParticipants.values() ?? [])], firstPictures)
async function leave(): Promise<void> {
  await room?.disconnect()
  for (const element of document.querySelectorAll('audio, video')) element.remove()
}

const page = {
  enter,
  publish,
  publishAnotherCamera,
  publishBeacon,
  rename,
  say,
  look,
  leave,
  cut,
  state,
  figures,
}
Object.assign(globalThis, { roomPage: page satisfies RoomPage })
