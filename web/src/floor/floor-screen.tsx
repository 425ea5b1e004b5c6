import { useOffice, usePeople, useRooms } from '@atrium/react'
import { Suspense, useRef } from 'react'
import { preferences } from '../live/preferences.ts'
import { useSession, useStore } from '../live/use-session.ts'
import { Failed } from '../shell/failed.tsx'
import { Loading } from '../ui/state.tsx'
import { useFloorWords } from '../words/floor.ts'
import { NowBar } from './now/now-bar.tsx'
import { PlanFloor } from './plan-view/plan-floor.tsx'
import { useOfficePlan } from './plan-view/use-office-plan.ts'
import { useWindowSize } from './plan-view/use-window-size.ts'
import { FloorContext, useNewFloor } from './state/use-floor.ts'
import './floor.css'
import { lazyPart } from '../live/page/patient-import.ts'

/** The plan does not load the list. */
const FloorList = lazyPart(() => import('./list/floor-list.tsx'), 'FloorList')

/** Who is around, and who is where: as a plan, or as a list where one is wanted or says more. */
export function FloorScreen() {
  const words = useFloorWords()
  const session = useSession()
  const { floorView } = useStore(preferences)
  const ownId = session.state === 'signed-in' ? session.user.id : ''
  const floor = useNewFloor(ownId)
  const area = useRef<HTMLDivElement>(null)
  const size = useWindowSize(area)
  const plan = useOfficePlan(ownId, size)
  const people = usePeople(howRead)
  const rooms = useRooms(howRead)
  const loaded = people === 'loaded' && rooms === 'loaded' && floor !== undefined
  const failed = !loaded && (people === 'failed' || rooms === 'failed')
  const readAgain = useReadAgain()
  const isAlone = usePeople(({ people }) => people.filter(({ isBot }) => !isBot).length === 1)
  const isPlan = floorView === 'plan' && plan !== undefined
  return (
    <FloorContext value={floor}>
      <div className="floor-page">
        <NowBar loaded={loaded} view={isPlan || !loaded ? floorView : 'list'} />
        <div className="floor-area">
          <div ref={area}>
            {failed && <Failed title={words.failed} onAgain={readAgain} />}
            {!loaded && !failed && <Loading label={words.loading} />}
            {loaded && isPlan && <PlanFloor {...{ plan, floor, ownId, isAlone }} />}
            {loaded && !isPlan && size && (
              <Suspense fallback={<Loading label={words.loading} />}>
                <FloorList ownId={ownId} about={floorView === 'plan' ? words.tooLarge : undefined} />
              </Suspense>
            )}
          </div>
        </div>
      </div>
    </FloorContext>
  )
}

/** Of the whole screen: what a person or a room is now is drawn below it. */
function howRead({ loaded, error }: { loaded: boolean; error?: unknown }): 'loaded' | 'failed' | 'reading' {
  if (loaded) return 'loaded'
  return error === undefined ? 'reading' : 'failed'
}

function useReadAgain(): () => Promise<void> {
  const office = useOffice()
  return async () => {
    const { present } = office.get()
    await Promise.all([present?.people.refresh(), present?.rooms.refresh()])
  }
}
