import { Button } from '../../ui/button.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { useRoomWords } from '../../words/room.ts'

/** Asks a person who is in the room already: entering here ends it there. */
export function TakeOver({ onTake, onCancel }: { onTake(): void; onCancel(): void }) {
  const { takeOver: words } = useRoomWords()
  return (
    <Dialog title={words.title} isOpen onClose={onCancel} alert>
      <p>{words.about}</p>
      <DialogButtons>
        <Button onPress={onCancel}>{words.cancel}</Button>
        <Button look="primary" onPress={onTake}>
          {words.here}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
