import type { Room } from '@atrium/client/rooms'
import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { runningRecordings } from '../live/recordings/running-recordings.ts'
import { useAction } from '../live/use-action.ts'
import { RECORDING_ENDED } from '../shell/announce/use-recording-end.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { notices } from '../ui/overlays/notices.ts'
import { Problem } from '../ui/state.tsx'
import { useRoomWords } from '../words/room.ts'

export interface RecordDialogProps {
  room: Room
  /** Who starts one agrees to it. */
  onStarted(): void
  onClose(): void
}

/** Starts a recording, or stops the one that runs. */
export function RecordDialog({ room, onStarted, onClose }: RecordDialogProps) {
  const { record: words } = useRoomWords()
  // what it asked as it was opened: another person may start or stop one meanwhile
  const [recording] = useState(room.recording)
  const change = useAction(async () => {
    await (recording ? stop(room) : start(room))
    if (!recording) onStarted()
    if (recording) notices.show({ id: RECORDING_ENDED, text: words.stopped(room.name), tone: 'good' })
    onClose()
  })
  return (
    <Dialog title={recording ? `${words.stop}?` : words.title} isOpen onClose={onClose}>
      {!recording && <p className="soft">{words.about}</p>}
      <Problem>{change.problem}</Problem>
      <DialogButtons>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button
          look={recording ? 'danger' : 'primary'}
          icon="record"
          busy={change.busy}
          onPress={() => void change.run()}
        >
          {recording ? words.stop : words.start}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

async function start({ id, name, people }: Room): Promise<void> {
  const participants = people.map(({ displayName }) => displayName).join(', ')
  await client.call('startRecording', { roomName: id, conferenceTopic: name, zoneId: '', participants })
}

async function stop({ id }: Room): Promise<void> {
  for (const { egressId } of await runningRecordings(id))
    if (egressId) await client.call('stopRecording', { roomName: id, egressId, zoneId: '' })
}
