import { Suspense, useRef } from 'react'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { Loading } from '../../ui/state.tsx'
import { useSearchKey } from '../../ui/use-search-key.ts'
import { useChatWords } from '../../words/chat.ts'
import './search.css'
import { lazyPart } from '../../live/page/patient-import.ts'

/** Loaded when something is searched for first. */
const SearchResults = lazyPart(() => import('./search-results.tsx'), 'SearchResults')

interface ChatSearchProps {
  text: string
  onText(text: string): void
}

/** The field over the list; Ctrl or Cmd with K, or `/`, leads to it. */
export function ChatSearch({ text, onText }: ChatSearchProps) {
  const { search: words } = useChatWords()
  const place = useRef<HTMLElement>(null)
  useSearchKey(() => place.current?.querySelector('input')?.focus())
  return (
    <search className="chat-search" ref={place}>
      <SearchField label={words.label} value={text} onChange={onText} />
      {text.trim() !== '' && (
        <Suspense fallback={<Loading label={words.searching} />}>
          <SearchResults text={text.trim().slice(0, 200)} />
        </Suspense>
      )}
    </search>
  )
}
