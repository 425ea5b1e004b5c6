import { AtriumError } from '@atrium/client'
import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Problem } from '../ui/state.tsx'
import { useFirstRunWords } from '../words/first-run.ts'

/** In the order of the office. */
const KINDS = ['kitchen', 'focus', 'meeting', 'lounge'] as const
type Kind = (typeof KINDS)[number]

/** A few places to begin with. */
export function RoomsStep({ invited, onDone }: { invited: number; onDone(): void }) {
  const words = useFirstRunWords()
  const [left, setLeft] = useState<readonly Kind[]>([])
  const wanted = KINDS.filter((kind) => !left.includes(kind))
  const make = useAction(async () => {
    for (const kind of wanted) await makeRoom(words.suggestions[kind], kind)
    onDone()
  })
  const toggle = (kind: Kind, on: boolean) =>
    setLeft((before) => (on ? before.filter((one) => one !== kind) : [...before, kind]))
  return (
    <>
      <PageHeading title={words.roomsTitle} about={words.roomsAbout} />
      {invited > 0 && (
        <p role="status" className="first-run-sent">
          <Icon name="check" size={18} />
          {words.sent(invited)}
        </p>
      )}
      <div>
        {KINDS.map((kind) => (
          <Switch
            key={kind}
            label={words.suggestions[kind]}
            on={!left.includes(kind)}
            onChange={(on) => toggle(kind, on)}
          />
        ))}
      </div>
      <Problem>{make.problem}</Problem>
      <Button look="primary" wide busy={make.busy} onPress={() => void make.run()}>
        {words.roomsDone}
      </Button>
    </>
  )
}

/** One that is there already is as good: of a try before, or of a colleague. */
async function makeRoom(name: string, kind: Kind): Promise<void> {
  try {
    await client.call('createRoom', { name, kind })
  } catch (error) {
    if (!(error instanceof AtriumError) || error.error !== 'room-exists') throw error
  }
}
