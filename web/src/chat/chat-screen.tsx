import { PageHeading } from '../ui/page-heading.tsx'
import { de } from '../words/de/chat.ts'
import { en } from '../words/en/chat.ts'
import { useWords } from '../words/use-words.ts'

export function ChatScreen() {
  const words = useWords({ en, de })
  return <PageHeading title={words.title} />
}
