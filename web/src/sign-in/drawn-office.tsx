import { type OfficePlan, planOf } from '../floor/plan/office-plan.ts'
import type { PlanRoom } from '../floor/plan/plan-room.ts'
import { PlanPicture } from '../floor/plan-picture/plan-picture.tsx'
import type { SeatedPerson } from '../floor/plan-picture/seated-faces.tsx'
import { useSignInWords } from '../words/sign-in.ts'
import './drawn-office.css'

type PlaceId = keyof ReturnType<typeof useSignInWords>['places']

const room = (id: PlaceId, kind: PlanRoom['kind'], seats: number) => ({ id, kind, seats })
/** An invented office: a real one is shown to its members alone. */
const ROOMS = [
  room('kitchen', 'kitchen', 8),
  room('library', 'focus', 4),
  room('meeting', 'meeting', 8),
  room('lounge', 'lounge', 8),
  room('studio', 'office', 6),
  room('workshop', 'office', 6),
]
const SIZE = { width: 960, height: 760 }

const person = (id: string, isSpeaking = false): SeatedPerson => ({ id: `drawn ${id}`, isSpeaking })
const INSIDE: Partial<Record<PlaceId, readonly SeatedPerson[]>> = {
  kitchen: [person('a', true), person('b'), person('c')],
  meeting: [person('d'), person('e', true), person('f')],
  studio: [person('g'), person('h')],
}
const IN_ATRIUM = [person('i'), person('j')]

/** An office in perspective, with invented people. */
export function DrawnOffice() {
  const { places } = useSignInWords()
  const plan: OfficePlan = planOf(ROOMS, SIZE)
  return (
    <div className="drawn-office">
      <div className="drawn-office-tilted">
        <PlanPicture
          plan={plan}
          nameOf={({ id }) => places[id as PlaceId]}
          inside={INSIDE}
          inAtrium={IN_ATRIUM}
        />
      </div>
    </div>
  )
}
