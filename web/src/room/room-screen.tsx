import { PageHeading } from '../ui/page-heading.tsx'
import { de } from '../words/de/room.ts'
import { en } from '../words/en/room.ts'
import { useWords } from '../words/use-words.ts'

export function RoomScreen() {
  const words = useWords({ en, de })
  return <PageHeading title={words.title} />
}
