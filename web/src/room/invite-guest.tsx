import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { useMembership } from '../live/permissions.ts'
import { useAction } from '../live/use-action.ts'
import { useCopy } from '../live/use-copy.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/fields/form.tsx'
import { Select } from '../ui/fields/select.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { dateAndTime } from '../words/date-and-time.ts'
import { useRoomWords } from '../words/room.ts'

const HOUR = 60 * 60
const DURATIONS = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR }
type Duration = keyof typeof DURATIONS

/** Makes a link by which guests ask to be let into a room. */
export function InviteGuest({ roomId, onClose }: { roomId: string; onClose(): void }) {
  const { invite: words } = useRoomWords()
  const orgId = useMembership()?.organization.id ?? ''
  const [duration, setDuration] = useState<Duration>('day')
  const [link, setLink] = useState<{ url: string; until: string }>()
  const make = useAction(async () => {
    const durationSeconds = DURATIONS[duration]
    const { inviteUrl } = await client.call('inviteGuest', { orgId, roomId, durationSeconds, allowAll: true })
    const until = new Date(client.time.now() + durationSeconds * 1_000).toISOString()
    setLink({ url: inviteUrl, until })
  })
  const durations = (Object.keys(DURATIONS) as Duration[]).map((id) => ({ id, label: words[id] }))
  return (
    <Dialog title={words.title} isOpen onClose={onClose}>
      <p className="soft">{words.about}</p>
      {link === undefined ? (
        <Form onSubmit={make.run}>
          <Select
            label={words.until}
            options={durations}
            value={duration}
            onChange={(next: Duration) => setDuration(next)}
          />
          <Problem>{make.problem}</Problem>
          <DialogButtons>
            <Button onPress={onClose}>{words.cancel}</Button>
            <Button type="submit" look="primary" icon="link" busy={make.busy}>
              {words.make}
            </Button>
          </DialogButtons>
        </Form>
      ) : (
        <Link {...link} onClose={onClose} />
      )}
    </Dialog>
  )
}

function Link({ url, until, onClose }: { url: string; until: string; onClose(): void }) {
  const { invite: words } = useRoomWords()
  const { copy, said, problem } = useCopy()
  return (
    <>
      <div className="guest-link">
        <TextField label={words.link} value={url} onChange={() => {}} />
        <Button icon="copy" onPress={() => void copy(url)}>
          {words.copy}
        </Button>
      </div>
      <p className="soft small">{words.worksUntil(dateAndTime(until))}</p>
      <p role="status" className="soft">
        {said}
      </p>
      <Problem>{problem}</Problem>
      <DialogButtons>
        <Button look="primary" onPress={onClose}>
          {words.done}
        </Button>
      </DialogButtons>
    </>
  )
}
