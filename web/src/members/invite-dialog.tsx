import { useState } from 'react'
import { addressesOf } from '../live/addresses.ts'
import { client } from '../live/office-client.ts'
import { sentenceOf } from '../live/problem.ts'
import { outdated } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/fields/form.tsx'
import { Select } from '../ui/fields/select.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { useMembersWords } from '../words/members.ts'
import { useProblemsWords } from '../words/problems.ts'
import { InviteLink } from './invite-link.tsx'
import { type Role, rolesToInvite } from './ranks.ts'

interface InviteDialogProps {
  ownRole: Role
  onClose(): void
}

export function InviteDialog({ ownRole, onClose }: InviteDialogProps) {
  const words = useMembersWords()
  const invitations = useInvitations()
  return (
    <Dialog title={words.inviteTitle} isOpen held={invitations.send.busy} onClose={onClose} wide>
      <InviteForm invitations={invitations} ownRole={ownRole} onClose={onClose} />
      <InviteLink />
    </Dialog>
  )
}

interface Outcome {
  email: string
  /** Undefined: it was sent. */
  problem?: string
}

interface InviteFormProps extends InviteDialogProps {
  invitations: ReturnType<typeof useInvitations>
}

function InviteForm({ invitations, ownRole, onClose }: InviteFormProps) {
  const words = useMembersWords()
  const { text, setText, wrong, role, setRole, outcomes, send } = invitations
  const options = rolesToInvite(ownRole).map((id): { id: Role; label: string } => ({
    id,
    label: words.roles[id],
  }))
  return (
    <Form onSubmit={send.run} className="invite-form">
      <TextField
        label={words.emails}
        value={text}
        onChange={setText}
        rows={3}
        hint={words.emailsHint}
        problem={wrong}
        autoComplete="off"
      />
      <Select<Role> label={words.role} options={options} value={role} onChange={setRole} />
      <p className="soft small">{words.rolesAbout[role]}</p>
      <Outcomes outcomes={outcomes} />
      <DialogButtons>
        <Button isDisabled={send.busy} onPress={onClose}>
          {outcomes.length > 0 ? words.done : words.cancel}
        </Button>
        <Button type="submit" look="primary" busy={send.busy}>
          {words.send}
        </Button>
      </DialogButtons>
    </Form>
  )
}

/** Invites all addresses of a text, one after the other. */
function useInvitations() {
  const words = useMembersWords()
  const problems = useProblemsWords()
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [role, setRole] = useState<Role>('member')
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const inviteOne = async (email: string): Promise<Outcome> => {
    try {
      await client.call('sendInvitation', { email, role })
      return { email }
    } catch (error) {
      return { email, problem: sentenceOf(error, problems) }
    }
  }
  const send = useAction(async () => {
    const { addresses, wrong: bad } = addressesOf(text)
    const problem = bad[0] === undefined ? undefined : words.badAddress(bad[0])
    setWrong(problem ?? (addresses.length === 0 ? words.noAddress : undefined))
    if (problem || addresses.length === 0) return
    const results: Outcome[] = []
    // one after the other: each has an outcome of its own
    for (const email of addresses) {
      results.push(await inviteOne(email))
      setOutcomes([...results])
    }
    // what was refused stays, to be mended and tried again
    setText(results.flatMap((one) => (one.problem ? [one.email] : [])).join('\n'))
    await outdated('listInvitation')
  })
  return { text, setText, wrong, role, setRole, outcomes, send }
}

function Outcomes({ outcomes }: { outcomes: readonly Outcome[] }) {
  const words = useMembersWords()
  return (
    <ul className="invite-outcomes" aria-live="polite">
      {outcomes.map(({ email, problem }) => (
        <li key={email} className={problem ? 'invite-refused' : 'invite-sent'}>
          <Icon name={problem ? 'warning' : 'check'} size={16} />
          <span>
            {email}: {problem ?? words.sent}
          </span>
        </li>
      ))}
    </ul>
  )
}
