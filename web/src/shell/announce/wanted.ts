import type { Chat } from '@atrium/client/chat'
import type { ReceivedEvent } from '@atrium/client/realtime'
import { officeNow } from '../../live/office-client.ts'
import { queryClient, reading } from '../../live/queries.ts'
import { isAnnounced, isQuietAt } from './announced.ts'

/** Other devices change them now and then. */
const SETTINGS_KEPT_MS = 5 * 60_000

/** How an event may call the person, by what they have chosen; undefined: not at all. What cannot be read forbids nothing. */
export async function wantedAs(
  event: ReceivedEvent,
  chat: Chat | undefined,
  ownId: string | undefined,
): Promise<{ maySound: boolean } | undefined> {
  const settings = await queryClient
    .fetchQuery({ ...reading('getNotificationSettings'), staleTime: SETTINGS_KEPT_MS })
    .catch(() => undefined)
  const as = { maySound: settings?.sounds ?? true }
  if (event.type !== 'message.created' && event.type !== 'message.updated') return as
  if (settings && isQuietAt(settings.quietHours, officeNow())) return undefined
  if (chat && !chat.choices.get().loaded) await chat.choices.refresh()
  const { conversation_id, parent_message_id: parent } = event.data
  const level = chat?.choices.get().of.get(conversation_id)?.level
  const isWanted = (follows: boolean | null) => isAnnounced(event.data, { level, follows }, ownId)
  // hundreds of people may hear of one reply: the office is asked only where it matters, and once for a thread
  const matters = parent !== null && isWanted(true) !== isWanted(false)
  return isWanted(matters ? await followsThread(parent) : null) ? as : undefined
}

async function followsThread(messageId: number): Promise<boolean | null> {
  const read = { ...reading('listThreads', { messageId }), staleTime: SETTINGS_KEPT_MS }
  const answer = await queryClient.fetchQuery(read).catch(() => undefined)
  return answer?.threads[0]?.follows ?? null
}
