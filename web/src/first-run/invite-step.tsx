import { useEffect, useState } from 'react'
import { addressesOf } from '../live/addresses.ts'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { useCopy } from '../live/use-copy.ts'
import { Failed } from '../shell/failed.tsx'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/fields/form.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Problem } from '../ui/state.tsx'
import { useFirstRunWords } from '../words/first-run.ts'

/** @param onDone told how many were invited */
export function InviteStep({ onDone }: { onDone(invited: number): void }) {
  const words = useFirstRunWords()
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string>()
  const send = useAction(async () => {
    const { addresses, wrong: bad } = addressesOf(text)
    const problem = bad[0] === undefined ? undefined : words.badAddress(bad[0])
    setWrong(problem ?? (addresses.length === 0 ? words.noAddress : undefined))
    if (problem || addresses.length === 0) return
    await client.call('sendInvitation', { emails: addresses })
    onDone(addresses.length)
  })
  return (
    <>
      <PageHeading title={words.inviteTitle} about={words.inviteAbout} />
      <Form className="outside-form" onSubmit={send.run}>
        <TextField
          label={words.emails}
          value={text}
          onChange={setText}
          rows={3}
          hint={words.emailsHint}
          problem={wrong}
          autoComplete="off"
          autoFocus
        />
        <Problem>{send.problem}</Problem>
        <Button type="submit" look="primary" wide busy={send.busy}>
          {words.send}
        </Button>
      </Form>
      <InviteLink />
      <Button look="quiet" onPress={() => onDone(0)}>
        {words.skip}
      </Button>
    </>
  )
}

function InviteLink() {
  const words = useFirstRunWords()
  const [link, setLink] = useState<string>()
  const copying = useCopy()
  const { run, problem } = useAction(async () => setLink((await client.call('getInviteLink')).inviteLink))
  useEffect(() => void run(), [run])
  if (problem) return <Failed title={problem} onAgain={run} />
  return (
    <>
      <span className="outside-or">{words.orLink}</span>
      <div className="first-run-link">
        <code>{link ?? '…'}</code>
        <span role="status" className="small soft">
          {copying.said}
        </span>
        <Button small icon="copy" isDisabled={!link} onPress={() => void copying.copy(link ?? '')}>
          {words.copy}
        </Button>
      </div>
      <Problem>{copying.problem}</Problem>
    </>
  )
}
