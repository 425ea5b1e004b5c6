import type { SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../live/office-client.ts'
import { outdated, reading } from '../../live/queries.ts'
import { AnswerList } from '../../shell/answer.tsx'
import { Confirm } from '../../shell/question/confirm.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ListRow } from '../../ui/list.tsx'
import { dateAndTime } from '../../words/date-and-time.ts'
import { useDirectoryWords } from '../../words/directory.ts'

type Refusal = SuccessBody<'listDirectoryRefusals'>['refusals'][number]
type Decision = 'restore' | 'release'

/** Refusals to the organization's directories, and those that wait for an administrator's decision. */
export function DirectoryRefusals() {
  const words = useDirectoryWords()
  const query = useQuery(reading('listDirectoryRefusals'))
  return (
    <Card title={words.refusals}>
      <p className="soft small">{words.refusalsAbout}</p>
      <AnswerList
        {...{ query, words, label: words.refusals, none: words.noRefusals }}
        rows={({ refusals }) => refusals}
      >
        {(refusal) => (
          <RefusalRow key={`${refusal.at} ${refusal.request} ${refusal.name}`} refusal={refusal} />
        )}
      </AnswerList>
    </Card>
  )
}

function RefusalRow({ refusal }: { refusal: Refusal }) {
  const words = useDirectoryWords()
  const [decision, setDecision] = useState<Decision>()
  const { at, request, reason, done, waits } = refusal
  const name = refusal.name || words.somebody
  return (
    <ListRow
      title={refusal.name || words.refused(request)}
      about={
        <>
          {dateAndTime(at)} · {request}: {words.reasons[reason] ?? reason} {words.done[done] ?? done}
          {waits && <p>{words.waits}</p>}
          {decision && <Decide {...{ refusal, name, decision }} onClose={() => setDecision(undefined)} />}
        </>
      }
      after={
        waits && (
          <>
            <Button small look="quiet" onPress={() => setDecision('restore')}>
              {words.restore} <span className="visually-hidden">{name}</span>
            </Button>
            <Button small look="quiet" onPress={() => setDecision('release')}>
              {words.release} <span className="visually-hidden">{name}</span>
            </Button>
          </>
        )
      }
    />
  )
}

function Decide({
  refusal: { userId: id },
  name,
  decision,
  onClose,
}: {
  refusal: Refusal
  name: string
  decision: Decision
  onClose(): void
}) {
  const words = useDirectoryWords()
  const isSame = decision === 'restore'
  return (
    <Confirm
      title={isSame ? words.restoreTitle(name) : words.releaseTitle(name)}
      about={isSame ? words.restoreAbout : words.releaseAbout}
      confirm={isSame ? words.restore : words.release}
      work={async () => {
        await client.call(isSame ? 'restoreDirectoryUser' : 'releaseDirectoryName', { id })
        await outdated('listDirectoryRefusals', 'listMembers')
      }}
      onClose={onClose}
    />
  )
}
