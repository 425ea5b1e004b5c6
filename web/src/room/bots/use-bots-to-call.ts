import type { Room } from '@atrium/client/rooms'
import { usePeople } from '@atrium/react'
import { client } from '../../live/office-client.ts'
import { useProblemNotice } from '../../shell/announce/use-problem-notice.ts'
import { notices } from '../../ui/overlays/notices.ts'
import { useStageWords } from '../../words/stage.ts'

interface CalledBot {
  id: string
  name: string
}

/** Bots that may be called into the room that one is in; none where the room has none in. */
export interface BotsToCall {
  bots: readonly CalledBot[]
  /** Never rejects: what went wrong is told beside every screen. */
  call(bot: CalledBot): Promise<void>
}

export function useBotsToCall(room: Room): BotsToCall {
  const words = useStageWords()
  const tellProblem = useProblemNotice()
  const { people } = usePeople()
  const { id: roomId, agents, agentDispatch, sealed, locked, temporary } = room
  const admitsNone = agentDispatch === 'none' || sealed || locked || temporary
  const bots = people
    .filter(({ id, isBot }) => isBot && !agents.some(({ botId }) => botId === id))
    .map(({ id, displayName }) => ({ id, name: displayName }))
  return {
    bots: admitsNone ? [] : bots,
    async call({ id, name }) {
      try {
        await client.call('dispatchAgent', { roomId, botId: id })
        notices.show({ text: words.botCalled(name), tone: 'good' })
      } catch (error) {
        tellProblem(error)
      }
    },
  }
}
