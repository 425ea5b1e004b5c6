import type { SuccessBody } from '@atrium/client'
import { useRooms } from '@atrium/react'
import { Link } from '@tanstack/react-router'
import { pagePaths } from '../../page-paths.ts'
import { client } from '../live/office-client.ts'
import { outdated } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { ListRow } from '../ui/list.tsx'
import { Problem } from '../ui/state.tsx'
import { dateAndTime } from '../words/date-and-time.ts'
import { useRecordingsWords } from '../words/recordings.ts'

type Recording = SuccessBody<'listRecordings'>['data'][number]

/** A recording to watch. Those who look after recordings may delete it, or hold it against deletion. */
export function RecordingRow({ recording, mayDelete }: { recording: Recording; mayDelete?: boolean }) {
  const words = useRecordingsWords()
  const { rooms } = useRooms()
  const { id, roomId, state, stored, startedAt, conferenceTopic, heldAt } = recording
  const isHere = state === 'completed' && stored === 'here'
  const room = rooms.find((one) => one.id === roomId)?.name
  const name = recording.name || conferenceTopic || room || words.recording
  // the topic is the room's name, unless the room was renamed or another program named it
  const elsewhere = room === name ? undefined : room
  const download = useAction(async () => {
    const { downloadUrl } = await client.call('downloadRecording', { recordingId: id })
    // it comes as a file: the page stays
    location.assign(downloadUrl)
  })
  const remove = useAction(async () => {
    await client.call('deleteRecording', { recordingId: id })
    await outdated('listRecordings')
  })
  const hold = useAction(async (on: boolean) => {
    await client.call('holdRecording', { recordingId: id, hold: on })
    await outdated('listRecordings')
  })
  return (
    <ListRow
      title={
        isHere ? (
          <Link to={pagePaths.recording} params={{ recordingId: id }}>
            {name}
          </Link>
        ) : (
          name
        )
      }
      about={
        <>
          {[
            elsewhere,
            startedAt && dateAndTime(startedAt),
            words.recordingStates[state],
            stored === 'elsewhere' && words.storedElsewhere,
          ]
            .filter(Boolean)
            .join(' · ')}
          <Problem>{download.problem ?? remove.problem ?? hold.problem}</Problem>
        </>
      }
      after={
        state === 'completed' && (
          <>
            {isHere && (
              <Button small busy={download.busy} onPress={() => void download.run()}>
                {words.download} <span className="visually-hidden">{name}</span>
              </Button>
            )}
            {mayDelete && (
              <Switch
                label={words.legalHold}
                on={heldAt !== undefined}
                onChange={(on) => void hold.run(on)}
                disabled={hold.busy}
              />
            )}
            {mayDelete && heldAt === undefined && (
              <IconButton
                icon="trash"
                label={words.deleteRecording(name)}
                busy={remove.busy}
                onPress={() => void remove.run()}
              />
            )}
          </>
        )
      }
    />
  )
}
