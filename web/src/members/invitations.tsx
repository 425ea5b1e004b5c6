import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { client } from '../live/office-client.ts'
import { useMembership } from '../live/permissions.ts'
import { outdated } from '../live/queries.ts'
import { readingOn } from '../live/reading-on.ts'
import { useAction } from '../live/use-action.ts'
import { AnswerList } from '../shell/answer.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ListRow } from '../ui/list.tsx'
import { Problem } from '../ui/state.tsx'
import { localeNow } from '../words/language.ts'
import { useMembersWords } from '../words/members.ts'
import { pendingOf, readsOn } from './pending.ts'
import { isRevocable, type Role } from './ranks.ts'

const PAGE = 100
const SHOWN_AT_FIRST = 10
const SHOWN_MORE = 50

/** Invitations that wait for an answer. */
export function Invitations() {
  const words = useMembersWords()
  const { query, rows, isReading, hasMore, showMore } = usePending()
  return (
    <Card title={words.invitations}>
      <AnswerList
        query={query}
        rows={() => rows}
        label={words.invitations}
        words={{ loading: words.loading, failed: words.invitationsFailed }}
        none={hasMore || isReading ? words.soughtFurther : words.noInvitations}
      >
        {(invitation) => <InvitationRow key={invitation.id} {...invitation} />}
      </AnswerList>
      {(hasMore || isReading) && (
        <Button small busy={isReading} onPress={showMore}>
          {words.moreInvitations}
        </Button>
      )}
    </Card>
  )
}

/** The office lists invitations of every state: the pages are read until there are as many pending ones as are shown. */
function usePending() {
  const [asked, setAsked] = useState(0)
  const query = useInfiniteQuery(readingOn('listInvitation', { limit: PAGE }))
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query
  const pages = data?.pages ?? []
  const found = pendingOf(pages)
  const shown = SHOWN_AT_FIRST + asked * SHOWN_MORE
  const isReading = data !== undefined && hasNextPage && readsOn(pages.length, found.length, shown, asked)
  useEffect(() => {
    if (isReading && !isFetching && !isError) void fetchNextPage({ cancelRefetch: false })
  }, [isReading, isFetching, isError, fetchNextPage])
  return {
    query,
    rows: found.slice(0, shown),
    isReading: isReading && !isError,
    hasMore: hasNextPage || found.length > shown,
    showMore: () => setAsked(asked + 1),
  }
}

interface InvitationRowProps {
  id: string
  email: string
  role: Role
  expiresAt: string
}

function InvitationRow({ id, email, role, expiresAt }: InvitationRowProps) {
  const words = useMembersWords()
  const own = useMembership()?.role
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
        own &&
        isRevocable(own, role) && (
          <Button small look="quiet" busy={revoke.busy} onPress={() => void revoke.run()}>
            {words.revoke} <span className="visually-hidden">{email}</span>
          </Button>
        )
      }
    />
  )
}
