import type { Room } from '@atrium/client/rooms'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { useSealedWords } from '../words/sealed.ts'

/** Asks whether sound and pictures of a room are encrypted from device to device from now on, or no longer. */
export function SealRoom({ room, onClose }: { room: Room; onClose(): void }) {
  const words = useSealedWords()
  const { sealed } = room
  const change = useAction(async () => {
    await client.call('updateRoom', { roomId: room.id, sealed: !sealed })
    onClose()
  })
  return (
    <Dialog title={sealed ? words.unseal(room.name) : words.seal(room.name)} isOpen onClose={onClose}>
      <p>{sealed ? words.unsealAbout : words.sealAbout}</p>
      <p>{words.empty}</p>
      <Problem>{change.problem}</Problem>
      <DialogButtons>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button look="primary" busy={change.busy} onPress={() => void change.run()}>
          {sealed ? words.unsealIt : words.sealIt}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
