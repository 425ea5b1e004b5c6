import { useEffect } from 'react'
import { readSession } from '../../live/office-client.ts'
import { useAction } from '../../live/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { useInsteadWords } from '../../words/instead.ts'
import { Outside } from './outside.tsx'

const AGAIN_MS = 5_000

/** The office does not answer: it is asked again and again. */
export function Away() {
  const words = useInsteadWords()
  const again = useAction(readSession)
  const { run } = again
  useEffect(() => {
    const timer = setInterval(() => void run(), AGAIN_MS)
    return () => clearInterval(timer)
  }, [run])
  return (
    <Outside>
      <PageHeading title={words.away} about={words.awayAbout} />
      <Button look="primary" busy={again.busy} onPress={() => void run()}>
        {words.tryAgain}
      </Button>
    </Outside>
  )
}
