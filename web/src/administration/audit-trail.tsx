import type { SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reading } from '../live/queries.ts'
import { Answer } from '../shell/answer.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { dateAndTime } from '../words/date-and-time.ts'
import { de } from '../words/de/administration.ts'
import { en } from '../words/en/administration.ts'
import { useWords } from '../words/use-words.ts'

type Entry = SuccessBody<'listAuditLog'>['data'][number]

const PAGE = 25

/** What was done, by whom and from where, newest first. */
export function AuditTrail() {
  const words = useWords({ en, de })
  const [at, setAt] = useState<{ before?: string; after?: string }>({})
  const query = useQuery(reading('listAuditLog', { limit: PAGE, ...at }))
  const { before, after } = query.data ?? {}
  return (
    <div className="administration-wide">
      <Card title={words.audit}>
        <Answer query={query} words={words}>
          {({ data }) => (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
            <section className="audit" tabIndex={0} aria-label={words.audit}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{words.when}</th>
                    <th scope="col">{words.who}</th>
                    <th scope="col">{words.what}</th>
                    <th scope="col">{words.target}</th>
                  </tr>
                </thead>
                <tbody>
                  {data.map((entry) => (
                    <EntryRow key={entry.id} entry={entry} />
                  ))}
                </tbody>
              </table>
            </section>
          )}
        </Answer>
        <div className="administration-pages">
          <Button small isDisabled={!before} onPress={() => before && setAt({ before })}>
            {words.newer}
          </Button>
          <Button small isDisabled={!after} onPress={() => after && setAt({ after })}>
            {words.older}
          </Button>
        </div>
      </Card>
    </div>
  )
}

function EntryRow({ entry }: { entry: Entry }) {
  const words = useWords({ en, de })
  const { at, actor, action, target } = entry
  return (
    <tr>
      <td>{dateAndTime(at)}</td>
      <td>
        {actor.email ?? words.actors[actor.kind]}
        <span className="soft small"> {actor.address}</span>
      </td>
      <td>
        <code>{action}</code>
      </td>
      <td>
        {target.kind} <code>{target.id}</code>
      </td>
    </tr>
  )
}
