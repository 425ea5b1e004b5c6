import { mkdirSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFilmApart, type SpokenFilm } from '../process/make-film.ts'
import type { RecordingReport } from '../process/start-media-process.ts'
import type { LiveRooms } from '../rooms/live-rooms.ts'
import type { Room } from '../rooms/rooms.ts'
import { every, guarded, type OnFault, pause } from '../timers.ts'
import type { Egress, EgressFile } from './egress.ts'
import { type Ffmpeg, findFfmpeg } from './grid/ffmpeg.ts'

/** How a recording ended, in fields of LiveKit's. */
export interface FilmEnd {
  status: 'EGRESS_COMPLETE' | 'EGRESS_LIMIT_REACHED' | 'EGRESS_ABORTED' | 'EGRESS_FAILED'
  error?: string
  errorCode?: number
  details?: string
  file?: EgressFile
}

/** What records a room, and makes a file of it. */
export interface FilmMaker {
  /** @returns undefined: it records; an end: it does not; `never`: nothing will ever be heard of it */
  begin(egress: Egress, room: Room): FilmEnd | 'never' | undefined
  /**
   * Ends what was begun, and keeps the file. Rejects only where it was told to crash.
   * @param onWritten called as soon as nothing more of the room is recorded; a long film is made minutes later
   */
  finish(egress: Egress, onWritten: () => void): Promise<FilmEnd>
  crash(): void
}

export interface RecordingLimits {
  minutes: number
  /** Of what is recorded, before a film is made of it. */
  bytes: number
}

/** A film to be kept. Its files are gone once it is. */
export interface KeptFilm extends Pick<SpokenFilm, 'chapters' | 'speech'> {
  key: string
  path: string
  contentType: string
}

export interface FilmMakerOptions {
  /** What is recorded lies here until its film is kept. */
  folder: string
  live: Pick<LiveRooms, 'record' | 'endRecording'>
  /** Puts a finished film where recordings are kept. */
  keepFilm(film: KeptFilm): Promise<void>
  /** What each person said is kept beside the film. */
  withSpeech?: boolean | undefined
  limits: RecordingLimits
  /** Where an ffmpeg is looked for, as PATH names folders: it makes films of everybody's pictures. Not where it is undefined. */
  searchPath?: string | undefined
  /** It ended by itself. */
  onOver(egressId: string, why: { status: FilmEnd['status']; error: string; details: string }): void
  onFault: OnFault
}

/** Films of rooms that real clients are in. */
export interface LiveFilmMaker extends FilmMaker {
  /** What the process that carries media tells of recordings. */
  hear(report: RecordingReport): void
  /** That process has died: what it had recorded is all that there is. */
  processEnded(): void
  /** Recordings that an earlier life has left behind. */
  left(): Promise<Egress[]>
  close(): void
}

const ABOUT = 'egress.json'
const LOOK_EVERY_MS = 5_000
const WRITTEN_WITHIN_MS = 5_000
/** A film takes as much again as what it is made of, one with a grid three times as much. */
const COPIES = { film: 1, grid: 3 }
/** The rest of the machine wants something too. */
const FREE_BYTES_MIN = 256 * 1024 * 1024

/** What is being recorded, for the functions below. */
interface Filming {
  readonly options: FilmMakerOptions
  readonly running: Map<string, { began: number; written: PromiseWithResolvers<void> }>
  readonly finding: Promise<Ffmpeg | undefined>
  /** Once it is found. */
  ffmpeg: Ffmpeg | undefined
  crashing: AbortController
}

export function openFilmMaker(options: FilmMakerOptions): LiveFilmMaker {
  const { folder, live, onFault, searchPath } = options
  const finding = searchPath === undefined ? Promise.resolve(undefined) : findFfmpeg(searchPath)
  const filming: Filming = {
    ...{ options, running: new Map(), finding, ffmpeg: undefined, crashing: new AbortController() },
  }
  guarded(async () => {
    filming.ffmpeg = await finding
  }, onFault)
  const { running } = filming
  const looking = every(LOOK_EVERY_MS, () => look(filming), onFault)
  return {
    begin: (egress, room) => begin(filming, egress, room),
    finish: (egress, onWritten) => finish(filming, egress, onWritten),
    hear(report) {
      if (report.report === 'recorded') running.get(report.recording)?.written.resolve()
      else over(filming, report.recording, `Nothing more could be written: ${report.reason}`)
    },
    processEnded() {
      for (const [id, { written }] of [...running]) {
        written.resolve()
        over(filming, id, 'The media process ended', 'EGRESS_COMPLETE')
      }
    },
    left: () => leftIn(folder),
    crash() {
      for (const id of running.keys()) live.endRecording(id)
      running.clear()
      filming.crashing.abort()
      filming.crashing = new AbortController()
    },
    close: () => looking.stop(),
  }
}

