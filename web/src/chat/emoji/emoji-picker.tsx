import { useMemo, useState } from 'react'
import { Form } from '../../ui/fields/form.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { useChatWords } from '../../words/chat.ts'
import { useEmojiNames } from '../../words/emoji.ts'
import { emojiList } from './emoji-list.ts'
import { findEmoji } from './find-emoji.ts'
import './emoji.css'

/** The list with a search over it. Enter takes the first one that was found. */
export function EmojiPicker({ onChosen }: { onChosen(emoji: string): void }) {
  const { emoji: words } = useChatWords()
  const [query, setQuery] = useState('')
  const names = useEmojiNames()
  const list = useMemo(() => emojiList(names), [names])
  const found = findEmoji(list, query)
  return (
    <Form className="emoji-picker" onSubmit={() => query !== '' && found[0] && onChosen(found[0].emoji)}>
      <SearchField label={words.search} value={query} onChange={setQuery} autoFocus />
      <fieldset className="emoji-all" aria-label={words.all}>
        {found.length === 0 && <p className="soft small">{words.none}</p>}
        {found.map(({ emoji, name }) => (
          <button
            key={emoji}
            type="button"
            className="emoji-one"
            aria-label={name}
            title={name}
            onClick={() => onChosen(emoji)}
          >
            {emoji}
          </button>
        ))}
      </fieldset>
    </Form>
  )
}
