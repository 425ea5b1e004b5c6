import type { Room } from '@atrium/client/rooms'
import { useNavigate } from '@tanstack/react-router'
import { memo, Suspense, useState } from 'react'
import { pagePaths } from '../../../page-paths.ts'
import { lazyPart } from '../../live/page/patient-import.ts'
import { useMay } from '../../live/permissions.ts'
import { shownColleague } from '../../live/shown-colleague.ts'
import { useProblemNotice } from '../../shell/announce/use-problem-notice.ts'
import { useKnown } from '../../shell/colleague/use-known.ts'
import { useTalk } from '../../shell/colleague/use-talk.ts'
import { useWriting } from '../../shell/colleague/use-write-to.ts'
import type { OfficePlan } from '../plan/office-plan.ts'
import { withPlots } from '../plan/plots.ts'
import { isOnPlan } from '../state/floor-state.ts'
import type { Floor } from '../state/floor-store.ts'
import { Welcome } from './around/welcome.tsx'
import { PlanView } from './plan-view.tsx'
import type { PlanActions } from './use-plan-events.ts'

/** Loaded when they are opened first. */
const RoomAbout = lazyPart(() => import('./room-about.tsx'), 'RoomAbout')
const AddRoom = lazyPart(() => import('../add-room.tsx'), 'AddRoom')
const PeopleHere = lazyPart(() => import('./people-here.tsx'), 'PeopleHere')

export interface PlanFloorProps {
  plan: OfficePlan
  floor: Floor
  ownId: string
  /** The person is the only member of the organization. */
  isAlone: boolean
}

type Opened =
  | { what: 'room'; roomId: string; isAsked: boolean; isKept?: boolean }
  | { what: 'plot'; position: number | undefined; kind: Room['kind'] }
  | { what: 'people'; place: string }

/** The plan with what opens above it. A person who changes does not render it again: places do that by themselves. */
export const PlanFloor = memo(function PlanFloor({ plan, floor, ownId, isAlone }: PlanFloorProps) {
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const actions = useActions({ ownId, opened, setOpened })
  const cell =
    opened?.what === 'room' ? plan.building.cells.find(({ room }) => room.id === opened.roomId) : undefined
  return (
    <PlanView {...{ plan, floor, actions, isAlone }}>
      {isAlone && <Welcome plan={plan} />}
      <Suspense>
        {opened?.what === 'room' && cell && (
          <RoomAbout key={opened.roomId} cell={cell} {...opened} ownId={ownId} actions={actions} />
        )}
        {opened?.what === 'plot' && <AddRoom isOpen onClose={close} {...opened} />}
        {opened?.what === 'people' && <PeopleHere place={opened.place} onClose={close} />}
      </Suspense>
    </PlanView>
  )
})

interface ActionsInput extends Pick<PlanFloorProps, 'ownId'> {
  opened: Opened | undefined
  setOpened(next: Opened | undefined): void
}

function useActions({ ownId, opened, setOpened }: ActionsInput): PlanActions {
  const known = useKnown()
  const navigate = useNavigate()
  const write = useWriting()
  const tellProblem = useProblemNotice()
  const may = useMay()
  const talk = useTalk()
  return {
    goIn(roomId) {
      const room = known.room(roomId)
      const isInside = room?.people.some(({ userId }) => userId === ownId)
      // a table for two is open to the two, who alone see it
      if (room?.locked && !room.temporary && !isInside)
        return setOpened({ what: 'room', roomId, isAsked: true })
      void navigate({ to: pagePaths.room, params: { roomId } })
    },
    showRoom: (roomId, isAsked) => setOpened({ what: 'room', roomId, isAsked }),
    // what was asked for stays until it is closed
    hideRoom: () => opened?.what === 'room' && !opened.isAsked && !opened.isKept && setOpened(undefined),
    keepRoom: (isKept) => opened?.what === 'room' && setOpened({ ...opened, isKept }),
    closeRoom: () => setOpened(undefined),
    showPerson(userId, anchor) {
      if (known.person(userId)) shownColleague.show({ userId, as: 'card', anchor })
    },
    talk(userId) {
      const person = known.person(userId)
      if (person && userId !== ownId) void talk.run(person)
    },
    write(userId) {
      if (userId !== ownId && known.person(userId)) void write(userId).catch(tellProblem)
    },
    build(plotId) {
      const plot = withPlots(known.rooms().filter((room) => isOnPlan(room, ownId))).find(
        ({ id }) => id === plotId,
      )
      // others than moderators build at the end of the office, whichever plot they point at
      const position = may('EditRoom') ? plot?.position : undefined
      if (plot) setOpened({ what: 'plot', kind: plot.kind, position })
    },
    showMore: (place) => setOpened({ what: 'people', place }),
  }
}
