import type { LobbyView } from '@atrium/react'
import { client } from '../../live/office-client.ts'
import { useMay } from '../../live/permissions.ts'
import type { PersonInCall } from '../../media/call-state.ts'
import { notices } from '../../ui/overlays/notices.ts'
import { useStageWords } from '../../words/stage.ts'
import { personIdOf } from '../stage/tile.tsx'
import type { Moderation } from './moderation.ts'

/** What one may do about others in a room; undefined for members who may not. */
export function useModeration(roomId: string, lobby: LobbyView['lobby']): Moderation | undefined {
  const words = useStageWords()
  const may = useMay()
  const isModerator = may('EditRoom')
  if (!isModerator && !may('AdmitGuest')) return undefined
  const attempt = async (work: Promise<unknown>, done?: string) => {
    try {
      await work
      if (done) notices.show({ text: done, tone: 'good' })
    } catch {
      notices.show({ text: words.failed })
    }
  }
  const putOut = async (person: PersonInCall) => {
    if (person.isBot) await client.call('removeAgent', { roomId, botId: person.botId ?? person.identity })
    else if (isModerator) await client.call('removeFromRoom', { roomId, ...whom(person) })
    else await lobby?.remove(person.identity)
  }
  return {
    may: (what, person) => isModerator || (what === 'remove' && person?.isGuest === true),
    mute: (person) =>
      attempt(client.call('muteInRoom', { roomId, ...whom(person) }), words.muted(person.name)),
    remove: (person) => attempt(putOut(person), words.removed(person.name)),
    lowerHands: () => attempt(client.call('lowerHands', { roomId })),
  }
}

function whom({ identity, isGuest }: PersonInCall): { userId: string } | { guestIdentity: string } {
  return isGuest ? { guestIdentity: identity } : { userId: personIdOf(identity) }
}
