import { AtriumError } from '@atrium/client'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { client } from '../live/office-client.ts'
import { type Action, useAction } from '../live/use-action.ts'
import { Outside } from '../shell/outside/outside.tsx'
import { Button } from '../ui/button.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Loading } from '../ui/state.tsx'
import { useGuestWords } from '../words/guest.ts'
import { GuestVisit } from './guest-visit.tsx'
import type { Invite } from './invite.ts'
import { keepVisit, keptVisit } from './kept-visit.ts'
import './guest.css'

/** Where links for guests lead: people without an account, who ask to be let into a room. */
export function GuestScreen() {
  const words = useGuestWords()
  const { invite_token = '' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [kept] = useState(() => keptVisit(invite_token))
  const [invite, setInvite] = useState<Invite>()
  const [isOver, setOver] = useState(false)
  const [visit, setVisit] = useState(0)
  const look = useAction(async () => {
    try {
      setInvite(await client.call('previewGuestInvite', { inviteToken: kept.token }))
    } catch (error) {
      if (error instanceof AtriumError && (error.status === 410 || error.status === 404)) setOver(true)
      throw error
    }
  })
  const { run } = look
  useEffect(() => {
    if (kept.token === '') return
    keepVisit(kept)
    // a glance over the shoulder, or a picture of the screen, reveals no link
    if (invite_token !== '') void navigate({ to: pagePaths.guest, replace: true })
    void run()
  }, [kept, invite_token, navigate, run])
  if (invite)
    return (
      <GuestVisit
        key={visit}
        invite={invite}
        kept={visit === 0 ? kept : { ...keptVisit(''), hasAsked: false }}
        onAgain={() => setVisit(visit + 1)}
      />
    )
  if (kept.token !== '' && !look.problem)
    return (
      <Outside>
        <Loading label={words.loading} />
      </Outside>
    )
  return <NoInvite {...{ isOver, look }} />
}

/** The page has no link, one that is over, or one that could not be looked at. */
function NoInvite({ isOver, look }: { isOver: boolean; look: Action<[]> }) {
  const words = useGuestWords()
  return (
    <Outside>
      <PageHeading
        title={isOver ? words.over : look.problem ? words.failed : words.nothing}
        about={isOver ? words.overAbout : (look.problem ?? words.nothingAbout)}
      />
      {look.problem && !isOver && (
        <Button busy={look.busy} onPress={() => void look.run()}>
          {words.tryAgain}
        </Button>
      )}
    </Outside>
  )
}
