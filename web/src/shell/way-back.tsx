import { useRooms } from '@atrium/react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { notices } from '../ui/overlays/notices.ts'
import { useAttentionWords } from '../words/attention.ts'
import { interruptedCall } from './small-call/interrupted-call.ts'

const OFFERED_FOR_SECONDS = 60

/** After the page was loaded anew in the middle of a call: the way back, at once. Shows nothing by itself. */
export function WayBack() {
  const words = useAttentionWords()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { rooms } = useRooms()
  const [roomId] = useState(() => interruptedCall.take())
  const name = rooms.find(({ id }) => id === roomId)?.name
  const id = `back ${roomId}`
  const isThere = roomId !== undefined && pathname.endsWith(roomId)
  useEffect(() => {
    if (isThere) return notices.remove(id)
    if (roomId === undefined || name === undefined) return
    notices.show({
      id,
      text: words.wereIn(name),
      seconds: OFFERED_FOR_SECONDS,
      actions: [
        {
          label: words.backTo(name),
          primary: true,
          onAction: () => void navigate({ to: pagePaths.room, params: { roomId } }),
        },
      ],
    })
  }, [id, isThere, roomId, name, words, navigate])
  return null
}
