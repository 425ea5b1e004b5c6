import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { useMay } from '../live/permissions.ts'
import { queryClient, reading } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { useCopy } from '../live/use-copy.ts'
import { Failed } from '../shell/failed.tsx'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/state.tsx'
import { useMembersWords } from '../words/members.ts'

/** The link by which anybody who has it joins: to copy, and to replace. */
export function InviteLink() {
  const words = useMembersWords()
  const may = useMay()
  const { data, isError, refetch } = useQuery({ ...reading('getInviteLink'), enabled: may('ReadInviteLink') })
  const [isReplaced, setReplaced] = useState(false)
  const { copy, said, problem, forget } = useCopy()
  const reset = useAction(async () => {
    queryClient.setQueryData(reading('getInviteLink').queryKey, await client.call('resetInviteLink'))
    forget()
    setReplaced(true)
  })
  if (!may('ReadInviteLink')) return null
  return (
    <section className="invite-link" aria-label={words.link}>
      <h3>{words.link}</h3>
      <p className="soft small">{words.linkAbout}</p>
      {isError && <Failed title={words.linkFailed} onAgain={refetch} />}
      <div className="invite-link-row">
        <code>{data?.inviteLink ?? '…'}</code>
        <Button small icon="copy" isDisabled={!data} onPress={() => void copy(data?.inviteLink ?? '')}>
          {words.copy}
        </Button>
        {may('ResetInviteLink') && (
          <Button small busy={reset.busy} onPress={() => void reset.run()}>
            {words.replace}
          </Button>
        )}
      </div>
      <p role="status" className="small soft">
        {said || (isReplaced && words.replaced)}
      </p>
      <Problem>{problem ?? reset.problem}</Problem>
    </section>
  )
}
