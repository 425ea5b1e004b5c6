import { useAction } from '../live/use-action.ts'
import { Outside } from '../shell/outside/outside.tsx'
import { Button } from '../ui/button.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { useInsteadWords } from '../words/instead.ts'

/** Where it is not known whether a link leads anywhere: the office could not be asked. */
export function NotRead({ title, onAgain }: { title: string; onAgain(): Promise<unknown> }) {
  const words = useInsteadWords()
  const again = useAction(onAgain)
  return (
    <Outside>
      <PageHeading title={title} />
      <Button busy={again.busy} onPress={() => void again.run()}>
        {words.tryAgain}
      </Button>
    </Outside>
  )
}
