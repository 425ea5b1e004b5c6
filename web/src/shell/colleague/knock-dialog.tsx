import type { Person } from '@atrium/client/people'
import type { Room } from '@atrium/client/rooms'
import { useState } from 'react'
import { knock } from '../../live/doors/knocking.ts'
import { client } from '../../live/office-client.ts'
import { useAction } from '../../live/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/fields/form.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { notices } from '../../ui/overlays/notices.ts'
import { Problem } from '../../ui/state.tsx'
import { useColleagueWords } from '../../words/colleague.ts'
import { useShellWords } from '../../words/shell.ts'

export interface KnockDialogProps {
  person: Person
  ownId: string
  rooms: readonly Room[]
  onClose(): void
}

/** Asks a colleague for a moment. What they say appears beside every screen. */
export function KnockDialog({ person, ownId, rooms, onClose }: KnockDialogProps) {
  const words = useColleagueWords()
  const { knock: knockWords } = useShellWords()
  const [message, setMessage] = useState('')
  const [roomId, setRoomId] = useState(() => proposedRoom(rooms, ownId))
  const name = person.displayName
  const send = useAction(async () => {
    const target = { userId: person.id, name, ...(roomId ? { roomId } : {}) }
    const knockId = await knock(target, message.trim())
    onClose()
    if (knockId === undefined) notices.show({ text: knockWords.notReachable(name) })
    else tellWaiting(knockId, name, knockWords)
  })
  const places = [
    { id: '', label: words.anywhere },
    ...rooms.map((room) => ({ id: room.id, label: room.name })),
  ]
  return (
    <Dialog title={words.knockTitle(name)} isOpen onClose={onClose}>
      <p className="soft">{words.knockAbout}</p>
      <Form onSubmit={send.run}>
        <TextField
          label={words.message}
          value={message}
          onChange={setMessage}
          placeholder={words.messagePlaceholder}
          maxLength={200}
          autoComplete="off"
          autoFocus
        />
        <Select label={words.where} options={places} value={roomId} onChange={setRoomId} />
        <Problem>{send.problem}</Problem>
        <DialogButtons>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button type="submit" look="primary" icon="knock" busy={send.busy}>
            {words.knock}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  )
}

function tellWaiting(knockId: string, name: string, words: ReturnType<typeof useShellWords>['knock']): void {
  const cancel = () => void client.call('cancelKnock', { knockId }).catch(() => {})
  notices.show({
    id: knockId,
    text: words.waiting(name),
    actions: [{ label: words.cancel, onAction: cancel }],
    onClose: cancel,
  })
}

/** The room to meet in unless another one is chosen: the caller's own, else an empty one. */
function proposedRoom(rooms: readonly Room[], ownId: string): string {
  const own = rooms.find(({ people }) => people.some(({ userId }) => userId === ownId))
  const empty = rooms.find(({ people, guests }) => people.length === 0 && guests === 0)
  return (own ?? empty)?.id ?? ''
}
