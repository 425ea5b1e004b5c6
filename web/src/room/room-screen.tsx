import type { Room } from '@atrium/client/rooms'
import { useRoom, useRooms } from '@atrium/react'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { useSession, useStore } from '../live/use-session.ts'
import { callElsewhere } from '../media/call-elsewhere.ts'
import type { JoinWith } from '../media/call-state.ts'
import { justLeft } from '../media/just-left.ts'
import { openCall } from '../media/open-call.ts'
import { PageHeading } from '../ui/page-heading.tsx'
import { ErrorState, Loading } from '../ui/state.tsx'
import { de } from '../words/de/room.ts'
import { en } from '../words/en/room.ts'
import { useWords } from '../words/use-words.ts'
import { joinAsLastTime } from './entering/before-entering.ts'
import { MemberPrejoin } from './entering/member-prejoin.tsx'
import { TakeOver } from './entering/take-over.tsx'
import { MemberRoom } from './member-room.tsx'
import { Left, RoomEnd, RoomInstead } from './room-end.tsx'
import './room.css'

/** A room: before, inside, and after. */
export function RoomScreen() {
  const { roomId = '' } = useParams({ strict: false })
  const [visit, setVisit] = useState(0)
  return <Visit key={`${roomId} ${visit}`} roomId={roomId} onAgain={() => setVisit(visit + 1)} />
}

function Visit({ roomId, onAgain }: { roomId: string; onAgain(): void }) {
  const words = useWords({ en, de })
  const { loaded, error } = useRooms()
  const { room, wasThere } = useRoomAsItWas(roomId)
  const { ownId, ownName } = useOwnself()
  const [call] = useState(
    () =>
      callElsewhere.of(roomId) ??
      openCall(async () => {
        const { token, url } = await client.call('authorizeRoom', { roomId, username: ownName })
        return { token, url }
      }),
  )
  const { phase, end } = useStore(call)
  const [asked, setAsked] = useState<JoinWith>()
  // the devices are behind a gear: they come by themselves only where there is something to choose
  const { devices } = useSearch({ strict: false })
  const [looks, setLooks] = useState(devices !== undefined)
  const roomName = useRef('')
  roomName.current = wasThere?.name ?? ''
  useEffect(() => {
    if (callElsewhere.get()?.call === call) callElsewhere.forget()
    return () => {
      const { phase: last } = call.get()
      // whoever looks at another screen is still in the room: a bar there says so, and leads back
      if (last === 'inside' || last === 'reconnecting')
        callElsewhere.keep({ call, roomId, roomName: roomName.current })
      else void call.leave()
    }
  }, [call, roomId])
  useEffect(() => {
    const note = () => call.get().phase === 'inside' && justLeft.note(roomId)
    // a page that is loaded again leaves the room first
    addEventListener('pagehide', note)
    return () => removeEventListener('pagehide', note)
  }, [call, roomId])
  const join = useAction(async (choices: JoinWith, mayTakeOver: boolean) => {
    const isInside = async () =>
      (await client.call('getRoom', { roomId })).room.people.some(({ userId }) => userId === ownId)
    if (!mayTakeOver && !justLeft.was(roomId) && (await isInside())) return setAsked(choices)
    setAsked(undefined)
    // one is in one room at a time
    callElsewhere.leave()
    await call.join(choices)
  })
  const isThere = room !== undefined
  const hasDecided = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as the room is known
  useEffect(() => {
    if (!room || looks || phase !== 'outside' || hasDecided.current) return
    hasDecided.current = true
    void joinAsLastTime(room).then((choices) => {
      if (choices) void join.run(choices, false)
      else setLooks(true)
    })
  }, [isThere])
  if (phase === 'ended' && end === 'left') return <Left roomId={roomId} />
  if (phase === 'ended' && end) {
    const why = end === 'removed' && !room ? 'room-gone' : end
    return <RoomEnd end={why} onAgain={onAgain} />
  }
  if (phase === 'inside' || phase === 'reconnecting')
    return wasThere && <MemberRoom call={call} room={wasThere} />
  if (!loaded) return error ? <ErrorState title={words.gone} /> : <Loading label={words.loading} />
  if (!room) return <RoomInstead title={words.gone} about={words.goneAbout} />
  const isAsking = asked !== undefined
  if (!looks && !isAsking && join.problem === undefined) return <Entering name={room.name} />
  return (
    <>
      <MemberPrejoin
        room={room}
        ownId={ownId}
        busy={join.busy}
        problem={join.problem}
        onJoin={(choices) => void join.run(choices, false)}
      />
      {asked && (
        <TakeOver
          onTake={() => void join.run(asked, true)}
          onCancel={() => {
            setLooks(true)
            setAsked(undefined)
          }}
        />
      )}
    </>
  )
}

/** The stage before anybody is on it. */
function Entering({ name }: { name: string }) {
  const words = useWords({ en, de })
  return (
    <div className="in-room in-room-entering">
      <PageHeading title={name} about={words.connecting} />
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

function useOwnself(): { ownId: string; ownName: string } {
  const session = useSession()
  if (session.state !== 'signed-in') return { ownId: '', ownName: '' }
  const { id, displayName, email } = session.user
  return { ownId: id, ownName: displayName || email }
}
