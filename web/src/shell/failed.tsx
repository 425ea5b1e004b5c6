import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/state.tsx'
import { useInsteadWords } from '../words/instead.ts'

/** In the place of what could not be read. @param onAgain reads it again */
export function Failed({ title, onAgain }: { title: string; onAgain(): Promise<unknown> }) {
  const words = useInsteadWords()
  const again = useAction(onAgain)
  return (
    <ErrorState title={title}>
      <Button busy={again.busy} onPress={() => void again.run()}>
        {words.tryAgain}
      </Button>
    </ErrorState>
  )
}
