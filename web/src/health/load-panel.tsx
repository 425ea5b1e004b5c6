import { useState } from 'react'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/fields/form.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { useHealthWords } from '../words/health.ts'
import { type LoadReport, type LoadRow, useLoad } from './use-load.ts'

/** For operators: which organizations keep the node busy. It is asked for, since it wants their token where there is one. */
export function LoadPanel() {
  const words = useHealthWords().load
  const { told, ask } = useLoad()
  const [token, setToken] = useState('')
  const [tried, setTried] = useState('')
  const asking = useAction(async () => {
    await ask(token)
    setTried(token)
  })
  return (
    <Form className="health-load" onSubmit={asking.run}>
      {told === 'closed' && (
        <TextField
          label={words.token}
          hint={words.tokenHint}
          type="password"
          autoComplete="off"
          value={token}
          onChange={setToken}
          problem={tried !== '' && tried === token ? words.wrongToken : undefined}
        />
      )}
      {told === 'absent' && <p className="soft small">{words.absent}</p>}
      {typeof told === 'object' && <LoadTable report={told} />}
      {asking.problem && (
        <p role="alert" className="problem">
          {asking.problem}
        </p>
      )}
      <Button type="submit" wide busy={asking.busy}>
        {words.show}
      </Button>
    </Form>
  )
}

function LoadTable({ report }: { report: LoadReport }) {
  const words = useHealthWords().load
  const { top, others, seconds } = report
  const rows: readonly LoadRow[] = others.requests > 0 ? [...top, { ...others, key: words.others }] : top
  if (rows.length === 0) return <p className="soft">{words.nothing}</p>
  return (
    <table>
      <caption>{words.caption(Math.round(seconds))}</caption>
      <thead>
        <tr>
          <th scope="col">{words.organization}</th>
          {words.columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{row.key}</th>
            {numbersOf(row, seconds).map((number, column) => (
              <td key={words.columns[column]}>{number}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** As `atrium top` says them: in a second, in per cent of one second, and the mean of a request. */
function numbersOf({ requests, refused, ms, waitedMs, loopMs }: LoadRow, seconds: number): string[] {
  const perSecond = (count: number) => (count / seconds).toFixed(1)
  const percent = (part: number) => (part / 10 / seconds).toFixed(1)
  return [
    perSecond(requests),
    perSecond(refused),
    percent(waitedMs),
    percent(loopMs),
    (ms / Math.max(1, requests)).toFixed(0),
  ]
}
