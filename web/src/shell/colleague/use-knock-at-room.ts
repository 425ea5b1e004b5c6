import type { Room } from '@atrium/client/rooms'
import { atDoors } from '../../live/doors/at-doors.ts'
import { keepOwnKnock } from '../../live/doors/knocking.ts'
import { client } from '../../live/office-client.ts'
import { type Action, useAction } from '../../live/use-action.ts'
import { useSession } from '../../live/use-session.ts'
import { notices } from '../../ui/overlays/notices.ts'
import { useShellWords } from '../../words/shell.ts'

/** Knocks at the door of a locked room: the members inside see it. Their answer appears beside every screen. */
export function useKnockAtRoom(): Action<[room: Pick<Room, 'id' | 'name'>]> {
  const { knock: words } = useShellWords()
  const session = useSession()
  return useAction(async ({ id: roomId, name }) => {
    const { knockId, state } = await client.call('knockAtRoom', { roomId })
    if (state !== 'waiting') return notices.show({ text: words.nobodyAtDoor(name) })
    keepOwnKnock(knockId, { name, roomId, isDoor: true })
    if (session.state === 'signed-in')
      atDoors.come({ id: session.user.id, roomId, name: session.user.displayName, isGuest: false, knockId })
    const cancel = () => void client.call('cancelKnock', { knockId }).catch(() => {})
    notices.show({
      id: knockId,
      text: words.waitingAtDoor(name),
      actions: [{ label: words.cancel, onAction: cancel }],
      onClose: cancel,
    })
  })
}
