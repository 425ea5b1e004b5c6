import { Button } from '../../ui/button.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { de } from '../../words/de/room.ts'
import { en } from '../../words/en/room.ts'
import { useWords } from '../../words/use-words.ts'

/** Asks whoever is in the room already: entering here ends it there. */
export function TakeOver({ onTake, onCancel }: { onTake(): void; onCancel(): void }) {
  const { takeOver: words } = useWords({ en, de })
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
