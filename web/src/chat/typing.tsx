import type { ConversationRow } from '@atrium/client/chat'
import { usePeople } from '@atrium/react'
import { useChatWords } from '../words/chat.ts'
import { localeNow } from '../words/language.ts'
import { senderOf } from './conversation-names.ts'

/** Who writes at the moment. Not announced: it comes and goes all the time. */
export function Typing({ userIds, row }: { userIds: readonly string[]; row: ConversationRow | undefined }) {
  const words = useChatWords()
  const { people } = usePeople()
  const names = userIds.map((id) => senderOf(id, people, row, words).name)
  const list = new Intl.ListFormat(localeNow()).format(names)
  return <p className="typing">{names.length > 0 && words.typing(list, names.length)}</p>
}
