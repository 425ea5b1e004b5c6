import type { Conversation } from '@atrium/client/chat'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { pagePaths } from '../../../page-paths.ts'
import { useAction } from '../../live/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/fields/form.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { MenuButton } from '../../ui/overlays/menu-button.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import { Problem } from '../../ui/state.tsx'
import { useChatWords } from '../../words/chat.ts'

/** Leads to what was written on a day, or after it. */
export function JumpToDay({ conversation }: { conversation: Conversation }) {
  const { jump: words } = useChatWords()
  return (
    <Popover
      label={words.label}
      placement="bottom end"
      trigger={<MenuButton icon="calendar" label={words.label} />}
    >
      {({ close }) => <DayForm conversation={conversation} onDone={close} />}
    </Popover>
  )
}

function DayForm({ conversation, onDone }: { conversation: Conversation; onDone(): void }) {
  const { jump: words } = useChatWords()
  const navigate = useNavigate()
  const [day, setDay] = useState('')
  const jump = useAction(async () => {
    // midnight where the person is
    const message = await conversation.messageAt(new Date(`${day}T00:00:00`))
    onDone()
    if (message === undefined) return
    const params = { conversationId: String(conversation.id) }
    await navigate({ to: pagePaths.conversation, params, state: { message } })
  })
  return (
    <Form onSubmit={() => day !== '' && jump.run()}>
      <TextField label={words.day} type="date" value={day} onChange={setDay} autoFocus isRequired />
      <Problem>{jump.problem}</Problem>
      <Button type="submit" look="primary" busy={jump.busy}>
        {words.go}
      </Button>
    </Form>
  )
}
