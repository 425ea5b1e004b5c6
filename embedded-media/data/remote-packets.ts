import { DataPacket, RpcRequest } from '@livekit/protocol'
import type { RemoteAnswer, RemoteCall } from '../messages.ts'

/** The calls that one client has not answered yet. */
export interface RemotePackets {
  packetOf(call: RemoteCall): DataPacket
  /** @returns undefined where a packet answers none of them: it is for others */
  answerIn(packet: Buffer): RemoteAnswer | undefined
}

/** A client that answers nothing keeps the latest. */
const UNANSWERED_MAX = 100
const VERSION = 1
const NO_ERROR = { code: 0, message: '', data: '' }

export function openRemotePackets(): RemotePackets {
  const unanswered = new Set<string>()
  return {
    packetOf({ id, method, payload, responseTimeoutMs }) {
      const [oldest] = unanswered
      if (oldest !== undefined && unanswered.size >= UNANSWERED_MAX) unanswered.delete(oldest)
      unanswered.add(id)
      const value = new RpcRequest({ id, method, payload, responseTimeoutMs, version: VERSION })
      // by the caller's identity the client addresses its answer
      return new DataPacket({ participantIdentity: id, value: { case: 'rpcRequest', value } })
    },
    answerIn(bytes) {
      if (unanswered.size === 0) return undefined
      const said = parse(bytes)?.value
      if (said?.case === 'rpcAck' && unanswered.has(said.value.requestId))
        return { is: 'acknowledged', id: said.value.requestId }
      if (said?.case !== 'rpcResponse' || !unanswered.delete(said.value.requestId)) return undefined
      const { requestId: id, value } = said.value
      if (value.case === 'payload') return { is: 'answered', id, payload: value.value }
      const { code, message, data } = value.case === 'error' ? value.value : NO_ERROR
      return { is: 'failed', id, error: { code, message, data } }
    },
  }
}

function parse(bytes: Buffer): DataPacket | undefined {
  try {
    return DataPacket.fromBinary(bytes)
  } catch {
    return undefined
  }
}
