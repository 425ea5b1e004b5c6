import { PageHeading } from '../ui/page-heading.tsx'
import { de } from '../words/de/health.ts'
import { en } from '../words/en/health.ts'
import { useWords } from '../words/use-words.ts'

export function HealthScreen() {
  const words = useWords({ en, de })
  return <PageHeading title={words.title} />
}
