import { PageHeading } from '../../ui/page-heading.tsx'
import { de } from '../../words/de/instead.ts'
import { en } from '../../words/en/instead.ts'
import { useWords } from '../../words/use-words.ts'
import { Outside } from './outside.tsx'

export function NotHere() {
  const words = useWords({ en, de })
  return (
    <Outside>
      <PageHeading title={words.notHere} about={words.notHereAbout} />
      <a className="button button-primary" href="/">
        {words.toOffice}
      </a>
    </Outside>
  )
}
