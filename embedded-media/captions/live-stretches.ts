import { inOrder } from '../recording/in-order.ts'
import type { StoredPacket } from '../recording/packet-file.ts'
import { type Stretch, stretchesOf } from '../recording/speech/stretches.ts'
import { every, guarded, type OnFault } from '../timers.ts'
import type { MediaPacket } from '../tracks/publication.ts'

/** Cuts the sound of one microphone while it is spoken into. */
export interface LiveStretches {
  take(packet: MediaPacket): void
  end(): void
}

export interface LiveStretchesOptions {
  onStretch(stretch: Stretch): unknown
  onFault: OnFault
}

/** Short, for those who read along. */
const BOUNDS = { pauseMs: 500, cutFromMs: 4_000, longestMs: 7_000 }
/** After so long without speech what was said is over. */
const SILENT_AFTER_MS = 700
const LOOK_EVERY_MS = 200
const SAMPLES_PER_MS = 48
/** Comfort noise is sent more rarely. */
const TOGETHER_SAMPLES = 120 * SAMPLES_PER_MS
/** Of one utterance that wait to be cut; more comes from no microphone. */
const PACKETS_MAX = 1_000

/** What is said without a pause, so far. */
interface Utterance {
  readonly source: number
  readonly beganAt: number
  lastRtp: number
  spokenAt: number
  put(packet: StoredPacket): void
  end(): void
}

export function openLiveStretches({ onStretch, onFault }: LiveStretchesOptions): LiveStretches {
  let current: Utterance | undefined
  const end = () => {
    current?.end()
    current = undefined
  }
  const begin = (source: number, rtp: number): Utterance => {
    const { packets, put, end } = packetQueue()
    guarded(async () => {
      const timeOf = (at: number) => ((at - rtp) | 0) / SAMPLES_PER_MS
      for await (const stretch of stretchesOf(inOrder(packets()), timeOf, BOUNDS)) await onStretch(stretch)
    }, onFault)
    const now = performance.now()
    return { source, beganAt: now, lastRtp: rtp, spokenAt: now, put, end }
  }
  const looking = every(
    LOOK_EVERY_MS,
    () => current && performance.now() - current.spokenAt > SILENT_AFTER_MS && end(),
    onFault,
  )
  return {
    take({ rtp: { header, payload } }) {
      const { ssrc, timestamp: rtp, sequenceNumber: number, marker } = header
      if (current?.source !== ssrc) end()
      current ??= begin(ssrc, rtp)
      const now = performance.now()
      if (Math.abs((rtp - current.lastRtp) | 0) <= TOGETHER_SAMPLES) current.spokenAt = now
      current.lastRtp = rtp
      current.put({ at: now - current.beganAt, number, rtp, marker, payload })
    },
    end() {
      looking.stop()
      end()
    },
  }
}

/** Packets that are put in at one end and come out at the other. */
function packetQueue() {
  const waiting: StoredPacket[] = []
  let isOver = false
  let wake = () => {}
  return {
    put(packet: StoredPacket) {
      if (waiting.length < PACKETS_MAX) waiting.push(packet)
      wake()
    },
    end() {
      isOver = true
      wake()
    },
    async *packets(): AsyncGenerator<StoredPacket> {
      for (;;) {
        yield* waiting.splice(0)
        if (waiting.length > 0) continue
        if (isOver) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
