import type { Recording } from '@atrium/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { parseGuestIdentity } from '../../../platform/ids.ts'
import { nameGuests } from '../../guests/reads.ts'
import { stirIn } from '../../media-events/reads.ts'
import type { StoredRecording } from '../store.ts'
import { setChapters, setChaptersOfFile } from './chapter-store.ts'
import { type StoredChapter, storedSpeaker, viewOfSpeaker } from './speaker.ts'

/** A chapter as a recorder tells it. */
export type ToldChapter = Omit<StoredChapter, 'name'> & { name: string }

const CHAPTERS_MAX = 300

/** Keeps what the recorder itself has noted: it knows who spoke. @param fileKey of the film */
export async function keepChapters(db: Db, fileKey: string, told: readonly ToldChapter[]): Promise<void> {
  await setChaptersOfFile(db, fileKey, told.slice(0, CHAPTERS_MAX).map(storedChapter))
}

/** Makes chapters of what the media server has told of the room meanwhile, where its recorder has kept none. */
export async function findChapters(
  { db }: { db: Db; clock: Clock },
  { id, organization, room, startedAt, endedAt }: StoredRecording,
): Promise<void> {
  if (!startedAt || !endedAt) return
  const stir = await stirIn(db, organization, room, { from: startedAt, until: endedAt })
  const guests = stir.flatMap(({ identity }) => parseGuestIdentity(identity) ?? [])
  const names = await nameGuests(db, organization, guests)
  const chapters = stir.slice(0, CHAPTERS_MAX).map(({ identity, kind, at }) =>
    storedChapter({
      at: Math.max(0, (at.getTime() - startedAt.getTime()) / 1_000),
      ...{ kind, identity, name: names.get(parseGuestIdentity(identity) ?? '') ?? '' },
    }),
  )
  await setChapters(db, organization, id, chapters)
}

function storedChapter({ at, kind, until, ...person }: ToldChapter): StoredChapter {
  return { at, kind, ...(until === undefined ? {} : { until }), ...storedSpeaker(person) }
}

export function viewOfChapter({ at, kind, until, ...person }: StoredChapter): Recording['chapters'][number] {
  const moment = { at, kind, ...(until === undefined ? {} : { until }) }
  const speaker = viewOfSpeaker(person)
  return 'userId' in speaker || 'guest' in speaker
    ? { ...moment, ...speaker }
    : { ...moment, text: person.name ?? '' }
}
