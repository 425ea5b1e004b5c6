import type { ConversationRow } from '@atrium/client/chat'
import type { Person } from '@atrium/client/people'
import type { en } from '../words/en/chat.ts'

type Words = Pick<typeof en, 'noName' | 'group' | 'former' | 'guest' | 'aGuest' | 'bot'>

/** What a conversation is called: by its members, unless it has a name. */
export function nameOf(row: ConversationRow, words: Words): string {
  if (row.type === 'DM') return row.peer_display_name || row.peer_email
  if (row.title) return row.title
  return row.members.map(({ display_name }) => display_name || words.noName).join(', ') || words.group
}

/** Whose colour stands behind its initials: of the colleague, or its own. */
export function idOf(row: ConversationRow): string {
  return row.type === 'DM' ? String(row.peer_user_id) : String(row.conversation_id)
}

/** The picture beside it: of the colleague, or of the first one in a group. */
export function pictureOf(row: ConversationRow): string {
  if (row.type === 'DM') return row.peer_avatar_url ?? ''
  return row.type === 'GROUP' ? (row.members[0]?.avatar_url ?? '') : ''
}

export interface Sender {
  name: string
  avatarUrl: string
  /** They are in the organization still. */
  isColleague: boolean
}

/** The `sender_id` of guests. */
const GUEST = '0'

function shownName({ displayName, email, isBot }: Person, words: Words): string {
  return isBot ? words.bot(displayName) : displayName || email
}

/** Who wrote a message: who has left the organization is known by the row of the conversation, if at all. */
export function senderOf(
  id: string,
  people: readonly Person[],
  row: ConversationRow | undefined,
  words: Words,
  guest?: { name: string },
): Sender {
  if (id === GUEST)
    return { name: guest ? words.guest(guest.name) : words.aGuest, avatarUrl: '', isColleague: false }
  const person = people.find((one) => one.id === id)
  if (person) return { name: shownName(person, words), avatarUrl: person.avatarUrl, isColleague: true }
  const member = row?.members.find(({ user_id }) => String(user_id) === id)
  if (!member) return { name: words.former, avatarUrl: '', isColleague: false }
  return { name: member.display_name || words.former, avatarUrl: member.avatar_url ?? '', isColleague: false }
}
