import { useQuery } from '@tanstack/react-query'
import { client } from '../live/office-client.ts'
import { outdated, reading } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { List, ListRow } from '../ui/list.tsx'
import { ErrorState, Loading, Problem } from '../ui/state.tsx'
import { dateAndTime } from '../words/date-and-time.ts'
import { de } from '../words/de/exports.ts'
import { en } from '../words/en/exports.ts'
import { useWords } from '../words/use-words.ts'

const OPERATIONS = {
  organization: { start: 'startOrganizationExport', list: 'listOrganizationExports' },
  oneself: { start: 'startUserExport', list: 'listUserExports' },
} as const
/** While one is being made. */
const AGAIN_MS = 2_000

/** Archives of what is stored: made in the background, and fetched for a day. */
export function ExportCard({ of }: { of: keyof typeof OPERATIONS }) {
  const words = useWords({ en, de })
  const { start, list } = OPERATIONS[of]
  const { data, isError, refetch } = useQuery({
    ...reading(list),
    refetchInterval: (query) =>
      query.state.data?.exports.some(({ state }) => state === 'running') ? AGAIN_MS : false,
  })
  const begin = useAction(async () => {
    await client.call(start)
    await outdated(list)
  })
  const isRunning = data?.exports.some(({ state }) => state === 'running') === true
  const [title, about] =
    of === 'organization'
      ? [words.ofOrganization, words.ofOrganizationAbout]
      : [words.ofOneself, words.ofOneselfAbout]
  return (
    <Card
      title={title}
      actions={
        <Button small busy={begin.busy} isDisabled={isRunning} onPress={() => void begin.run()}>
          {words.start}
        </Button>
      }
    >
      <p className="soft small">{about}</p>
      <Problem>{begin.problem}</Problem>
      {isError && (
        <ErrorState title={words.failed}>
          <Button onPress={() => void refetch()}>{words.tryAgain}</Button>
        </ErrorState>
      )}
      {!data && !isError && <Loading label={words.loading} />}
      {data?.exports.length === 0 && <p className="soft">{words.none}</p>}
      <div role="status">
        <List label={words.list}>
          {data?.exports.map(({ exportId, state, startedAt, progress, downloadUrl }) => (
            <ListRow
              key={exportId}
              title={words.of(dateAndTime(startedAt))}
              about={state === 'running' ? words.running(progress) : words.states[state]}
              after={
                downloadUrl !== undefined && (
                  <a className="button button-small button-plain" href={downloadUrl} download>
                    {words.download}
                  </a>
                )
              }
            />
          ))}
        </List>
      </div>
    </Card>
  )
}
