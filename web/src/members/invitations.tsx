import { useQuery } from '@tanstack/react-query'
import { client } from '../live/office-client.ts'
import { outdated, reading } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { List, ListRow } from '../ui/list.tsx'
import { ErrorState, Loading, Problem } from '../ui/state.tsx'
import { de } from '../words/de/members.ts'
import { en } from '../words/en/members.ts'
import { localeNow } from '../words/language.ts'
import { useWords } from '../words/use-words.ts'
import type { Role } from './ranks.ts'

const SHOWN = 50

/** Invitations that nobody has accepted yet. */
export function Invitations() {
  const words = useWords({ en, de })
  const { data, isError, refetch } = useQuery(reading('listInvitation', { limit: SHOWN }))
  const pending = data?.data.filter(({ state }) => state === 'pending')
  return (
    <Card title={words.invitations}>
      {isError && (
        <ErrorState title={words.invitationsFailed}>
          <Button onPress={() => void refetch()}>{words.tryAgain}</Button>
        </ErrorState>
      )}
      {!pending && !isError && <Loading label={words.loading} />}
      {pending?.length === 0 && <p className="soft">{words.noInvitations}</p>}
      {pending && pending.length > 0 && (
        <List label={words.invitations}>
          {pending.map((invitation) => (
            <InvitationRow key={invitation.id} {...invitation} />
          ))}
        </List>
      )}
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
  const words = useWords({ en, de })
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
