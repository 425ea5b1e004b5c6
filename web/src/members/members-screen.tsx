import { PageHeading } from '../ui/page-heading.tsx'
import { de } from '../words/de/members.ts'
import { en } from '../words/en/members.ts'
import { useWords } from '../words/use-words.ts'

export function MembersScreen() {
  const words = useWords({ en, de })
  return <PageHeading title={words.title} />
}
