import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useCopy } from '../live/use-copy.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { useAdministrationWords } from '../words/administration.ts'

/** Shows a secret the one time that there is: its button alone closes it, neither Back nor, unasked, the tab. */
export function SecretOnce({
  title,
  secret,
  onClose,
  children,
}: {
  title: string
  secret: string
  onClose(): void
  /** What belongs to it, and is no secret. */
  children?: ReactNode
}) {
  const words = useAdministrationWords()
  const { copy, said, problem } = useCopy()
  const { history } = useRouter()
  useEffect(() => history.block({ blockerFn: isBack, enableBeforeUnload: true }), [history])
  return (
    <Dialog title={title} isOpen alert held onClose={onClose}>
      <p>{words.shownOnce}</p>
      <code className="administration-secret">{secret}</code>
      <p role="status" className="small soft">
        {said}
      </p>
      <Problem>{problem}</Problem>
      {children}
      <DialogButtons>
        <Button icon="copy" onPress={() => void copy(secret)}>
          {words.copy}
        </Button>
        <Button look="primary" onPress={onClose}>
          {words.done}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

/** A session that ends leads away by a new entry of the history, which goes through. */
function isBack({ action }: { action: string }): boolean {
  return action === 'BACK' || action === 'GO'
}
