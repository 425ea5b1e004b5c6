import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { de } from '../words/de/members.ts'
import { en } from '../words/en/members.ts'
import { useWords } from '../words/use-words.ts'

interface MakeAdminDialogProps {
  name: string
  onYes(): void
  onClose(): void
}

/** Asks before somebody gets every permission there is, that over whoever gives it too. */
export function MakeAdminDialog({ name, onYes, onClose }: MakeAdminDialogProps) {
  const words = useWords({ en, de })
  return (
    <Dialog title={words.makeAdminTitle(name)} isOpen alert onClose={onClose}>
      <p>{words.makeAdminAbout}</p>
      <DialogButtons>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button
          look="primary"
          onPress={() => {
            onClose()
            onYes()
          }}
        >
          {words.makeRole.admin}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
