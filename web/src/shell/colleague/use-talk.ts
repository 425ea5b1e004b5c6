import type { Person } from '@atrium/client/people'
import { useNavigate } from '@tanstack/react-router'
import { pagePaths } from '../../../page-paths.ts'
import { keepOwnKnock } from '../../live/doors/knocking.ts'
import { client } from '../../live/office-client.ts'
import { type Action, useAction } from '../../live/use-action.ts'
import { notices } from '../../ui/overlays/notices.ts'
import { useShellWords } from '../../words/shell.ts'

const RINGS_SECONDS = 30

/** Goes to a table for two in the atrium, and rings for a colleague. What they say appears beside every screen. */
export function useTalk(): Action<[person: Pick<Person, 'id' | 'displayName'>]> {
  const { knock: words } = useShellWords()
  const navigate = useNavigate()
  return useAction(async ({ id: userId, displayName: name }) => {
    const { knockId, roomId, state } = await client.call('talk', { userId })
    // busy, hidden and offline colleagues read alike
    if (state !== 'waiting') return notices.show({ text: words.notReachable(name) })
    keepOwnKnock(knockId, { name, userId, roomId })
    const cancel = () => void client.call('cancelKnock', { knockId }).catch(() => {})
    // until they answer, or it is over
    notices.show({
      id: knockId,
      text: words.rings(name),
      seconds: RINGS_SECONDS,
      running: { sinceMs: Date.now(), seconds: RINGS_SECONDS },
      actions: [{ label: words.cancel, onAction: cancel }],
    })
    await navigate({ to: pagePaths.room, params: { roomId } })
  })
}
