import { PageHeading } from '../ui/page-heading.tsx'
import { de } from '../words/de/administration.ts'
import { en } from '../words/en/administration.ts'
import { useWords } from '../words/use-words.ts'

export function AdministrationScreen() {
  const words = useWords({ en, de })
  return <PageHeading title={words.title} />
}
