import type { Person } from '@atrium/client/people'
import { useOffice, usePeople } from '@atrium/react'
import { useState } from 'react'
import { isCalled } from '../live/matching.ts'
import { useMay, useMembership } from '../live/permissions.ts'
import { useSession } from '../live/use-session.ts'
import { Failed } from '../shell/failed.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { SearchField } from '../ui/fields/search-field.tsx'
import { LongList } from '../ui/long-list.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { EmptyState, Loading } from '../ui/state.tsx'
import { useMembersWords } from '../words/members.ts'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberRow } from './member-row.tsx'
import type { Self } from './ranks.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import './members.css'

/** The members of the organization, and its invitations. */
export function MembersScreen() {
  const words = useMembersWords()
  const office = useOffice()
  const { people, loaded, error } = usePeople()
  const self = useSelf(people)
  const may = useMay()
  const [text, setText] = useState('')
  const [invites, setInvites] = useState(false)
  const [removing, setRemoving] = useState<Person>()
  const failed = !loaded && error !== undefined
  return (
    <>
      <PageHeading
        title={words.title}
        about={loaded ? words.count(people.filter(({ isBot }) => !isBot).length) : '\u00a0'}
      >
        {may('InviteUser') && (
          <Button look="primary" icon="plus" onPress={() => setInvites(true)}>
            {words.invite}
          </Button>
        )}
      </PageHeading>
      <div className="members">
        {may('InviteUser') && <Invitations />}
        <Card title={words.members}>
          <SearchField label={words.search} value={text} onChange={setText} />
          {failed && (
            <Failed title={words.failed} onAgain={async () => await office.get().present?.people.refresh()} />
          )}
          {!loaded && !failed && <Loading label={words.loading} />}
          {loaded && self && <Found people={people} self={self} text={text} onRemove={setRemoving} />}
        </Card>
      </div>
      {invites && self && <InviteDialog ownRole={self.role} onClose={() => setInvites(false)} />}
      {removing && self && (
        <RemoveDialog
          person={removing}
          isSelf={removing.id === self.id}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  )
}

interface FoundProps {
  people: readonly Person[]
  self: Self
  text: string
  onRemove(person: Person): void
}

function Found({ people, self, text, onRemove }: FoundProps) {
  const words = useMembersWords()
  const found = people.filter((person) => isCalled(person, text))
  if (found.length === 0) return <EmptyState icon="search" title={words.noMatch(text.trim())} />
  return (
    <LongList label={words.members} rows={found} keyOf={({ id }) => id}>
      {(person) => <MemberRow person={person} self={self} onRemove={onRemove} />}
    </LongList>
  )
}

function useSelf(people: readonly Person[]): Self | undefined {
  const session = useSession()
  const membership = useMembership()
  const may = useMay()
  if (session.state !== 'signed-in' || !membership) return undefined
  const { role } = membership
  const isLastAdmin = role === 'admin' && people.filter((person) => person.role === 'admin').length <= 1
  return { id: session.user.id, role, mayEdit: may('EditUser'), mayRemove: may('BanUser'), isLastAdmin }
}
