import { useRef, useState } from 'react'
import { client, session } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { tokenOfLink } from '../sign-in/next-address.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/fields/form.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Problem } from '../ui/state.tsx'
import { useFirstRunWords } from '../words/first-run.ts'

export interface OrganizationStepProps {
  onFounded(): void
  onJoined(): void
}

export function OrganizationStep({ onFounded, onJoined }: OrganizationStepProps) {
  const words = useFirstRunWords()
  return (
    <>
      <PageHeading title={words.organizationTitle} about={words.organizationAbout} />
      <Found onFounded={onFounded} />
      <span className="outside-or">{words.orJoin}</span>
      <Join onJoined={onJoined} />
    </>
  )
}

function Found({ onFounded }: { onFounded(): void }) {
  const words = useFirstRunWords()
  const [name, setName] = useState('')
  // one key for all tries of one name: a lost answer founds nothing twice
  const key = useRef(crypto.randomUUID())
  const found = useAction(async () => {
    await client.call('createOrganization', { name: name.trim() }, { idempotencyKey: key.current })
    await session.refresh()
    onFounded()
  })
  const change = (next: string) => {
    key.current = crypto.randomUUID()
    setName(next)
  }
  return (
    <Form className="outside-form" onSubmit={found.run}>
      <TextField
        label={words.organizationName}
        value={name}
        onChange={change}
        autoComplete="organization"
        placeholder={words.organizationPlaceholder}
        maxLength={100}
        isRequired
        autoFocus
      />
      <Problem>{found.problem}</Problem>
      <Button type="submit" look="primary" wide busy={found.busy}>
        {words.foundIt}
      </Button>
    </Form>
  )
}

function Join({ onJoined }: { onJoined(): void }) {
  const words = useFirstRunWords()
  const [link, setLink] = useState('')
  const [wrong, setWrong] = useState(false)
  const join = useAction(async () => {
    const inviteToken = tokenOfLink(link)
    setWrong(inviteToken === undefined)
    if (inviteToken === undefined) return
    await client.call('joinOrganization', { inviteToken })
    await session.refresh()
    onJoined()
  })
  return (
    <Form className="outside-form" onSubmit={join.run}>
      <TextField
        label={words.link}
        value={link}
        onChange={setLink}
        placeholder={words.linkPlaceholder}
        hint={words.linkHint}
        problem={wrong ? words.linkWrong : undefined}
        autoComplete="off"
        isRequired
      />
      <Problem>{join.problem}</Problem>
      <Button type="submit" wide busy={join.busy}>
        {words.joinIt}
      </Button>
    </Form>
  )
}
