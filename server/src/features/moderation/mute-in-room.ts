import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Db } from '../../platform/database/database.ts'
import type { MediaPort } from '../../ports/media.ts'
import { connectionsOf, notInside, requireMeant, requireRank } from './meant.ts'

interface Needs {
  db: Db
  media: Pick<MediaPort, 'participants' | 'mute'>
}

/** Mutes the microphones of a participant, by all their connections. They may unmute themselves. */
export async function muteInRoom(
  needs: Needs,
  caller: CallerOf<'muteInRoom'>,
  input: Input<'muteInRoom'>,
): Promise<Reply<'muteInRoom'>> {
  const meant = await requireMeant(needs.db, caller, input)
  const connections = await connectionsOf(needs.media, meant)
  if (connections.length === 0) throw notInside()
  if ('user' in meant) requireRank(caller, meant.role)
  for (const { identity, tracks } of connections)
    for (const { sid, source } of tracks)
      if (source === 'microphone') await needs.media.mute(meant.room, identity, sid)
  return { status: 204 }
}
