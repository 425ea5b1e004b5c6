import { useRef, useState } from 'react'
import type { JoinWith } from '../media/call-state.ts'
import { Prejoin } from '../room/entering/prejoin.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { useGuestWords } from '../words/guest.ts'
import { localeNow } from '../words/language.ts'
import type { Invite } from './invite.ts'

export interface GuestPrejoinProps {
  invite: Invite
  /** As it was given before. */
  name: string
  busy: boolean
  onAsk(name: string, choices: JoinWith): void
}

/** Shows the room and its organization, and asks the guest's name. */
export function GuestPrejoin({ invite, name: before, busy, onAsk }: GuestPrejoinProps) {
  const words = useGuestWords()
  const [name, setName] = useState(before)
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const ask = (choices: JoinWith) => {
    if (name.trim()) return onAsk(name.trim(), choices)
    setMissing(true)
    field.current?.focus()
  }
  const { organizationName, roomName, inviterName, expiresAt } = invite
  const until = new Intl.DateTimeFormat(localeNow(), { dateStyle: 'long', timeStyle: 'short' })
  return (
    <main className="guest-main">
      <div className="guest-mark" aria-hidden="true">
        <img src="/favicon.svg" alt="" width="28" height="28" />
        <span>Atrium</span>
      </div>
      <PageHeading
        title={words.heading(roomName)}
        about={`${words.about(inviterName, organizationName)} ${words.until(until.format(new Date(expiresAt)))}`}
      />
      <Prejoin
        recording={false}
        busy={busy}
        problem={undefined}
        action={busy ? words.asking : words.ask}
        onJoin={ask}
      >
        <TextField
          label={words.name}
          value={name}
          onChange={setName}
          hint={words.nameHint}
          problem={isMissing && !name.trim() ? words.nameMissing : undefined}
          fieldRef={field}
          autoFocus={before === ''}
          maxLength={100}
          autoComplete="name"
          isRequired
        />
      </Prejoin>
    </main>
  )
}
