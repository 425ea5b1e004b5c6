import { PageHeading } from '../../ui/page-heading.tsx'
import { useInsteadWords } from '../../words/instead.ts'
import { Outside } from './outside.tsx'

export function NotHere() {
  const words = useInsteadWords()
  return (
    <Outside>
      <PageHeading title={words.notHere} about={words.notHereAbout} />
      <a className="button button-primary" href="/">
        {words.toOffice}
      </a>
    </Outside>
  )
}
