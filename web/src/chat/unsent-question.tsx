import { unsentQuestion } from '../live/unsent.ts'
import { useStore } from '../live/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { de } from '../words/de/chat.ts'
import { en } from '../words/en/chat.ts'
import { useWords } from '../words/use-words.ts'

/** Asks before messages that are not sent are deleted with a sign-out. */
export function UnsentQuestion() {
  const { unsent: words } = useWords({ en, de })
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
