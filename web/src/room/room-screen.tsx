import type { Room } from '@atrium/client/rooms'
import { useRoom, useRooms } from '@atrium/react'
import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useStore } from '../live/use-session.ts'
import { PageHeading } from '../ui/page-heading.tsx'
import { ErrorState, Loading } from '../ui/state.tsx'
import { useRoomWords } from '../words/room.ts'
import { BotsTold } from './bots/bots-told.tsx'
import { CannotSealHere } from './entering/cannot-seal-here.tsx'
import { LockedDoor } from './entering/locked-door.tsx'
import { MemberPrejoin } from './entering/member-prejoin.tsx'
import { TakeOver } from './entering/take-over.tsx'
import { type Entering, useEntering } from './entering/use-entering.ts'
import { MemberRoom } from './member-room.tsx'
import { Left, RoomEnd, RoomInstead, useNoLastWord } from './room-end.tsx'
import { useVisit } from './use-visit.ts'
import './room.css'

/** A room: before, inside, and after. */
export function RoomScreen() {
  const { roomId = '' } = useParams({ strict: false })
  const [visit, setVisit] = useState(0)
  return <Visit key={`${roomId} ${visit}`} roomId={roomId} onAgain={() => setVisit(visit + 1)} />
}

function Visit({ roomId, onAgain }: { roomId: string; onAgain(): void }) {
  const words = useRoomWords()
  useNoLastWord()
  const { loaded, error } = useRooms()
  const { room, wasThere } = useRoomAsItWas(roomId)
  // the devices are behind a gear: they come by themselves only where there is something to choose
  const { devices } = useSearch({ strict: false })
  const { call, ownId } = useVisit(roomId, {
    name: wasThere?.name ?? '',
    sealed: wasThere?.sealed ?? false,
  })
  const entering = useEntering(call, room, { ownId, forDevices: devices !== undefined })
  const { phase, end, toldBots } = useStore(call)
  if (phase === 'ended' && end === 'left') return <Left roomId={roomId} />
  if (phase === 'ended' && end) {
    const why = end === 'removed' && !room ? 'room-gone' : end
    return <RoomEnd end={why} onAgain={onAgain} />
  }
  if (phase === 'inside' || phase === 'reconnecting')
    return wasThere && <MemberRoom call={call} room={wasThere} />
  if (!loaded) return error ? <ErrorState title={words.gone} /> : <Loading label={words.loading} />
  if (!room) return <RoomInstead title={words.gone} about={words.goneAbout} />
  return <Before {...{ room, ownId, entering, toldBots }} />
}

interface BeforeProps {
  room: Room
  ownId: string
  entering: Entering
  toldBots: readonly string[]
}

function Before({ room, ownId, entering, toldBots }: BeforeProps) {
  const words = useRoomWords()
  const { step, join, enter, takeOver, cancel, letIn } = entering
  if (step === 'deciding') return <Loading label={words.loading} />
  if (step === 'at-once') return <OnTheWay name={room.name} bots={toldBots} />
  if (step === 'cannot-seal') return <CannotSealHere />
  if (step === 'locked') return <LockedDoor room={room} onLetIn={letIn} />
  return (
    <>
      <MemberPrejoin room={room} ownId={ownId} busy={join.busy} problem={join.problem} onJoin={enter} />
      {step === 'inside-elsewhere' && <TakeOver onTake={takeOver} onCancel={cancel} />}
    </>
  )
}

/** The stage before anybody is on it. */
function OnTheWay({ name, bots }: { name: string; bots: readonly string[] }) {
  const words = useRoomWords()
  return (
    <div className="in-room in-room-entering">
      <PageHeading title={name} about={words.connecting} />
      <BotsTold names={bots} />
    </div>
  )
}

/** The room, and the last that was known of it: it may be deleted before the media server has said so. */
function useRoomAsItWas(roomId: string): { room: Room | undefined; wasThere: Room | undefined } {
  const room = useRoom(roomId)
  const [wasThere, setWasThere] = useState(room)
  if (room && room !== wasThere) setWasThere(room)
  return { room, wasThere: room ?? wasThere }
}
