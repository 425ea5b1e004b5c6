import { classNames } from '../../ui/class-names.ts'
import { useChatWords } from '../../words/chat.ts'
import type { MentionPicker } from './mention-picker.ts'

/** Above the field, which keeps the focus. */
export function MentionList({ id, picker }: { id: string; picker: MentionPicker }) {
  const { mention: words } = useChatWords()
  if (picker.found.length === 0) return null
  return (
    <div id={id} role="listbox" aria-label={words.who} className="mention-list">
      {picker.found.map((member, at) => (
        <div
          key={member.id}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === picker.at}
          className={classNames('mention-one', at === picker.at && 'mention-at')}
          // the field keeps the focus
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => picker.choose(member)}
          onKeyDown={picker.onKey}
        >
          @{member.name}
        </div>
      ))}
    </div>
  )
}
