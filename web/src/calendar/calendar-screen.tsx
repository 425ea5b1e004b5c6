import { PageHeading } from '../ui/page-heading.tsx'
import { de } from '../words/de/calendar.ts'
import { en } from '../words/en/calendar.ts'
import { useWords } from '../words/use-words.ts'

export function CalendarScreen() {
  const words = useWords({ en, de })
  return <PageHeading title={words.title} />
}
