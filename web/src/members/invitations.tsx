import { useQuery } from '@tanstack/react-query'
import { client } from '../live/office-client.ts'
import { outdated, reading } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { AnswerList } from '../shell/answer.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ListRow } from '../ui/list.tsx'
import { Problem } from '../ui/state.tsx'
import { localeNow } from '../words/language.ts'
import { useMembersWords } from '../words/members.ts'
import type { Role } from './ranks.ts'

const SHOWN = 50

/** Invitations that wait for an answer. */
export function Invitations() {
  const words = useMembersWords()
  const query = useQuery(reading('listInvitation', { limit: SHOWN }))
  return (
    <Card title={words.invitations}>
      <AnswerList
        query={query}
        rows={({ data }) => data.filter(({ state }) => state === 'pending')}
        label={words.invitations}
        words={{ loading: words.loading, failed: words.invitationsFailed }}
        none={words.noInvitations}
      >
        {(invitation) => <InvitationRow key={invitation.id} {...invitation} />}
      </AnswerList>
    </Card>
  )
}

interface InvitationRowProps {
  id: string
  email: string
  role: Role
  expiresAt: string
}

function InvitationRow({ id, email, role, expiresAt }: InvitationRowProps) {
  const words = useMembersWords()
  const day = new Intl.DateTimeFormat(localeNow(), { day: 'numeric', month: 'short' }).format(
    new Date(expiresAt),
  )
  const revoke = useAction(async () => {
    await client.call('revokeInvitation', { invitationId: id })
    await outdated('listInvitation')
  })
  return (
    <ListRow
      title={email}
      about={
        <>
          {words.roles[role]} · {words.until(day)}
          <Problem>{revoke.problem}</Problem>
        </>
      }
      after={
        <Button small look="quiet" busy={revoke.busy} onPress={() => void revoke.run()}>
          {words.revoke} <span className="visually-hidden">{email}</span>
        </Button>
      }
    />
  )
}
