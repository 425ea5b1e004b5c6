import { type RemoteTrack, Room } from 'livekit-client'
import { arrivedSamples } from '../../arrived-sound.ts'

/**
 * A page with some version of livekit-client, unchanged: only what all of them have is called. browser-clients.ts opens
 * it, with the version that it names.
 */
export interface PersonPage {
  /** @throws in the client's words */
  enter(url: string, token: string): Promise<void>
  publish(): Promise<void>
  say(text: string): Promise<void>
  state(): Promise<PersonState>
  leave(): Promise<void>
}

export interface PersonState {
  /** Pictures that were shown, and whether anything is heard: of all that is subscribed. */
  pictures: number
  samples: number
  said: string[]
}

const said: string[] = []
const heard = new Set<RemoteTrack>()
let room: Room | undefined

async function enter(url: string, token: string): Promise<void> {
  const next = new Room({ adaptiveStream: true, dynacast: true })
  room = next
  next
    // names of events have not changed, and are told apart by no version
    .on('dataReceived' as never, ((bytes: Uint8Array) => said.push(new TextDecoder().decode(bytes))) as never)
    .on(
      'trackSubscribed' as never,
      ((track: RemoteTrack) => {
        heard.add(track)
        document.body.append(track.attach())
      }) as never,
    )
  await next.connect(url, token)
}

async function publish(): Promise<void> {
  await room?.localParticipant.setCameraEnabled(true)
  await room?.localParticipant.setMicrophoneEnabled(true)
}

async function say(text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text)
  // before 2.0 the second argument is a kind: 0 is reliable
  const publishData = room?.localParticipant.publishData as unknown as (...given: unknown[]) => Promise<void>
  await publishData.call(room?.localParticipant, bytes, 'liveKitOne' in globalThis ? 0 : { reliable: true })
}

async function state(): Promise<PersonState> {
  const videos = [...document.querySelectorAll('video')]
  const pictures = videos.map((one) => one.getVideoPlaybackQuality().totalVideoFrames)
  let samples = 0
  for (const { receiver } of heard)
    for (const report of (await receiver?.getStats())?.values() ?? [])
      if (report.type === 'inbound-rtp' && report.kind === 'audio') samples += arrivedSamples(report)
  return { pictures: pictures.reduce((sum, one) => sum + one, 0), samples, said: [...said] }
}

const page: PersonPage = { enter, publish, say, state, leave: async () => room?.disconnect() }
Object.assign(globalThis, { personPage: page })
