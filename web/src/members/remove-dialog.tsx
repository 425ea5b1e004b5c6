import type { Person } from '@atrium/client/people'
import { client, readSession } from '../live/office-client.ts'
import { Confirm } from '../shell/question/confirm.tsx'
import { useMembersWords } from '../words/members.ts'

interface RemoveDialogProps {
  person: Person
  isSelf: boolean
  onClose(): void
}

/** Asks before a member is removed, or leaves. */
export function RemoveDialog({ person, isSelf, onClose }: RemoveDialogProps) {
  const words = useMembersWords()
  return (
    <Confirm
      title={isSelf ? words.leaveTitle : words.removeTitle(person.displayName || person.email)}
      about={isSelf ? words.leaveAbout : words.removeAbout}
      confirm={isSelf ? words.leave : words.remove}
      work={async () => {
        await client.call('removeMember', { id: person.id })
        if (isSelf) await readSession()
      }}
      onClose={onClose}
    />
  )
}
