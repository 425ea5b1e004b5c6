import type { Room } from '@atrium/client/rooms'
import { useConversations, useLobby, usePeople } from '@atrium/react'
import { Suspense, useState } from 'react'
import { client } from '../live/office-client.ts'
import { lazyPart } from '../live/page/patient-import.ts'
import { useMay } from '../live/permissions.ts'
import { useAgreement } from '../live/recordings/use-agreement.ts'
import type { Call } from '../media/call-state.ts'
import { notices } from '../ui/overlays/notices.ts'
import { useRoomWords } from '../words/room.ts'
import { useStageWords } from '../words/stage.ts'
import { useBotsToCall } from './bots/use-bots-to-call.ts'
import type { Entry } from './controls/controls.tsx'
import { Door } from './entering/door.tsx'
import { InRoom, type InRoomProps } from './in-room.tsx'
import { useModeration } from './people/use-moderation.ts'
import { useRecordedSince } from './recording/use-recorded-since.ts'
import type { RoomDialogName } from './room-dialog.tsx'
import { type RoomOffers, roomOffers } from './room-offers.ts'

/** Loaded when it is opened first. */
const SideChat = lazyPart(() => import('./side-chat.tsx'), 'SideChat')

const RoomDialog = lazyPart(() => import('./room-dialog.tsx'), 'RoomDialog')

/** Inside a room as a colleague: with the door, the chat, guests to invite, and recordings. */
export function MemberRoom({ call, room }: { call: Call; room: Room }) {
  const may = useMay()
  const { people } = usePeople()
  const offers = roomOffers(room, may)
  const { waiting, lobby } = useLobby(offers.admitGuests ? room.id : undefined)
  const [dialog, setDialog] = useState<RoomDialogName>()
  const moderation = useModeration(room.id, lobby)
  const botsToCall = useBotsToCall(room)
  const [, agree] = useAgreement(room)
  const recordedSince = useRecordedSince(room.id, room.recording && may('RecordRoom'))
  const close = () => setDialog(undefined)
  const entries = useEntries(room, offers, setDialog)
  const chat = useChatOfRoom(room)
  // a second connection of a person carries a mark behind their id
  const avatarOf = (identity: string) =>
    people.find(({ id }) => id === identity.split('#')[0])?.avatarUrl ?? ''
  return (
    <>
      <InRoom
        call={call}
        title={room.name}
        recording={room.recording}
        recordedSince={recordedSince}
        locked={room.locked}
        hasFloor
        onAgree={agree}
        avatarOf={avatarOf}
        moderation={moderation}
        botsToCall={botsToCall}
        entries={entries}
        door={<Door waiting={waiting} lobby={lobby} />}
        {...(offers.chat && { chat })}
      />
      {dialog && (
        <Suspense>
          <RoomDialog {...{ dialog, room, onClose: close }} onStarted={() => void call.agree()} />
        </Suspense>
      )}
    </>
  )
}

function useChatOfRoom({ id, guests }: Room): NonNullable<InRoomProps['chat']> {
  const { rows } = useConversations()
  const unread = rows.find((row) => row.type === 'ROOM' && row.room_id === id)?.unread_count ?? 0
  return {
    unread,
    show: (onClose) => (
      <Suspense>
        <SideChat roomId={id} guests={guests} onClose={onClose} />
      </Suspense>
    ),
  }
}

/** What a member may do in the room beside the controls. */
function useEntries(room: Room, offers: RoomOffers, onDialog: (dialog: RoomDialogName) => void): Entry[] {
  const words = useRoomWords()
  const stage = useStageWords()
  const change = () =>
    void client
      .call('lockRoom', { roomId: room.id, locked: !room.locked })
      .catch(() => notices.show({ text: stage.failed }))
  const invite: Entry = {
    ...{ id: 'invite', icon: 'link', label: words.invite.entry },
    onAction: () => onDialog('invite'),
  }
  const record: Entry = {
    ...{ id: 'record', icon: 'record', label: room.recording ? words.record.stop : words.record.start },
    onAction: () => onDialog('record'),
  }
  const settings: Entry = {
    ...{ id: 'settings', icon: 'settings', label: stage.settings },
    onAction: () => onDialog('settings'),
  }
  const lock: Entry = {
    ...{ id: 'lock', icon: 'lock', label: room.locked ? stage.unlock : stage.lock },
    onAction: change,
  }
  return [
    ...(offers.invite ? [invite] : []),
    ...(offers.record ? [record] : []),
    ...(offers.lock ? [lock] : []),
    ...(offers.settings ? [settings] : []),
  ]
}