function begin({ options, running, ffmpeg }: Filming, egress: Egress, room: Room): FilmEnd | undefined {
  const place = folderOf(options, egress)
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 })
    writeFileSync(join(place, ABOUT), JSON.stringify(egress), { mode: 0o600 })
  } catch (error) {
    options.onFault(error)
    return { status: 'EGRESS_FAILED', error: wordOf(error), errorCode: 500 }
  }
  const order = { recording: egress.id, folder: place, isGrid: ffmpeg !== undefined }
  if (!options.live.record(room, order))
    return { status: 'EGRESS_FAILED', error: 'The media process is away', errorCode: 503 }
  running.set(egress.id, { began: performance.now(), written: Promise.withResolvers() })
  return undefined
}

/** Ends those that are too long, too large, or that the disk has no room for. */
async function look(filming: Filming): Promise<void> {
  const { limits, folder } = filming.options
  const copies = filming.ffmpeg ? COPIES.grid : COPIES.film
  for (const [id, { began }] of filming.running) {
    const bytes = await bytesIn(folderOf(filming.options, { id }))
    const { bavail, bsize } = await statfs(folder)
    if (performance.now() - began > limits.minutes * 60_000) over(filming, id, 'Maximum duration reached')
    else if (bytes > limits.bytes) over(filming, id, 'Maximum size reached')
    else if (bavail * bsize < FREE_BYTES_MIN + copies * bytes) over(filming, id, 'The disk is nearly full')
  }
}

function over(
  { options }: Filming,
  id: string,
  error: string,
  status: FilmEnd['status'] = 'EGRESS_LIMIT_REACHED',
): void {
  options.onOver(id, { status, error, details: `End reason: ${error}` })
}

async function finish(filming: Filming, egress: Egress, onWritten: () => void): Promise<FilmEnd> {
  const { options, crashing } = filming
  const { signal } = crashing
  await endWriting(filming, egress.id)
  onWritten()
  const made = await film(filming, egress).catch((error: unknown): FilmEnd => {
    if (signal.aborted) throw error
    options.onFault(error)
    return { status: 'EGRESS_FAILED', error: wordOf(error), errorCode: 500 }
  })
  await rm(folderOf(options, egress), { recursive: true, force: true })
  return made
}

async function endWriting({ options, running }: Filming, id: string): Promise<void> {
  const found = running.get(id)
  running.delete(id)
  if (found && options.live.endRecording(id))
    await Promise.race([found.written.promise, pause(WRITTEN_WITHIN_MS)])
}

async function film({ options, crashing, finding }: Filming, egress: Egress): Promise<FilmEnd> {
  const { signal } = crashing
  const made = await makeFilmApart(folderOf(options, egress), {
    ...{ withSpeech: options.withSpeech === true, ffmpeg: await finding },
    ...{ signal, onFault: options.onFault },
  })
  if (!made) return { status: 'EGRESS_FAILED', error: 'Nothing was written down', errorCode: 412 }
  const { chapters, speech, path, ending } = made
  const key = keyOf(egress.filepath, ending)
  const { size } = await stat(path)
  await options.keepFilm({ key, path, contentType: `video/${ending}`, chapters, speech })
  return { status: 'EGRESS_COMPLETE', file: fileOf(key, size, made) }
}

function folderOf({ folder }: FilmMakerOptions, { id }: Pick<Egress, 'id'>): string {
  return join(folder, id)
}

/** What is asked for ends in `.mp4`, or in nothing: the name follows the file. */
function keyOf(filepath: string, ending: SpokenFilm['ending']): string {
  return `${filepath.replace(/\.(mp4|webm|ogg)$/, '')}.${ending}`
}

function fileOf(key: string, sizeBytes: number, { durationSeconds }: SpokenFilm): EgressFile {
  return { filename: key, location: key, sizeBytes, durationMs: durationSeconds * 1_000 }
}

/** What is told of a failure: no paths, and nothing of other systems. */
function wordOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  return code === 'ENOSPC' ? 'The disk is full' : 'The film could not be made'
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)))
  return sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0)
}

async function leftIn(folder: string): Promise<Egress[]> {
  const left: Egress[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const text = await readFile(join(folder, name, ABOUT), 'utf8').catch(() => '')
    try {
      left.push(JSON.parse(text) as Egress)
    } catch {
      // it died before it had begun
      await rm(join(folder, name), { recursive: true, force: true })
    }
  }
  return left
}
