import type { Room } from '@atrium/client/rooms'
import { RoomSettings } from '../shell/room-settings.tsx'
import { InviteGuest } from './invite-guest.tsx'
import { RecordDialog } from './record-dialog.tsx'

export type RoomDialogName = 'invite' | 'record' | 'settings'

interface RoomDialogProps {
  dialog: RoomDialogName
  room: Room
  /** A recording, by this person. */
  onStarted(): void
  onClose(): void
}

/** What a member is asked beside the controls of a room: one file, loaded when the first of them is opened. */
export function RoomDialog({ dialog, room, onStarted, onClose }: RoomDialogProps) {
  if (dialog === 'invite') return <InviteGuest roomId={room.id} onClose={onClose} />
  if (dialog === 'settings') return <RoomSettings roomId={room.id} onClose={onClose} />
  return <RecordDialog room={room} onStarted={onStarted} onClose={onClose} />
}
