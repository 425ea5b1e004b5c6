import type { SuccessBody } from '@atrium/client'
import { useRooms } from '@atrium/react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
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
import { Confirm } from './question/confirm.tsx'

type Recording = SuccessBody<'listRecordings'>['data'][number]

/** A recording to watch. Those who look after recordings may delete it, or hold it against deletion. */
export function RecordingRow({ recording, mayDelete }: { recording: Recording; mayDelete?: boolean }) {
  const words = useRecordingsWords()
  const { rooms } = useRooms()
  const { id, roomId, state, stored, startedAt, conferenceTopic } = recording
  const isHere = state === 'completed' && stored === 'here'
  const room = rooms.find((one) => one.id === roomId)?.name
  const name = recording.name || conferenceTopic || room || words.recording
  // the topic is the room's name, unless the room was renamed or another program named it
  const elsewhere = room === name ? undefined : room
  const actions = useRecordingActions(id)
  const about = [
    elsewhere,
    startedAt && dateAndTime(startedAt),
    words.recordingStates[state],
    stored === 'elsewhere' && words.storedElsewhere,
  ]
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
          {about.filter(Boolean).join(' · ')}
          <Problem>{actions.download.problem ?? actions.hold.problem}</Problem>
        </>
      }
      after={
        state === 'completed' && (
          <>
            {isHere && (
              <Button small busy={actions.download.busy} onPress={() => void actions.download.run()}>
                {words.download} <span className="visually-hidden">{name}</span>
              </Button>
            )}
            {mayDelete && <Care recording={recording} name={name} actions={actions} />}
          </>
        )
      }
    />
  )
}

function useRecordingActions(recordingId: string) {
  const download = useAction(async () => {
    const { downloadUrl } = await client.call('downloadRecording', { recordingId })
    // it comes as a file: the page stays
    location.assign(downloadUrl)
  })
  const hold = useAction(async (on: boolean) => {
    await client.call('holdRecording', { recordingId, hold: on })
    await outdated('listRecordings')
  })
  return { download, hold }
}

interface CareProps {
  recording: Recording
  name: string
  actions: ReturnType<typeof useRecordingActions>
}

/** Whether it is kept: held against deletion, or deleted. */
function Care({ recording: { id, heldAt }, name, actions: { hold } }: CareProps) {
  const words = useRecordingsWords()
  const [asks, setAsks] = useState(false)
  const isHeld = heldAt !== undefined
  return (
    <>
      <Switch
        label={words.legalHold}
        of={words.legalHoldOf(name)}
        on={isHeld}
        onChange={(on) => void hold.run(on)}
        busy={hold.busy}
      />
      {!isHeld && (
        <IconButton icon="trash" label={words.deleteRecording(name)} onPress={() => setAsks(true)} />
      )}
      {asks && (
        <Confirm
          title={words.deleteTitle(name)}
          about={words.deleteAbout}
          confirm={words.deleteIt}
          work={async () => {
            await client.call('deleteRecording', { recordingId: id })
            await outdated('listRecordings')
          }}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}
