import type { Choice } from '@atrium/client/chat'
import type { ReceivedEvent } from '@atrium/client/realtime'

type Message = Extract<ReceivedEvent, { type: 'message.created' }>['data']

interface Chosen {
  level: Choice['level'] | undefined
  /** Whether they follow the thread that it is a reply in; nothing: it is in none, or they have not said. */
  follows?: boolean | null | undefined
}

/** Whether a message is announced to a person: as they have chosen it for its conversation. */
export function isAnnounced(
  { mentions = [], mentionsRoom = false }: Pick<Message, 'mentions' | 'mentionsRoom'>,
  { level, follows }: Chosen,
  ownId: string | undefined,
): boolean {
  if (level === 'none') return false
  return (
    (follows ?? level !== 'mentions') || mentionsRoom || (ownId !== undefined && mentions.includes(ownId))
  )
}

/** Whether an edit mentions a person whom the message did not mention before. */
export function addsMention({ mentionsAdded = [] }: { mentionsAdded?: string[] }, ownId: string): boolean {
  return mentionsAdded.includes(ownId) || mentionsAdded.includes('room')
}

export interface QuietHours {
  from: string
  to: string
  zone: string
}

/** Whether it is quiet by the clocks of their zone. Over midnight where `to` is not after `from`. */
export function isQuietAt(hours: QuietHours | null, now: Date): boolean {
  if (hours === null) return false
  const { from, to, zone } = hours
  const clock = new Intl.DateTimeFormat('en-GB', {
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    timeZone: zone,
  }).format(now)
  return from < to ? clock >= from && clock < to : clock >= from || clock < to
}
