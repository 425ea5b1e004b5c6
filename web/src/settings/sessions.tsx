import type { SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { signOut } from '../live/ended.ts'
import { client, session } from '../live/office-client.ts'
import { outdated, reading } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { AnswerList } from '../shell/answer.tsx'
import { timeOf } from '../shell/status/status-words.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ListRow } from '../ui/list.tsx'
import { Problem } from '../ui/state.tsx'
import { useSettingsWords } from '../words/settings.ts'

type UserSession = SuccessBody<'listSessions'>['sessions'][number]

/** Where one is signed in, and what ends it. */
export function Sessions() {
  const words = useSettingsWords()
  const query = useQuery(reading('listSessions'))
  const others = useAction(async () => {
    await session.signOutOthers()
    await outdated('listSessions')
  })
  const leave = useAction(signOut)
  return (
    <Card title={words.sessions}>
      <AnswerList query={query} rows={({ sessions }) => sessions} label={words.sessions} words={words}>
        {(one) => <SessionRow key={one.id} {...one} />}
      </AnswerList>
      <div className="settings-buttons">
        {query.data && query.data.sessions.length > 1 && (
          <Button busy={others.busy} onPress={() => void others.run()}>
            {words.endOthers}
          </Button>
        )}
        <Button icon="sign-out" busy={leave.busy} onPress={() => void leave.run()}>
          {words.signOut}
        </Button>
      </div>
      <Problem>{others.problem ?? leave.problem}</Problem>
    </Card>
  )
}

function SessionRow({ id, device, network, lastUsedAt, current }: UserSession) {
  const words = useSettingsWords()
  const end = useAction(async () => {
    await client.call('endSessions', { id })
    await outdated('listSessions')
  })
  const name = device || words.unknownDevice
  return (
    <ListRow
      title={name}
      about={
        <>
          {current ? words.thisOne : words.lastUsed(timeOf(lastUsedAt))}
          {network && ` · ${network}`}
          <Problem>{end.problem}</Problem>
        </>
      }
      after={
        !current && (
          <Button small look="quiet" busy={end.busy} onPress={() => void end.run()}>
            {words.end} <span className="visually-hidden">{name}</span>
          </Button>
        )
      }
    />
  )
}
