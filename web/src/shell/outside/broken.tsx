import { Button } from '../../ui/button.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { de } from '../../words/de/instead.ts'
import { en } from '../../words/en/instead.ts'
import { useWords } from '../../words/use-words.ts'
import { Outside } from './outside.tsx'

/** A defect of ours, said as one. */
export function Broken({ error }: { error: unknown }) {
  const words = useWords({ en, de })
  reportError(error)
  return (
    <Outside>
      <PageHeading title={words.brokenTitle} about={words.brokenAbout} />
      <Button look="primary" onPress={() => location.reload()}>
        {words.reload}
      </Button>
    </Outside>
  )
}
