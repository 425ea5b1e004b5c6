import { PageHeading } from '../ui/page-heading.tsx'
import { de } from '../words/de/settings.ts'
import { en } from '../words/en/settings.ts'
import { useWords } from '../words/use-words.ts'

export function SettingsScreen() {
  const words = useWords({ en, de })
  return <PageHeading title={words.title} />
}
