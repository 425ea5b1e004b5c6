import { unsentQuestion } from '../live/unsent.ts'
import { useStore } from '../live/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { useChatWords } from '../words/chat.ts'

/** Asks before messages that are not sent are deleted with a sign-out. */
export function UnsentQuestion() {
  const { unsent: words } = useChatWords()
  const question = useStore(unsentQuestion)
  if (!question) return null
  const { count, answer } = question
  return (
    <Dialog title={words.title(count)} isOpen alert onClose={() => answer(false)}>
      <p>{words.about}</p>
      <DialogButtons>
        <Button onPress={() => answer(false)}>{words.stay}</Button>
        <Button look="danger" onPress={() => answer(true)}>
          {words.leave}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
