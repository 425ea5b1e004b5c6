import { AtriumError } from '@atrium/client'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Problem } from '../ui/state.tsx'
import { useFirstRunWords } from '../words/first-run.ts'
import { type FirstKind, firstKinds, firstSeats, positionOf } from './first-rooms.ts'

const ICONS: Record<FirstKind, IconName> = {
  kitchen: 'cup',
  meeting: 'screen',
  focus: 'moon',
  lounge: 'smile',
  stage: 'people',
  desk: 'knock',
}

interface RoomsStepProps {
  invited: number
  chosen: readonly FirstKind[]
  onChoose(chosen: readonly FirstKind[]): void
  onDone(): void
}

/** A few places to begin with, each at its place of the plan. */
export function RoomsStep({ invited, chosen, onChoose, onDone }: RoomsStepProps) {
  const words = useFirstRunWords()
  const make = useAction(async () => {
    for (const kind of firstKinds.filter((one) => chosen.includes(one)))
      await makeRoom(words.rooms[kind].name, kind)
    onDone()
  })
  const toggle = (kind: FirstKind) =>
    onChoose(chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind])
  return (
    <>
      <PageHeading title={words.roomsTitle} about={words.roomsAbout} />
      {invited > 0 && (
        <p role="status" className="first-run-sent">
          <Icon name="check" size={18} />
          {words.sent(invited)}
        </p>
      )}
      <ul className="first-run-rooms">
        {firstKinds.map((kind) => (
          <li key={kind}>
            <RoomChoice kind={kind} isOn={chosen.includes(kind)} onPress={() => toggle(kind)} />
          </li>
        ))}
      </ul>
      <Problem>{make.problem}</Problem>
      <Button look="primary" wide busy={make.busy} onPress={() => void make.run()}>
        {words.roomsDone}
      </Button>
    </>
  )
}

function RoomChoice({ kind, isOn, onPress }: { kind: FirstKind; isOn: boolean; onPress(): void }) {
  const words = useFirstRunWords()
  const { name, about } = words.rooms[kind]
  return (
    <button type="button" className="first-run-room" aria-pressed={isOn} onClick={onPress}>
      <Icon name={ICONS[kind]} size={24} />
      <span>
        <strong>{name}</strong>
        <small className="soft small">{about}</small>
      </span>
      <Icon name={isOn ? 'check' : 'plus'} />
    </button>
  )
}

/** One that is there already is as good: of a try before, or of a colleague. */
async function makeRoom(name: string, kind: FirstKind): Promise<void> {
  if (kind === 'desk') return void (await client.call('openDesk'))
  const seats = firstSeats[kind]
  try {
    await client.call('createRoom', {
      ...{ name, kind, position: positionOf(kind) },
      ...(seats === undefined ? {} : { seats }),
    })
  } catch (error) {
    if (!(error instanceof AtriumError) || error.error !== 'room-exists') throw error
  }
}
