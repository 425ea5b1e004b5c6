import { useState } from 'react'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { useChatWords } from '../../words/chat.ts'
import { languageNow } from '../../words/language.ts'
import { EMOJI_LIST } from './emoji-list.ts'
import { findEmoji } from './find-emoji.ts'
import './emoji.css'

/** The list with a search over it. Enter takes the first one that was found. */
export function EmojiPicker({ onChosen }: { onChosen(emoji: string): void }) {
  const { emoji: words } = useChatWords()
  const [query, setQuery] = useState('')
  const found = findEmoji(EMOJI_LIST, query)
  const language = languageNow()
  return (
    <form
      className="emoji-picker"
      onSubmit={(event) => {
        event.preventDefault()
        if (query !== '' && found[0]) onChosen(found[0].emoji)
      }}
    >
      <SearchField label={words.search} value={query} onChange={setQuery} autoFocus />
      <fieldset className="emoji-all" aria-label={words.all}>
        {found.length === 0 && <p className="soft small">{words.none}</p>}
        {found.map(({ emoji, words: names }) => (
          <button
            key={emoji}
            type="button"
            className="emoji-one"
            aria-label={names[language]}
            title={names[language]}
            onClick={() => onChosen(emoji)}
          >
            {emoji}
          </button>
        ))}
      </fieldset>
    </form>
  )
}
