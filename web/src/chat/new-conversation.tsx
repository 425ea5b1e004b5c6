import { useChat, usePeople } from '@atrium/react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { isCalled } from '../live/matching.ts'
import { useAction } from '../live/use-action.ts'
import { useSession } from '../live/use-session.ts'
import { dotOf } from '../shell/status/status-words.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/fields/form.tsx'
import { SearchField } from '../ui/fields/search-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { useChatWords } from '../words/chat.ts'

export function NewConversation({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const words = useChatWords()
  return (
    <Dialog title={words.newConversation} isOpen={isOpen} onClose={onClose}>
      <NewConversationForm onClose={onClose} />
    </Dialog>
  )
}

/** More than anybody reads; search finds the rest. */
const SHOWN = 50

function NewConversationForm({ onClose }: { onClose(): void }) {
  const words = useChatWords()
  const { chosen, toggle, title, setTitle, begin } = useNewConversation(onClose)
  return (
    <Form onSubmit={begin.run} className="new-conversation">
      <PeopleField chosen={chosen} onToggle={toggle} />
      {chosen.length > 1 && (
        <TextField
          label={words.groupName}
          value={title}
          onChange={setTitle}
          maxLength={100}
          hint={words.optional}
        />
      )}
      <Problem>{begin.problem}</Problem>
      <DialogButtons>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button type="submit" look="primary" busy={begin.busy} isDisabled={chosen.length === 0}>
          {words.begin(chosen.length)}
        </Button>
      </DialogButtons>
    </Form>
  )
}

/** The people and the title that are chosen, and the conversation that begins with them. */
function useNewConversation(onClose: () => void) {
  const chat = useChat()
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const toggle = (id: string) =>
    setChosen((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]))
  const begin = useAction(async () => {
    const [first] = chosen
    if (!chat || first === undefined) return
    const given = title.trim() === '' ? undefined : title.trim()
    const conversation =
      chosen.length === 1 ? await chat.openWith(first) : await chat.openGroup(chosen, given)
    // first: as long as it is open, the dialog keeps the focus
    onClose()
    await navigate({
      to: pagePaths.conversation,
      params: { conversationId: String(conversation.id) },
      state: { toWrite: true },
    })
  })
  return { chosen, toggle, title, setTitle, begin }
}

/** Colleagues to choose from, and the search for them. */
function PeopleField({ chosen, onToggle }: { chosen: readonly string[]; onToggle(id: string): void }) {
  const words = useChatWords()
  const { people } = usePeople()
  const session = useSession()
  const [text, setText] = useState('')
  const ownId = session.state === 'signed-in' ? session.user.id : ''
  const found = people
    .filter((person) => person.id !== ownId && isCalled(person, text))
    // a chosen person stays in sight, whatever is searched for next
    .sort((a, b) => Number(chosen.includes(b.id)) - Number(chosen.includes(a.id)))
  return (
    <>
      <SearchField label={words.searchPeople} value={text} onChange={setText} />
      <fieldset className="new-conversation-people">
        <legend className="visually-hidden">{words.who}</legend>
        {found.length === 0 && <p className="soft">{words.nobody}</p>}
        {found.slice(0, SHOWN).map(({ id, displayName, email, avatarUrl, status }) => (
          <label key={id} className="new-conversation-person">
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => onToggle(id)} />
            <Avatar id={id} name={displayName || email} url={avatarUrl} size="small" status={dotOf(status)} />
            <span className="chat-title">{displayName || email}</span>
          </label>
        ))}
      </fieldset>
    </>
  )
}
