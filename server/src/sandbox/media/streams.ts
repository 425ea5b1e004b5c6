import { type Message, newSid, textOf } from '@atrium/embedded-media/api/api-messages.ts'
import type { Emit } from '@atrium/embedded-media/rooms/rooms.ts'
import type { Clock } from '../../platform/clock.ts'

const NANOSECONDS_PER_MILLISECOND = 1_000_000n
const NANOSECONDS_PER_SECOND = 1_000_000_000

/** Streams that are brought in from outside, as a developer begins and ends them. */
export interface Streams {
  /** Of an id that the caller chooses, or a fresh one. */
  start(wanted: Record<string, unknown>): object
  /** `seconds`: how long it has lasted, where it shall not be the truth. */
  end(wanted: Record<string, unknown>): object
  list(): Message[]
  /** Forgets everything and sends no events. */
  crash(): void
}

export function openStreams({ clock, emit }: { clock: Clock; emit: Emit }): Streams {
  const running = new Map<string, Message>()
  const now = () => BigInt(clock.now().getTime()) * NANOSECONDS_PER_MILLISECOND
  const tell = (event: string, info: Message) => {
    emit(event, { ingressInfo: info, room: { name: info.roomName ?? '' } }, String(info.ingressId))
    return { ingressId: info.ingressId }
  }
  const begun = (wanted: Record<string, unknown>, startedAt: bigint): Message => ({
    ingressId: textOf(wanted, 'ingressId') || newSid('IN'),
    name: 'stream',
    streamKey: 'secret',
    inputType: textOf(wanted, 'inputType') || 'RTMP_INPUT',
    roomName: textOf(wanted, 'room'),
    state: { status: 'ENDPOINT_PUBLISHING', startedAt },
  })
  return {
    start(wanted) {
      const info = begun(wanted, now())
      running.set(String(info.ingressId), info)
      return tell('ingress_started', info)
    },
    end(wanted) {
      const endedAt = now()
      const known = running.get(textOf(wanted, 'ingressId'))
      const seconds = wanted.seconds ?? (known ? undefined : 1)
      const lasted = BigInt(Math.round(Number(seconds ?? 0) * NANOSECONDS_PER_SECOND))
      const info = known && seconds === undefined ? known : begun(wanted, endedAt - lasted)
      running.delete(String(info.ingressId))
      const error = textOf(wanted, 'error')
      const state = { ...(info.state as Message), status: 'ENDPOINT_INACTIVE', error, endedAt }
      return tell('ingress_ended', { ...info, state })
    },
    list: () => [...running.values()],
    crash: () => running.clear(),
  }
}
