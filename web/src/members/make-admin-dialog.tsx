import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { useMembersWords } from '../words/members.ts'

interface MakeAdminDialogProps {
  name: string
  onYes(): void
  onClose(): void
}

/** Asks before a member becomes an administrator, with every permission, also over the one who grants it. */
export function MakeAdminDialog({ name, onYes, onClose }: MakeAdminDialogProps) {
  const words = useMembersWords()
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
