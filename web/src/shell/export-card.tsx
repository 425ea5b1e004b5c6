import { useQuery } from '@tanstack/react-query'
import { client } from '../live/office-client.ts'
import { outdated, reading } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ListRow } from '../ui/list.tsx'
import { Problem } from '../ui/state.tsx'
import { dateAndTime } from '../words/date-and-time.ts'
import { useExportsWords } from '../words/exports.ts'
import { AnswerList } from './answer.tsx'

const OPERATIONS = {
  organization: { start: 'startOrganizationExport', list: 'listOrganizationExports' },
  oneself: { start: 'startUserExport', list: 'listUserExports' },
} as const
/** While one is being made. */
const AGAIN_MS = 2_000

/** Archives of what is stored: made in the background, and fetched for a day. */
export function ExportCard({ of }: { of: keyof typeof OPERATIONS }) {
  const words = useExportsWords()
  const { query, begin, download, isRunning } = useExports(of)
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
      <Problem>{begin.problem ?? download.problem}</Problem>
      <div role="status">
        <AnswerList
          {...{ query, words, label: words.list, none: words.none }}
          rows={({ exports }) => exports}
        >
          {({ exportId, state, startedAt, progress, downloadUrl }) => (
            <ListRow
              key={exportId}
              title={words.of(dateAndTime(startedAt))}
              about={state === 'running' ? words.running(progress) : words.states[state]}
              after={
                downloadUrl !== undefined && (
                  <Button small busy={download.busy} onPress={() => void download.run(exportId)}>
                    {words.download}
                  </Button>
                )
              }
            />
          )}
        </AnswerList>
      </div>
    </Card>
  )
}

function useExports(of: keyof typeof OPERATIONS) {
  const { start, list } = OPERATIONS[of]
  const query = useQuery({
    ...reading(list),
    refetchInterval: ({ state }) =>
      state.data?.exports.some((one) => one.state === 'running') ? AGAIN_MS : false,
  })
  const begin = useAction(async () => {
    await client.call(start)
    await outdated(list)
  })
  const download = useAction(async (exportId: string) => {
    // an address is good for minutes only, and the list may be older
    const { exports } = await client.call(list)
    const found = exports.find((one) => one.exportId === exportId)
    if (found?.downloadUrl === undefined) return await outdated(list)
    // it comes as a file: the page stays
    location.assign(found.downloadUrl)
  })
  const isRunning = query.data?.exports.some(({ state }) => state === 'running') === true
  return { query, begin, download, isRunning }
}
