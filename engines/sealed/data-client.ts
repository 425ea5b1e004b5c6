import { once } from 'node:events'
import {
  ConnectionSettings,
  DataPacket,
  DataPacket_Kind,
  JoinRequest,
  type ParticipantInfo,
  ParticipantInfo_State,
  SessionDescription,
  SignalRequest,
  SignalResponse,
  UserPacket,
  WrappedJoinRequest,
} from '@livekit/protocol'
import { RTCPeerConnection } from 'werift'
import { WebSocket } from 'ws'
import { eventually } from '../waiting.ts'

/** A participant without tracks: signals of LiveKit, and packets on the one connection that it offers. */
export interface DataClient {
  identity: string
  /** Everybody inside, itself included. */
  people(): ParticipantInfo[]
  send(payload: Uint8Array, topic: string, to?: string[]): void
  close(): void
}

export interface DataListeners {
  onPeople(): void
  /** @param from the identity of the sender; empty: the office */
  onPacket(payload: Uint8Array, topic: string, from: string): void
}

const PING_EVERY_MS = 5_000
const PATIENCE = { withinMs: 60_000, everyMs: 20 }

export async function joinWithData(url: string, token: string, on: DataListeners): Promise<DataClient> {
  const pc = new RTCPeerConnection({
    ...{
      iceServers: [],
      iceUseIpv6: false,
      iceAdditionalHostAddresses: ['127.0.0.1'],
      bundlePolicy: 'max-bundle',
    },
  })
  const channel = pc.createDataChannel('_reliable')
  channel.onMessage.subscribe((data) => {
    const packet = DataPacket.fromBinary(Buffer.from(data as Buffer))
    const { value: said, case: kind } = packet.value
    if (kind === 'user') on.onPacket(said.payload, said.topic ?? '', packet.participantIdentity)
  })
  await pc.setLocalDescription(await pc.createOffer())
  const offer = { type: 'offer', sdp: pc.localDescription?.sdp ?? '', id: 1 }
  const socket = new WebSocket(addressOf(url, token, new SessionDescription(offer)))
  const inside = new Map<string, ParticipantInfo>()
  let [identity, isAnswered] = ['', false]
  const take = ({ message }: SignalResponse) => {
    if (message.case === 'join') identity = message.value.participant?.identity ?? ''
    if (message.case === 'answer') {
      isAnswered = true
      void pc.setRemoteDescription({ type: 'answer', sdp: message.value.sdp })
    }
    const told = participantsOf(message)
    for (const one of told)
      if (one.state === ParticipantInfo_State.DISCONNECTED) inside.delete(one.identity)
      else inside.set(one.identity, one)
    if (told.length > 0) on.onPeople()
  }
  socket.on('message', (data: Buffer) => take(SignalResponse.fromBinary(data)))
  await once(socket, 'open')
  const signal = (message: SignalRequest['message']) => socket.send(new SignalRequest({ message }).toBinary())
  const pings = setInterval(() => signal({ case: 'ping', value: BigInt(Date.now()) }), PING_EVERY_MS)
  socket.once('close', () => clearInterval(pings))
  await eventually('the packets have a way', () => isAnswered && channel.readyState === 'open', PATIENCE)
  return {
    identity,
    people: () => [...inside.values()],
    send(payload, topic, to = []) {
      const user = new UserPacket({ payload: Buffer.from(payload), topic, destinationIdentities: to })
      const packet = new DataPacket({
        ...{
          kind: DataPacket_Kind.RELIABLE,
          destinationIdentities: to,
          value: { case: 'user', value: user },
        },
      })
      channel.send(Buffer.from(packet.toBinary()))
    },
    close() {
      signal({ case: 'leave', value: {} as never })
      socket.close()
      void pc.close()
    },
  }
}

function addressOf(url: string, token: string, publisherOffer: SessionDescription): string {
  const connectionSettings = new ConnectionSettings({ autoSubscribe: false })
  const joinRequest = new JoinRequest({ publisherOffer, connectionSettings }).toBinary()
  const wrapped = Buffer.from(new WrappedJoinRequest({ joinRequest }).toBinary()).toString('base64url')
  return `${url.replace(/^http/, 'ws')}/rtc/v1?protocol=15&access_token=${token}&join_request=${wrapped}`
}

function participantsOf(message: SignalResponse['message']): ParticipantInfo[] {
  if (message.case === 'update') return message.value.participants
  if (message.case !== 'join') return []
  const { participant, otherParticipants } = message.value
  return [...(participant ? [participant] : []), ...otherParticipants]
}
