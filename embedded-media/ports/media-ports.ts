import type { Socket } from 'node:dgram'
import { isIPv4 } from 'node:net'
import { Connection, isStunMessage, parseMessage, UdpTransport } from 'werift'
import { heardFrom } from './consent.ts'

/** What the library keeps to itself, and does not guard. */
interface IceAgent {
  stunServer: unknown
  turnServer: unknown
  localUsername: string
  localPassword: string
  /** Passwords of this agent by user name, also those from before a restart. */
  userHistory: Record<string, string>
  remoteCandidates: readonly unknown[]
  applyStunTurnServersFromOptions(): void
  ensureProtocol(protocol: Port): void
  addRemoteCandidate(candidate: { host: string } | undefined): Promise<void>
}

interface Port {
  datagramReceived(data: Buffer, from: readonly [string, number]): void
}

interface UdpOpening {
  socket: Socket
  init(): Promise<void>
}

/** The system gives less where it does not allow as much. */
const RECEIVE_BUFFER_BYTES = 2 * 1024 * 1024
/** Nothing of a client is longer than a packet of a network. */
const DATAGRAM_BYTES_MAX = 2_048
/** Three layers of a camera, a screen and a voice are some 700. */
const DATAGRAMS_PER_SECOND = 2_000
/** Of one client, by all the networks that it has been in. */
const SOURCES_MAX = 64
const CANDIDATES_MAX = 64
const STUN_CLASS = 0x0110
const RECORD_HEADER_BYTES = 13
const RECORDS = { first: 20, alert: 21, applicationData: 23, last: 63 }

/**
 * Any host that reaches a port of media can send there. From here on only the client of that port gets through: by checks
 * that are signed with what was agreed on by signals, and with anything else from where such checks came. And nothing is
 * asked of servers of others: without any, the library asks a public one.
 */
export function guardMediaPorts(): void {
  const agent = Connection.prototype as unknown as IceAgent
  const { ensureProtocol, addRemoteCandidate } = agent
  agent.applyStunTurnServersFromOptions = function ours(this: IceAgent) {
    this.stunServer = undefined
    this.turnServer = undefined
  }
  agent.ensureProtocol = function guarded(this: IceAgent, port: Port) {
    ensureProtocol.call(this, port)
    guardPort(this, port)
  }
  // a name would be looked up, and each address is sent checks to
  agent.addRemoteCandidate = async function few(this: IceAgent, candidate) {
    if (candidate && (!isIPv4(candidate.host) || this.remoteCandidates.length >= CANDIDATES_MAX)) return
    await addRemoteCandidate.call(this, candidate)
  }
  widenReceiveBuffers()
}

function guardPort(agent: IceAgent, port: Port): void {
  const sources = new Set<string>()
  const receive = port.datagramReceived
  let [second, inSecond] = [0, 0]
  const isTooMuch = () => {
    const now = Math.floor(performance.now() / 1_000)
    if (now !== second) [second, inSecond] = [now, 0]
    inSecond += 1
    return inSecond > DATAGRAMS_PER_SECOND
  }
  const mayPass = (data: Buffer, source: string) => {
    if (data.byteLength > DATAGRAM_BYTES_MAX) return false
    if (!isStunMessage(data)) return sources.has(source) && !hasClearRecord(data)
    // answers are held to what was asked by the library
    if ((data.readUInt16BE(0) & STUN_CLASS) !== 0) return true
    if (!sources.has(source) && sources.size >= SOURCES_MAX) return false
    if (!isSigned(data, agent)) return false
    heardFrom(agent)
    sources.add(source)
    return true
  }
  port.datagramReceived = (data, from) => {
    if (mayPass(data, `${from[0]}:${from[1]}`) && !isTooMuch()) receive.call(port, data, from)
  }
}

function isSigned(data: Buffer, { localUsername, localPassword, userHistory }: IceAgent): boolean {
  const username: unknown = parseMessage(data)?.getAttributeValue('USERNAME')
  const ours = typeof username === 'string' ? (username.split(':')[0] ?? '') : ''
  const known = Object.hasOwn(userHistory, ours) ? userHistory[ours] : undefined
  const password = ours === localUsername ? localPassword : known
  return password !== undefined && parseMessage(data, Buffer.from(password)) !== undefined
}

/**
 * An alert ends a connection, and data of an application is believed: neither is ever sent in the clear, but in the
 * middle of a handshake that fails all the same.
 */
function hasClearRecord(data: Buffer): boolean {
  const first = data[0] ?? 0
  if (first < RECORDS.first || first > RECORDS.last) return false
  for (let at = 0; at + RECORD_HEADER_BYTES <= data.byteLength; ) {
    const type = data[at] ?? 0
    const isClear = data.readUInt16BE(at + 3) === 0
    if (type > RECORDS.applicationData || (isClear && type === RECORDS.alert)) return true
    if (isClear && type === RECORDS.applicationData) return true
    at += RECORD_HEADER_BYTES + data.readUInt16BE(at + 11)
  }
  return false
}

/** What arrives while a busy machine does something else waits there: the default is full at once, and the rest lost. */
function widenReceiveBuffers(): void {
  const opening = UdpTransport.prototype as unknown as UdpOpening
  const { init } = opening
  opening.init = async function widened(this: UdpOpening) {
    await init.call(this)
    this.socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES)
  }
}
