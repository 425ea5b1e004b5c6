import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { useSignOnWords } from '../words/sign-on.ts'

/** Asks before something that ends sessions of others. */
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
  const words = useSignOnWords()
  const action = useAction(async () => {
    await work()
    onClose()
  })
  return (
    <Dialog title={title} isOpen alert onClose={onClose}>
      <p>{about}</p>
      <Problem>{action.problem}</Problem>
      <DialogButtons>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button look="danger" busy={action.busy} onPress={() => void action.run()}>
          {confirm}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
