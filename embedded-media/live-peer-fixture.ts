import {
  ConnectionSettings,
  DataPacket,
  JoinRequest,
  SessionDescription,
  WrappedJoinRequest,
} from '@livekit/protocol'
import { connectSignals, type SignalClient, tokenFor, until } from './live-media-fixture.ts'
import { openConnection } from './live-voice-fixture.ts'

/** Everything on one connection, by offers that are made here: what livekit-client does by default. */
export async function enterByOne(
  { baseUrl, room, identity }: { baseUrl: string; room: string; identity: string },
  sections: number,
) {
  const pc = openConnection()
  const channel = pc.createDataChannel('_reliable')
  const heard = new Set<string>()
  const told: DataPacket[] = []
  channel.onMessage.subscribe((data) => told.push(DataPacket.fromBinary(Buffer.from(data))))
  const addSections = (count: number) => {
    for (let one = 0; one < count; one += 1) {
      const transceiver = pc.addTransceiver('audio', { direction: 'recvonly' })
      transceiver.onTrack.subscribe((track) =>
        track.onReceiveRtp.subscribe(() => heard.add(transceiver.mid ?? '')),
      )
    }
  }
  let id = 0
  const offer = async () => {
    await pc.setLocalDescription(await pc.createOffer())
    id += 1
    return new SessionDescription({ type: 'offer', sdp: pc.localDescription?.sdp ?? '', id })
  }
  addSections(sections)
  const joinRequest = new JoinRequest({
    connectionSettings: new ConnectionSettings({ autoSubscribe: true }),
    publisherOffer: await offer(),
  }).toBinary()
  const text = Buffer.from(new WrappedJoinRequest({ joinRequest }).toBinary()).toString('base64url')
  const token = await tokenFor(room, identity)
  const client = await connectSignals(baseUrl, token, `&join_request=${text}`, '/rtc/v1')
  return {
    client,
    told,
    say: (packet: DataPacket) => channel.send(Buffer.from(packet.toBinary())),
    close: () => pc.close(),
    /** Tracks of which something has come. */
    heard: () => [...heard].map((mid) => answerTo(client, id)?.midToTrackId[mid]).sort(),
    async settle() {
      await until(() => answerTo(client, id) !== undefined)
      await pc.setRemoteDescription({ type: 'answer', sdp: answerTo(client, id)?.sdp ?? '' })
    },
    async offerMore(count: number) {
      addSections(count)
      client.send({ case: 'offer', value: await offer() })
    },
  }
}

const answerTo = (client: SignalClient, id: number) =>
  client.all('answer').find(({ value }) => value.id === id)?.value
