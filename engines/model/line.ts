import { connectRealtime, type Realtime } from '@atrium/client/realtime'
import { eventually } from '../waiting.ts'
import { Disagreement, same, shown } from './disagreement.ts'
import { COMPARED, type ComparedEvent, type Device, type Line, type Organization } from './state.ts'

interface Told {
  type: string
  /** The fields that the rules speak of. */
  data: Record<string, unknown>
}

const HEARD_WITHIN_MS = 8_000

/** By the media server, which counts in seconds. */
const MOVES = new Set(['room.entered', 'room.left'])
const SECOND_MS = 1_000

/** Opens it, and waits until it stands. @param now what the office's clock says */
export async function openLine(device: Device, organization: Organization, now: () => number): Promise<Line> {
  let since = [Date.now(), now()] as const
  const heard: Record<'user' | 'organization', Told[]> = { user: [], organization: [] }
  const expected: Record<'user' | 'organization', Told[]> = { user: [], organization: [] }
  const realtime = await connectRealtime(device.client)
  realtime.on('event', ({ scope, type, time, data }) => {
    if (
      !COMPARED.includes(type as ComparedEvent) ||
      isBefore(Date.parse(time) + (MOVES.has(type) ? SECOND_MS : 0), since)
    )
      return
    // a room is also updated by what goes on in it
    if (type === 'room.updated' && !('name' in data)) return
    // a knock expires by the clock, at no moment that the model knows
    if (type === 'knock.ended' && data.outcome === 'expired') return
    heard[scope].push({ type, data: data as Record<string, unknown> })
  })
  await stands(realtime)
  return {
    organization,
    expect: (scope, type, data) => void expected[scope].push({ type, data }),
    give(up) {
      if (up === 'closed') realtime.close()
    },
    async settle(who) {
      for (const scope of ['organization', 'user'] as const) {
        await eventually('heard', () => heard[scope].length >= expected[scope].length, {
          withinMs: HEARD_WITHIN_MS,
        }).catch(() => {
          const missing = expected[scope].length - heard[scope].length
          throw new Disagreement(
            `${who} misses ${missing} of the events ${shown(expected[scope])}: heard ${shown(heard[scope])}`,
          )
        })
        const wanted = inOrder(expected[scope])
        const said = inOrder(heard[scope]).map(({ type, data }, place) => ({
          type,
          data: only(data, wanted[place]?.data),
        }))
        same(`what ${who} hears`, said, wanted)
        heard[scope].length = 0
        expected[scope].length = 0
      }
    },
    async startAgain() {
      await stands(realtime)
      since = [Date.now(), now()]
      for (const list of [...Object.values(heard), ...Object.values(expected)]) list.length = 0
    },
  }
}

/** The database stamps some events, and the office's own clock others: that one counts which is nearer. */
function isBefore(time: number, since: readonly [number, number]): boolean {
  const [one, other] = since
  return time < (Math.abs(time - one) < Math.abs(time - other) ? one : other)
}

/**
 * What concerns one thing comes in its order, and beside what concerns another. The media server puts a removed member
 * out when it gets to it: another may have come in meanwhile.
 */
function inOrder(events: readonly Told[]): Told[] {
  const keyOf = ({ type, data }: Told) => {
    if (MOVES.has(type)) return `${data.roomId} ${data.userId}`
    return String(
      data.roomId ?? data.knockId ?? data.invitationId ?? data.message_id ?? data.userId ?? data.from ?? '',
    )
  }
  return events.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)))
}

const only = (data: Record<string, unknown>, wanted: Record<string, unknown> = data) =>
  Object.fromEntries(Object.keys(wanted).map((key) => [key, data[key]]))

async function stands(realtime: Realtime): Promise<void> {
  const isThere = () => realtime.state === 'connected' && realtime.statusOf(realtime.userId) !== undefined
  await eventually('a realtime connection', isThere, { withinMs: 90_000 })
}
