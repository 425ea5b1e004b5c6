import { useAction } from '../../live/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { Problem } from '../../ui/state.tsx'
import { useColleagueWords } from '../../words/colleague.ts'

/** Asks before something that cannot be taken back, or that others lose something by. */
export function Confirm({
  title,
  about,
  confirm,
  work,
  onClose,
}: {
  title: string
  about: string
  /** What the button says. */
  confirm: string
  work(): Promise<unknown>
  onClose(): void
}) {
  const { cancel } = useColleagueWords()
  const action = useAction(async () => {
    await work()
    onClose()
  })
  return (
    <Dialog title={title} isOpen alert held={action.busy} onClose={onClose}>
      <p>{about}</p>
      <Problem>{action.problem}</Problem>
      <DialogButtons>
        <Button isDisabled={action.busy} onPress={onClose}>
          {cancel}
        </Button>
        <Button look="danger" busy={action.busy} onPress={() => void action.run()}>
          {confirm}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
