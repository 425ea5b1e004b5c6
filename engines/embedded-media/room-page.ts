import { Room, RoomEvent, Track } from 'livekit-client'

/**
 * A page with the official client, unchanged: bundled for the browser as a front end would bundle it. pages.ts opens
 * it, and asks what it hears and sees.
 */
export interface RoomPage {
  /** @throws in the client's words */
  enter(url: string, token: string): Promise<void>
  publish(what: 'camera' | 'microphone' | 'screen', on: boolean): Promise<void>
  say(text: string): Promise<void>
  leave(): Promise<void>
  /** Drops the socket of signals, as a network does. */
  cut(): void
  state(): Promise<RoomState>
}

export interface RoomState {
  connection: string
  /** What has happened, in order. */
  events: string[]
  /** Identities of the others. */
  others: string[]
  mayPublish: boolean
  /** What others publish and is subscribed here, by `identity source`. */
  media: Record<string, { frames: number; samples: number; muted: boolean }>
  said: string[]
}

let room: Room | undefined
const events: string[] = []
const said: string[] = []

async function enter(url: string, token: string): Promise<void> {
  const next = new Room({ adaptiveStream: false, dynacast: false })
  room = next
  next
    .on(RoomEvent.Disconnected, (reason) => events.push(`disconnected ${reason}`))
    .on(RoomEvent.SignalReconnecting, () => events.push('signal reconnecting'))
    .on(RoomEvent.Reconnecting, () => events.push('reconnecting'))
    .on(RoomEvent.Reconnected, () => events.push('reconnected'))
    .on(RoomEvent.DataReceived, (bytes, from) => {
      said.push(`${from?.identity ?? '?'}: ${new TextDecoder().decode(bytes)}`)
    })
    .on(RoomEvent.TrackSubscribed, (track) => {
      document.body.append(track.attach())
    })
    .on(RoomEvent.TrackUnsubscribed, (track) => {
      for (const element of track.detach()) element.remove()
    })
  await next.connect(url, token)
}

async function publish(what: 'camera' | 'microphone' | 'screen', on: boolean): Promise<void> {
  const me = room?.localParticipant
  if (what === 'camera') await me?.setCameraEnabled(on)
  if (what === 'microphone') await me?.setMicrophoneEnabled(on)
  if (what === 'screen') await me?.setScreenShareEnabled(on)
}

async function say(text: string): Promise<void> {
  await room?.localParticipant.publishData(new TextEncoder().encode(text), { reliable: true })
}

function cut(): void {
  const engine = room?.engine as unknown as { client: { ws: { close(): void } } }
  engine.client.ws.close()
}

async function state(): Promise<RoomState> {
  const media: RoomState['media'] = {}
  for (const participant of room?.remoteParticipants.values() ?? [])
    for (const publication of participant.trackPublications.values()) {
      if (!publication.track) continue
      const report = await publication.track.getRTCStatsReport()
      const inbound = [...(report?.values() ?? [])].find(({ type }) => type === 'inbound-rtp')
      media[`${participant.identity} ${publication.source}`] = {
        frames: inbound?.framesDecoded ?? 0,
        samples: publication.kind === Track.Kind.Audio ? (inbound?.totalSamplesReceived ?? 0) : 0,
        muted: publication.isMuted,
      }
    }
  return {
    connection: String(room?.state),
    events: [...events],
    others: [...(room?.remoteParticipants.keys() ?? [])],
    mayPublish: room?.localParticipant.permissions?.canPublish ?? false,
    media,
    said: [...said],
  }
}

const leave = async () => room?.disconnect()
Object.assign(globalThis, { roomPage: { enter, publish, say, leave, cut, state } })
