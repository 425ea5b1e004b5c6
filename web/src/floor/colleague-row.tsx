import type { Person } from '@atrium/client/people'
import { useChat } from '@atrium/react'
import { useNavigate } from '@tanstack/react-router'
import { memo } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { useAction } from '../live/use-action.ts'
import { aboutPerson, dotOf } from '../shell/status-words.ts'
import { Avatar } from '../ui/avatar.tsx'
import { IconButton } from '../ui/button.tsx'
import { ListRow } from '../ui/list.tsx'
import { de } from '../words/de/floor.ts'
import { de as shellDe } from '../words/de/shell.ts'
import { en } from '../words/en/floor.ts'
import { en as shellEn } from '../words/en/shell.ts'
import { useWords } from '../words/use-words.ts'
import { isReachable } from './floor-groups.ts'

interface ColleagueRowProps {
  person: Person
  roomName: string | undefined
  onKnock(person: Person): void
}

/** A thousand of them are shown: one that has not changed is not rendered again. */
export const ColleagueRow = memo(function ColleagueRow({ person, roomName, onKnock }: ColleagueRowProps) {
  const words = useWords({ en, de })
  const { status } = useWords({ en: shellEn, de: shellDe })
  const chat = useChat()
  const navigate = useNavigate()
  const write = useAction(async () => {
    const conversation = await chat?.openWith(person.id)
    if (conversation)
      await navigate({ to: pagePaths.conversation, params: { conversationId: String(conversation.id) } })
  })
  return (
    <ListRow
      before={<Avatar name={person.displayName} url={person.avatarUrl} status={dotOf(person.status)} />}
      title={person.displayName}
      about={aboutPerson(person, status, roomName)}
      faint={person.status === 'offline'}
      after={
        <>
          {isReachable(person) && (
            <IconButton
              icon="knock"
              label={words.knockAt(person.displayName)}
              onPress={() => onKnock(person)}
            />
          )}
          <IconButton
            icon="chat"
            label={words.writeTo(person.displayName)}
            busy={write.busy}
            onPress={() => void write.run()}
          />
        </>
      }
    />
  )
})
