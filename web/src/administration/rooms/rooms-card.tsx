import type { Room } from '@atrium/client/rooms'
import { useOffice, useRooms } from '@atrium/react'
import { Suspense, useState } from 'react'
import { isOnPlan } from '../../floor/state/floor-state.ts'
import { client } from '../../live/office-client.ts'
import { useSession } from '../../live/use-session.ts'
import { Failed } from '../../shell/failed.tsx'
import { Confirm } from '../../shell/question/confirm.tsx'
import { RoomSettings } from '../../shell/room-settings.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loading } from '../../ui/state.tsx'
import { useAdministrationWords } from '../../words/administration.ts'
import { useFloorWords } from '../../words/floor.ts'
import { RoomsTable } from './rooms-table.tsx'
import { SmallPlan } from './small-plan.tsx'
import './rooms.css'
import { lazyPart } from '../../live/page/patient-import.ts'

/** Loaded when it is opened first. */
const AddRoom = lazyPart(() => import('../../floor/add-room.tsx'), 'AddRoom')

/** Rooms to add, to put in order, to settle and to delete, beside the plan that they make. */
export function RoomsCard() {
  const words = useAdministrationWords()
  const floorWords = useFloorWords()
  const session = useSession()
  const ownId = session.state === 'signed-in' ? session.user.id : ''
  const { rooms: all, loaded } = useRooms()
  const rooms = all.filter(({ temporary }) => !temporary)
  const [settling, setSettling] = useState<string>()
  const [deleting, setDeleting] = useState<Room>()
  const [isAdding, setAdding] = useState(false)
  return (
    <div className="administration-wide">
      <Card
        title={words.rooms}
        actions={
          <Button small icon="plus" onPress={() => setAdding(true)}>
            {floorWords.addRoom}
          </Button>
        }
      >
        {!loaded && <NotRead />}
        {loaded && rooms.length === 0 && <p className="soft">{words.noRooms}</p>}
        {rooms.length > 0 && (
          <div className="rooms">
            <div>
              <p className="small soft">{words.roomsTable.about}</p>
              <RoomsTable rooms={rooms} onSettings={setSettling} onDelete={setDeleting} />
            </div>
            <div>
              <SmallPlan rooms={rooms.filter((room) => isOnPlan(room, ownId))} />
              <p className="small soft">{words.roomsTable.asSeen}</p>
            </div>
          </div>
        )}
        <Suspense>{isAdding && <AddRoom isOpen onClose={() => setAdding(false)} />}</Suspense>
        {settling && <RoomSettings roomId={settling} onClose={() => setSettling(undefined)} />}
        {deleting && (
          <Confirm
            title={words.deleteRoom(deleting.name)}
            about={words.deleteRoomAbout}
            confirm={words.deleteIt}
            work={async () => void (await client.call('deleteRoom', { roomId: deleting.id }))}
            onClose={() => setDeleting(undefined)}
          />
        )}
      </Card>
    </div>
  )
}

function NotRead() {
  const words = useAdministrationWords()
  const office = useOffice()
  const { error } = useRooms()
  if (error === undefined) return <Loading label={words.loading} />
  return <Failed title={words.failed} onAgain={async () => await office.get().present?.rooms.refresh()} />
}
