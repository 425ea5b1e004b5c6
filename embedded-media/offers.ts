import { SessionDescription } from '@livekit/protocol'
import type { RTCPeerConnection } from 'werift'
import { checkDescription } from './incoming-limits.ts'
import type { SignalAnswer } from './signal.ts'
import type { Forwarding } from './tracks/forwarding.ts'

export interface OffersOptions {
  pc: RTCPeerConnection
  /** What is to be sent, by track. */
  forwardings: ReadonlyMap<string, Forwarding>
  send(message: SignalAnswer): void
  onAnswered(): void
  onFault(error: unknown): void
}

/** Offers of the server on one connection, one at a time. */
export interface Offers {
  /** Makes an offer, now or when the last one is answered. */
  negotiate(): void
  takeAnswer(answer: SessionDescription): void
  takeCandidate(candidate: object): void
  /** Takes back what is not answered, and looks for paths again. */
  restart(): void
  close(): void
}

/** How far the offers are. */
interface Progress {
  /** The last one that was made, and the last one that was answered. */
  offerId: number
  answeredId: number
  /** What the last one says. */
  offered: Forwarding[]
  /** Another one is to be made. */
  wanted: boolean
  restarting: boolean
}

export function makeOffers(options: OffersOptions): Offers {
  const { pc, onFault } = options
  const progress: Progress = { offerId: 0, answeredId: 0, offered: [], wanted: false, restarting: false }
  let closed = false
  let work = Promise.resolve()
  const enqueue = (step: () => Promise<void>) => {
    work = work.then(async () => {
      if (!closed) await step()
    })
    work = work.catch(onFault)
  }
  return {
    negotiate() {
      progress.wanted = true
      enqueue(() => offer(options, progress))
    },
    takeAnswer: (answer) => enqueue(() => answered(options, progress, answer)),
    takeCandidate: (candidate) => enqueue(() => pc.addIceCandidate(candidate)),
    restart() {
      enqueue(async () => {
        if (progress.answeredId !== progress.offerId) await pc.setLocalDescription({ type: 'rollback' })
        progress.answeredId = progress.offerId
        progress.restarting = true
        progress.wanted = true
        await offer(options, progress)
      })
    },
    close() {
      closed = true
    },
  }
}

async function offer({ pc, forwardings, send }: OffersOptions, progress: Progress): Promise<void> {
  if (!progress.wanted || progress.answeredId !== progress.offerId) return
  progress.wanted = false
  const iceRestart = progress.restarting
  progress.restarting = false
  // what comes meanwhile is of the next one
  progress.offered = [...forwardings.values()]
  await pc.setLocalDescription(await pc.createOffer({ iceRestart }))
  progress.offerId += 1
  const tracks = [...forwardings].map(([sid, { transceiver }]) => [transceiver.mid ?? '', sid])
  const value = new SessionDescription({
    type: 'offer',
    sdp: pc.localDescription?.sdp ?? '',
    id: progress.offerId,
    midToTrackId: Object.fromEntries(tracks),
  })
  send({ case: 'offer', value })
}

async function answered(
  options: OffersOptions,
  progress: Progress,
  { sdp, id }: SessionDescription,
): Promise<void> {
  const { offerId, answeredId, offered } = progress
  // of an offer that was taken back
  if (answeredId === offerId || (id !== 0 && id !== offerId)) return
  checkDescription(sdp)
  await options.pc.setRemoteDescription({ type: 'answer', sdp })
  progress.answeredId = offerId
  options.onAnswered()
  for (const forwarding of offered) forwarding.open()
  await offer(options, progress)
}
