import type { ConversationRow } from '@atrium/client/chat'
import type { RoomsState } from '@atrium/client/rooms'
import { useRooms } from '@atrium/react'
import { useId } from 'react'
import { useChatWords } from '../words/chat.ts'
import { nameOf } from './conversation-names.ts'
import { draftOf } from './drafts.ts'

/** Who or what is gone. */
export type ClosedBy = 'person' | 'room'

/** Why a conversation takes nothing more; undefined: it is open, as far as is known. The office decides again. */
export function useClosed(row: ConversationRow | undefined): ClosedBy | undefined {
  return useRooms((state) => closedBy(row, state))
}

export function closedBy(
  row: ConversationRow | undefined,
  {
    rooms,
    loaded,
  }: Pick<RoomsState, 'loaded'> & { rooms: readonly Pick<RoomsState['rooms'][number], 'id'>[] },
): ClosedBy | undefined {
  if (row?.type === 'DM') return row.members.some(({ is_active }) => !is_active) ? 'person' : undefined
  if (row?.type === 'ROOM' && loaded) return rooms.some(({ id }) => id === row.room_id) ? undefined : 'room'
  return undefined
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
