import type { Person } from '@atrium/client/people'
import { memo } from 'react'
import { shownColleague } from '../../live/shown-colleague.ts'
import { PersonName } from '../../shell/colleague/person-name.tsx'
import { useWriteTo } from '../../shell/colleague/use-write-to.ts'
import { aboutPerson, dotOf, isReachable } from '../../shell/status/status-words.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { ListRow } from '../../ui/list.tsx'
import { useFloorWords } from '../../words/floor.ts'
import { useShellWords } from '../../words/shell.ts'

interface ColleagueRowProps {
  person: Person
  roomName: string | undefined
}

/** A thousand of them are shown: one that has not changed is not rendered again. */
export const ColleagueRow = memo(function ColleagueRow({ person, roomName }: ColleagueRowProps) {
  const words = useFloorWords()
  const { status } = useShellWords()
  const write = useWriteTo(person.id)
  return (
    <ListRow
      before={
        <Avatar
          id={person.id}
          name={person.displayName}
          url={person.avatarUrl}
          isBot={person.isBot}
          status={dotOf(person.status)}
        />
      }
      title={<PersonName userId={person.id} name={person.displayName} />}
      about={aboutPerson(person, status, roomName)}
      faint={person.status === 'offline'}
      after={
        <>
          {isReachable(person) && (
            <IconButton
              icon="knock"
              word={words.knock}
              label={words.knockAt(person.displayName)}
              onPress={(anchor) => shownColleague.show({ userId: person.id, as: 'knock', anchor })}
            />
          )}
          <IconButton
            icon="chat"
            word={words.write}
            label={words.writeTo(person.displayName)}
            busy={write.busy}
            onPress={() => void write.run()}
          />
        </>
      }
    />
  )
})
