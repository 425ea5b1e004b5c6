import { sql } from 'kysely'
import { type ArchiveChapter, ROWS_OF_ORGANIZATION } from '../../directory/archive-chapter.ts'
import { areStoredWords, renumberedSpeakers } from './watching/speaker.ts'

/** What a transcript of 60,000 words stays below: a part of an archive ends with the line that fills it. */
const LINE_MAX = 24 * 1024 * 1024

/** Which recordings there are. Their files stay in the object storage, under `file_key`. */
export const recordingsChapter: ArchiveChapter = {
  name: 'recordings',
  table: 'recordings',
  columns: [
    ...['id', 'organization_id', 'room_id', 'egress_id', 'state', 'presumed', 'conference_topic', 'zone_id'],
    ...['participants', 'started_by', 'requested_at', 'started_at', 'stop_requested_at', 'ended_at'],
    ...['missing_since', 'file_key', 'size_bytes', 'duration_seconds', 'held_at', 'hold_reason', 'stored'],
    ...['name', 'shared_until', 'chapters', 'transcript'],
  ],
  withheld: {
    file_location: 'an address of others, which may carry a signature',
    failure: 'words of others, for support',
    transcript_state: 'of work that is under way, or has failed',
    removal_began_at: 'of a removal that is under way',
  },
  order: ['id'],
  rowsAtOnce: 5,
  lineMax: LINE_MAX,
  organization: {
    ...ROWS_OF_ORGANIZATION,
    people: ['started_by'],
    imported: {
      renumbered: (row, numbers) => ({
        ...row,
        chapters: renumberedSpeakers(row.chapters, numbers),
        transcript: renumberedSpeakers(row.transcript, numbers),
      }),
      // archives bring no films: a download looks whether an operator has
      complete: (row) => (row.stored === null ? row : { ...row, stored: 'elsewhere' }),
      problem: ({ file_key: key, transcript }, organizationId) => {
        if (transcript !== null && !areStoredWords(transcript)) return 'has a transcript that is none'
        // the store may hold what others have recorded
        const folder = `recordings/${organizationId}/`
        const isOwn = typeof key === 'string' && key.startsWith(folder)
        return isOwn && /^[0-9a-f-]{36}\.(mp4|webm|ogg)$/.test(key.slice(folder.length))
          ? undefined
          : 'names a file that is no recording of the organization'
      },
    },
  },
  person: {
    columns: [
      ...['id', 'organization_id', 'room_id', 'state', 'conference_topic', 'requested_at', 'started_at'],
      ...['ended_at', 'size_bytes', 'duration_seconds', 'name'],
    ],
    where: ({ id, organizations }) =>
      sql`t.started_by = ${id} and t.organization_id = any(${organizations}::bigint[])`,
  },
}
