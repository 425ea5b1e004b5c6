import type { ConversationRow } from '@atrium/client/chat'
import { useRooms } from '@atrium/react'
import { useId } from 'react'
import { useChatWords } from '../words/chat.ts'
import { nameOf } from './conversation-names.ts'
import { draftOf } from './drafts.ts'

/** Who or what is gone. */
export type ClosedBy = 'person' | 'room'

/** Why a conversation takes nothing more; undefined: it is open, as far as is known. The office decides again. */
export function useClosed(row: ConversationRow | undefined): ClosedBy | undefined {
  const isRoomGone = useRooms(
    ({ rooms, loaded }) => row?.type === 'ROOM' && loaded && !rooms.some(({ id }) => id === row.room_id),
  )
  if (isRoomGone) return 'room'
  return row?.type === 'DM' && row.members.some(({ is_active }) => !is_active) ? 'person' : undefined
}

/** In the place of the field: what was being typed can be taken along. */
export function Closed({ by, row, draftKey }: { by: ClosedBy; row: ConversationRow; draftKey: string }) {
  const words = useChatWords()
  const id = useId()
  const draft = draftOf(draftKey)
  return (
    <div className="composer">
      <p role="status">{by === 'person' ? words.closed.person(nameOf(row, words)) : words.closed.room}</p>
      {draft !== '' && (
        <>
          <label htmlFor={id} className="soft">
            {words.closed.draft}
          </label>
          <div className="composer-box">
            <textarea id={id} readOnly value={draft} />
          </div>
        </>
      )}
    </div>
  )
}
