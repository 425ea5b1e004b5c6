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
const NORMAL = 1000
const POLICY_VIOLATION = 1008
const UNSUPPORTED_DATA = 1003

export interface SignalOptions {
  /** Charges so many bytes, and says for how many milliseconds nothing more is read. */
  charge(bytes: number): number
  onFault(error: unknown): void
}

/** One socket, for the functions below. */
interface Line {
  readonly ws: WebSocket
  readonly options: SignalOptions
  readonly waiting: SignalMessage[]
  listener: ((message: SignalMessage) => void) | undefined
  /** The client writes JSON. */
  text: boolean
  windowBegan: number
  inWindow: number
  readonly silence: NodeJS.Timeout
  resting: NodeJS.Timeout | undefined
}

export function openSignal(ws: WebSocket, options: SignalOptions): Signal {
  const line: Line = {
    ...{ ws, options, waiting: [], listener: undefined, text: false },
    ...{ windowBegan: performance.now(), inWindow: 0, resting: undefined },
    silence: setTimeout(() => ws.terminate(), SILENT_MS),
  }
  ws.on('message', (data: RawData, isBinary: boolean) => read(line, data as Buffer, isBinary))
  ws.on('error', () => ws.terminate())
  ws.on('close', () => {
    clearTimeout(line.silence)
    clearTimeout(line.resting)
  })
  return {
    send: (message) => send(line, message),
    onMessage(next) {
      line.listener = next
      for (const message of line.waiting.splice(0)) take(line, message)
    },
    onClose: (next) => void ws.once('close', next),
    close: () => close(line, NORMAL),
  }
}

function send({ ws, text }: Line, message: SignalAnswer): void {
  if (ws.readyState !== ws.OPEN) return
  // a client that reads nothing is not waited for
  if (ws.bufferedAmount > UNSENT_BYTES_MAX) {
    ws.terminate()
    return
  }
  const response = new SignalResponse({ message })
  ws.send(text ? response.toJsonString() : response.toBinary())
}

function read(line: Line, data: Buffer, isBinary: boolean): void {
  const { ws, silence, options } = line
  // what comes after it was closed is not of interest, however long the other side takes
  if (ws.readyState !== ws.OPEN) return
  silence.refresh()
  if (isTooOften(line)) {
    close(line, POLICY_VIOLATION, 'too many signals')
    return
  }
  restFor(line, options.charge(data.byteLength))
  line.text = !isBinary
  const message = decode(data, isBinary)
  if (message === undefined) close(line, UNSUPPORTED_DATA, 'no signal of LiveKit')
  else if (message.case !== undefined) take(line, message as SignalMessage)
}

function isTooOften(line: Line): boolean {
  const now = performance.now()
  if (now - line.windowBegan > WINDOW_MS) Object.assign(line, { windowBegan: now, inWindow: 0 })
  line.inWindow += 1
  return line.inWindow > MESSAGES_PER_WINDOW
}

function restFor(line: Line, milliseconds: number): void {
  if (milliseconds === 0) return
  line.ws.pause()
  clearTimeout(line.resting)
  line.resting = setTimeout(() => {
    line.silence.refresh()
    line.ws.resume()
  }, milliseconds)
}

/** Of a socket that rests, the client's answer would be read only after the rest. */
function close({ ws, resting }: Line, code: number, reason?: string): void {
  clearTimeout(resting)
  ws.resume()
  ws.close(code, reason)
}

function take(line: Line, message: SignalMessage): void {
  const { listener, waiting, options } = line
  if (message.case === 'ping') send(line, { case: 'pong', value: BigInt(Date.now()) })
  else if (message.case === 'pingReq') {
    const lastPingTimestamp = message.value.timestamp
    const value = new Pong({ lastPingTimestamp, timestamp: BigInt(Date.now()) })
    send(line, { case: 'pongResp', value })
  } else if (!listener) waiting.push(message)
  else
    try {
      listener(message)
    } catch (error) {
      options.onFault(error)
      close(line, POLICY_VIOLATION)
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
