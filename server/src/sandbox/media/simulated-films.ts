import type { Egress } from '@atrium/embedded-media/recording/egress.ts'
import type { FilmEnd, FilmMaker } from '@atrium/embedded-media/recording/film-maker.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Faults, SandboxFaults } from './faults.ts'
import { sampleRecording } from './sample-recording.ts'

export interface SimulatedFilmsNeeds {
  clock: Clock
  faults: Faults
  /** Makes films of real rooms, where there are any. */
  films: FilmMaker | undefined
  keepFile(key: string, bytes: Uint8Array): Promise<void>
}

/**
 * Films without what was said, for tests of what fails, and where no real client can come in. Recordings go wrong as they
 * are told to from their beginning on; the others are the real film maker's.
 */
export function simulatedFilms({ clock, faults, films, keepFile }: SimulatedFilmsNeeds): FilmMaker {
  const simulated = new Set<string>()
  const sample = async ({ filepath, runningAtMs }: Egress): Promise<FilmEnd> => {
    const { recordings } = faults.current
    if (recordings === 'failed') return { status: 'EGRESS_FAILED', error: 'upload failed', errorCode: 500 }
    if (recordings === 'no-file') return { status: 'EGRESS_COMPLETE' }
    const durationMs = clock.now().getTime() - runningAtMs
    const bytes = sampleRecording(durationMs / 1_000)
    const file = { filename: filepath, location: filepath, sizeBytes: bytes.byteLength, durationMs }
    if (recordings === 'backup-store')
      return {
        status: 'EGRESS_COMPLETE',
        file: { ...file, location: `backup/${filepath}`, isElsewhere: true },
      }
    try {
      await keepFile(filepath, bytes)
    } catch {
      return { status: 'EGRESS_FAILED', error: 'the file could not be stored', errorCode: 500 }
    }
    return { status: statusOf(recordings), file }
  }
  return {
    begin(egress, room) {
      const { recordings } = faults.current
      if (recordings === 'never-run') return 'never'
      if (recordings === 'aborted')
        return { status: 'EGRESS_ABORTED', error: 'Start signal not received', errorCode: 412 }
      if (films && recordings === 'complete') return films.begin(egress, room)
      simulated.add(egress.id)
      return undefined
    },
    finish(egress, onWritten) {
      if (films && !simulated.delete(egress.id)) return films.finish(egress, onWritten)
      return sample(egress)
    },
    crash() {
      simulated.clear()
      films?.crash()
    },
  }
}

function statusOf(recordings: SandboxFaults['recordings']): FilmEnd['status'] {
  return recordings === 'limit-reached' ? 'EGRESS_LIMIT_REACHED' : 'EGRESS_COMPLETE'
}
