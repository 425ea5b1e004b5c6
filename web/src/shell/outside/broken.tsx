import { Button } from '../../ui/button.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { useInsteadWords } from '../../words/instead.ts'
import { Outside } from './outside.tsx'

/** A defect of ours, said as one. */
export function Broken({ error }: { error: unknown }) {
  const words = useInsteadWords()
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
