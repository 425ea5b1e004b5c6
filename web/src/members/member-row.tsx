import type { Person } from '@atrium/client/people'
import { memo, useState } from 'react'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { PersonName } from '../shell/colleague/person-name.tsx'
import { StatusWord } from '../shell/status/status-word.tsx'
import { dotOf } from '../shell/status/status-words.ts'
import { Avatar } from '../ui/avatar.tsx'
import { ListRow } from '../ui/list.tsx'
import { Menu } from '../ui/overlays/menu.tsx'
import { MenuButton } from '../ui/overlays/menu-button.tsx'
import { notices } from '../ui/overlays/notices.ts'
import { Problem } from '../ui/state.tsx'
import { useMembersWords } from '../words/members.ts'
import { MakeAdminDialog } from './make-admin-dialog.tsx'
import { isRemovable, type NewRole, rolesToGive, type Self } from './ranks.ts'

interface MemberRowProps {
  person: Person
  self: Self
  onRemove(person: Person): void
}

export const MemberRow = memo(function MemberRow({ person, self, onRemove }: MemberRowProps) {
  const words = useMembersWords()
  const { id, displayName, email, avatarUrl, status, role, isBot } = person
  const isSelf = id === self.id
  const name = displayName || email
  const [asking, setAsking] = useState(false)
  const change = useAction(async (next: NewRole) => {
    await client.call('updateMember', { id, role: next })
    notices.show({ text: words.changed[next](name), tone: 'good' })
  })
  const entries = useEntries({ person, self, onRemove }, (next) =>
    // an equal can take one's own role away again
    next === 'admin' ? setAsking(true) : void change.run(next),
  )
  return (
    <ListRow
      before={<Avatar id={id} name={name} url={avatarUrl} isBot={isBot} status={dotOf(status)} />}
      title={
        <>
          <PersonName userId={id} name={name} />
          <StatusWord status={dotOf(status)} /> {isSelf && <span className="soft">({words.you})</span>}
        </>
      }
      about={
        <>
          {words.roles[role]} · {isBot ? words.bot : email}
          <Problem>{change.problem}</Problem>
          {asking && (
            <MakeAdminDialog
              name={name}
              onYes={() => void change.run('admin')}
              onClose={() => setAsking(false)}
            />
          )}
        </>
      }
      after={
        entries.length > 0 && (
          <Menu
            label={words.actions(name)}
            trigger={<MenuButton icon="more" label={words.actions(name)} busy={change.busy} />}
            entries={entries}
          />
        )
      }
    />
  )
})

/** What may be done with a member. */
function useEntries({ person, self, onRemove }: MemberRowProps, onRole: (role: NewRole) => void) {
  const words = useMembersWords()
  const remove = { danger: true, onAction: () => onRemove(person) }
  return [
    ...rolesToGive(self, person).map((next) => ({
      id: next,
      label: words.makeRole[next],
      about: words.rolesAbout[next],
      onAction: () => onRole(next),
    })),
    ...(person.id === self.id && !self.isLastAdmin ? [{ id: 'leave', label: words.leave, ...remove }] : []),
    ...(isRemovable(self, person) ? [{ id: 'remove', label: words.remove, ...remove }] : []),
  ]
}
