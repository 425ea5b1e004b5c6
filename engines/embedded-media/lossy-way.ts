import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { Page } from 'playwright-core'
import { openOwnServer } from '../own-server.ts'
import type { Ends } from '../processes.ts'

/** A way between pages and media servers on which packets are lost, in either direction. */
export interface LossyWay {
  /** Whatever this page sends and receives of media goes this way, and no other. */
  lead(page: Page): Promise<void>
  counts: { passed: number; lost: number }
}

/** A way on which nothing is lost, but all of the handshakes of those connections to receive on that are tried first. */
export const withoutFirstHandshakes = 'without-first-handshakes'
/** What belongs to one attempt is there within so long; the next one comes later. */
const FIRST_MS = 5_000

/**
 * A kernel with `netem` could lose packets by itself; few machines that run tests have it.
 * @param loss of all packets, 0 to 1: by a row of numbers that is the same each time
 */
export async function openLossyWay(
  loss: number | typeof withoutFirstHandshakes,
  ends: Ends,
): Promise<LossyWay> {
  const counts = { passed: 0, lost: 0 }
  const sockets: Socket[] = []
  const random = numbersFrom(20_261_123)
  let firstAt: number | undefined
  const isOfFirst = (role: string | null) => {
    if (loss !== withoutFirstHandshakes || role !== 'receive') return false
    firstAt ??= performance.now()
    return performance.now() - firstAt < FIRST_MS
  }
  const pass = (socket: Socket, data: Buffer, { port, address, isFirst }: Target) => {
    const isLost = typeof loss === 'number' ? random() < loss : isFirst && isHandshake(data)
    counts[isLost ? 'lost' : 'passed'] += 1
    if (!isLost) socket.send(data, port, address)
  }
  const open = async (address: string) => {
    const socket = createSocket('udp4').on('error', () => {})
    sockets.push(socket)
    await once(socket.bind(0, address), 'listening')
    return socket
  }
  const portFor = async (address: string, port: number, isFirst: boolean) => {
    const [front, back] = [await open(address), await open(address)]
    let client: { address: string; port: number } | undefined
    front.on('message', (data, from) => {
      client = from
      pass(back, data, { port, address, isFirst })
    })
    back.on('message', (data) => client && pass(front, data, { ...client, isFirst }))
    return front.address().port
  }
  const ports = new Map<string, Promise<number>>()
  const own = await openOwnServer(ends, async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const [address, port] = [searchParams.get('address') ?? '', Number(searchParams.get('port'))]
    const name = `${address}:${port}`
    const through = ports.get(name) ?? portFor(address, port, isOfFirst(searchParams.get('role')))
    ports.set(name, through)
    response.setHeader('access-control-allow-origin', '*').end(String(await through))
  })
  ends.push(async () => {
    for (const socket of sockets) socket.close()
  })
  const control = `http://127.0.0.1:${own}`
  return { counts, lead: async (page) => void (await page.addInitScript(goThrough, control)) }
}

interface Target {
  port: number
  address: string
  isFirst: boolean
}

/** A record of DTLS (RFC 7983). */
function isHandshake(data: Buffer): boolean {
  const first = data[0] ?? 0
  return first >= 20 && first <= 63
}

/** The ways that the client uses, of several that there are. */
interface Prototype {
  remoteDescription: RTCSessionDescription | null
  setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void>
  addIceCandidate(candidate?: RTCIceCandidateInit): Promise<void>
  createOffer(options?: RTCOfferOptions): Promise<RTCSessionDescriptionInit>
  createAnswer(): Promise<RTCSessionDescriptionInit>
  addEventListener(type: string, listener: EventListener): void
}

/** In the page: the server is looked for at the ports of the way, and is not told of any way around it. */
function goThrough(control: string): void {
  const prototype = RTCPeerConnection.prototype as unknown as Prototype
  const { setRemoteDescription, addIceCandidate, createOffer, createAnswer, addEventListener } = prototype
  const through = async (text: string, role: string) => {
    let changed = text
    for (const [place, address, port] of text.matchAll(/(\d+\.\d+\.\d+\.\d+) (\d+) typ host/g)) {
      const answer = await fetch(`${control}/?address=${address}&port=${port}&role=${role}`)
      changed = changed.replace(place, `${address} ${await answer.text()} typ host`)
    }
    return changed
  }
  const withoutCandidates = ({ type, sdp = '' }: RTCSessionDescriptionInit) => ({
    type,
    sdp: sdp.replace(/a=candidate:.*\r\n/g, ''),
  })
  Object.assign(prototype, {
    async setRemoteDescription(this: Prototype, { type, sdp = '' }: RTCSessionDescriptionInit) {
      const role = type === 'offer' ? 'receive' : 'publish'
      await setRemoteDescription.call(this, { type, sdp: await through(sdp, role) })
    },
    async addIceCandidate(this: Prototype, candidate?: RTCIceCandidateInit) {
      const role = this.remoteDescription?.type === 'offer' ? 'receive' : 'publish'
      const changed = candidate?.candidate && {
        ...candidate,
        candidate: await through(candidate.candidate, role),
      }
      await addIceCandidate.call(this, changed ? changed : candidate)
    },
    async createOffer(this: Prototype, options?: RTCOfferOptions) {
      return withoutCandidates(await createOffer.call(this, options))
    },
    async createAnswer(this: Prototype) {
      return withoutCandidates(await createAnswer.call(this))
    },
    addEventListener(this: Prototype, type: string, listener: EventListener) {
      if (type !== 'icecandidate') addEventListener.call(this, type, listener)
    },
  })
  Object.defineProperty(prototype, 'onicecandidate', { configurable: true, get: () => null, set() {} })
}

/** The same numbers from 0 to 1 for the same seed: xorshift of 32 bits. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
