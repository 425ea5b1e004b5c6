import { Connection, type RTCPeerConnection } from 'werift'

/** What the library keeps to itself of the paths of a connection. */
interface IceAgent {
  state: string
  nominated: unknown
  /** Whether it may send: for half a minute after each answer to a check. */
  consentFresh: boolean
  queryConsent(): void
  setState(state: string): void
}

interface Heard {
  subscribe(listener: () => void): void
}

interface Transports {
  iceTransports: readonly { connection: IceAgent }[]
  dtlsTransports: readonly { onRtp: Heard; onRtcp: Heard; dtls?: { onData: Heard } }[]
}

/** As long as the library holds an answer for (RFC 7675). */
const CONSENT_MS = 30_000
/** A process that stood still reads its clock first, and what has arrived meanwhile a moment later. */
const READ_WITHIN_MS = 1_000

const heardAt = new WeakMap<object, number>()
const listened = new WeakSet<object>()

/** Something came from the other side that no one else can have sent. */
export function heardFrom(agent: object): void {
  heardAt.set(agent, performance.now())
}

/** Sound, pictures, reports and data that were opened by the keys of the handshake. */
export function hearAll(pc: RTCPeerConnection): void {
  const { iceTransports, dtlsTransports } = pc as unknown as Transports
  const agent = iceTransports[0]?.connection
  const transport = dtlsTransports[0]
  if (!agent || !transport || listened.has(transport)) return
  listened.add(transport)
  for (const heard of [transport.onRtp, transport.onRtcp, transport.dtls?.onData])
    heard?.subscribe(() => heardFrom(agent))
}

/**
 * The library stops sending for good where its own checks were unanswered for half a minute, and a process that stood
 * still for so long has heard no answer. Whatever the other side has sent and sealed shows as well that it is there.
 */
export function renewConsent(): void {
  const agent = Connection.prototype as unknown as IceAgent
  const { setState } = agent
  agent.setState = function unlessHeard(this: IceAgent, state: string) {
    const hasExpired = state === 'failed' && this.nominated !== undefined && !this.consentFresh
    if (!hasExpired || this.state === 'failed') return setState.call(this, state)
    const decide = () => {
      if (this.state === 'closed' || this.consentFresh) return
      if (performance.now() - (heardAt.get(this) ?? Number.NEGATIVE_INFINITY) < CONSENT_MS)
        return this.queryConsent()
      setState.call(this, state)
    }
    setTimeout(decide, READ_WITHIN_MS)
  }
}
