import { Pong, SignalRequest, SignalResponse } from '@livekit/protocol'
import type { RawData, WebSocket } from 'ws'

export type SignalMessage = NonNullable<SignalRequest['message']>
export type SignalAnswer = NonNullable<SignalResponse['message']>

/** One WebSocket of a client: LiveKit's signals, decoded. */
export interface Signal {
  send(message: SignalAnswer): void
  /** Called with what comes in; until then it waits. */
  onMessage(listener: (message: SignalMessage) => void): void
  /** Once, however it ends. */
  onClose(listener: () => void): void
  close(): void
}

/** The offer of a client that sees a dozen people is below 64 KiB. */
export const SIGNAL_BYTES_MAX = 256 * 1024
/** Offered to clients, which ping and give up by it. */
export const PING_INTERVAL_SECONDS = 5
export const PING_TIMEOUT_SECONDS = 15
const SILENT_MS = 30_000
/** A client that publishes sends some dozen at once; none sends so many for long. */
const MESSAGES_PER_WINDOW = 400
const WINDOW_MS = 2_000
const UNSENT_BYTES_MAX = 4 * 1024 * 1024
const POLICY_VIOLATION = 1008
const UNSUPPORTED_DATA = 1003

export interface SignalOptions {
  /** Charges so many bytes, and says for how many milliseconds nothing more is read. */
  charge(bytes: number): number
  onFault(error: unknown): void
}

export function openSignal(ws: WebSocket, { charge, onFault }: SignalOptions): Signal {
  const waiting: SignalMessage[] = []
  let listener: ((message: SignalMessage) => void) | undefined
  let text = false
  let [windowBegan, inWindow] = [performance.now(), 0]
  const silence = setTimeout(() => ws.terminate(), SILENT_MS)
  let resting: NodeJS.Timeout | undefined

  const send = (message: SignalAnswer) => {
    if (ws.readyState !== ws.OPEN) return
    // a client that reads nothing is not waited for
    if (ws.bufferedAmount > UNSENT_BYTES_MAX) return ws.terminate()
    const response = new SignalResponse({ message })
    ws.send(text ? response.toJsonString() : response.toBinary())
  }
  const restFor = (milliseconds: number) => {
    if (milliseconds === 0) return
    ws.pause()
    clearTimeout(resting)
    resting = setTimeout(() => {
      silence.refresh()
      ws.resume()
    }, milliseconds)
  }
  const take = (message: SignalMessage) => {
    if (message.case === 'ping') return send({ case: 'pong', value: BigInt(Date.now()) })
    if (message.case === 'pingReq') {
      const value = new Pong({
        lastPingTimestamp: message.value.timestamp,
        timestamp: BigInt(Date.now()),
      })
      return send({ case: 'pongResp', value })
    }
    if (!listener) return void waiting.push(message)
    try {
      listener(message)
    } catch (error) {
      onFault(error)
      ws.close(POLICY_VIOLATION)
    }
  }
  ws.on('message', (data: RawData, isBinary: boolean) => {
    // what comes after it was closed is not of interest, however long the other side takes
    if (ws.readyState !== ws.OPEN) return
    silence.refresh()
    const now = performance.now()
    if (now - windowBegan > WINDOW_MS) [windowBegan, inWindow] = [now, 0]
    inWindow += 1
    if (inWindow > MESSAGES_PER_WINDOW) return ws.close(POLICY_VIOLATION, 'too many signals')
    restFor(charge((data as Buffer).byteLength))
    text = !isBinary
    const message = decode(data as Buffer, isBinary)
    if (message === undefined) return ws.close(UNSUPPORTED_DATA, 'no signal of LiveKit')
    if (message.case !== undefined) take(message as SignalMessage)
  })
  ws.on('error', () => ws.terminate())
  ws.on('close', () => {
    clearTimeout(silence)
    clearTimeout(resting)
  })
  return {
    send,
    onMessage(next) {
      listener = next
      for (const message of waiting.splice(0)) take(message)
    },
    onClose: (next) => void ws.once('close', next),
    close: () => ws.close(1000),
  }
}

function decode(data: Buffer, isBinary: boolean): SignalRequest['message'] | undefined {
  try {
    return isBinary
      ? SignalRequest.fromBinary(data).message
      : SignalRequest.fromJsonString(data.toString('utf8'), { ignoreUnknownFields: true }).message
  } catch {
    return undefined
  }
}
