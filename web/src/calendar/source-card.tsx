import { type CalendarProvider, connectCalendar } from '@atrium/client/calendar-connection'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Problem } from '../ui/state.tsx'
import { useCalendarWords } from '../words/calendar.ts'
import { disconnect, readAgain, type Source } from './sources.ts'

interface SourceCardProps {
  provider: CalendarProvider
  source: Source | undefined
  failed: boolean
  onAgain(): void
}

/** Where events come from: to connect, to agree to again, to disconnect; and what of it cannot be shown. */
export function SourceCard({ provider, source, failed, onAgain }: SourceCardProps) {
  const words = useCalendarWords()
  const queries = useQueryClient()
  const connect = useAction(async () => await connectCalendar(client, provider))
  const end = useAction(async () => {
    await disconnect(provider)
    await readAgain(queries)
  })
  const name = words.providers[provider]
  return (
    <Card title={name}>
      <div className="calendar-source">
        {failed && (
          <>
            <p role="alert">{words.away(name)}</p>
            <Button small onPress={onAgain}>
              {words.tryAgain}
            </Button>
          </>
        )}
        {source?.state === 'not-connected' && (
          <Button busy={connect.busy} onPress={() => void connect.run()}>
            {words.connect(name)}
          </Button>
        )}
        {source?.state === 'consent-wanted' && (
          <>
            <p role="alert">{words.consentAbout(name)}</p>
            <Button look="primary" busy={connect.busy} onPress={() => void connect.run()}>
              {words.connectAnew(name)}
            </Button>
          </>
        )}
        {source?.state === 'connected' && (
          <>
            {source.missing.length > 0 && <p role="alert">{words.missing(source.missing.join(', '))}</p>}
            <p className="soft">{words.connected}</p>
            <Button small look="quiet" busy={end.busy} onPress={() => void end.run()}>
              {words.disconnect} <span className="visually-hidden">{name}</span>
            </Button>
          </>
        )}
        <Problem>{connect.problem ?? end.problem}</Problem>
      </div>
    </Card>
  )
}
