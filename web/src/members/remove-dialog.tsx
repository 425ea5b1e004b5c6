import type { Person } from '@atrium/client/people'
import { client, readSession } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { useMembersWords } from '../words/members.ts'

interface RemoveDialogProps {
  person: Person
  isSelf: boolean
  onClose(): void
}

/** Asks before a member is removed, or leaves. */
export function RemoveDialog({ person, isSelf, onClose }: RemoveDialogProps) {
  const words = useMembersWords()
  const name = person.displayName || person.email
  const remove = useAction(async () => {
    await client.call('removeMember', { id: person.id })
    onClose()
    if (isSelf) await readSession()
  })
  return (
    <Dialog
      title={isSelf ? words.leaveTitle : words.removeTitle(name)}
      isOpen
      alert
      held={remove.busy}
      onClose={onClose}
    >
      <p>{isSelf ? words.leaveAbout : words.removeAbout}</p>
      <Problem>{remove.problem}</Problem>
      <DialogButtons>
        <Button isDisabled={remove.busy} onPress={onClose}>
          {words.cancel}
        </Button>
        <Button look="danger" busy={remove.busy} onPress={() => void remove.run()}>
          {isSelf ? words.leave : words.remove}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
