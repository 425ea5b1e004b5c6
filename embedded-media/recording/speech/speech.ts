import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inOrder } from '../in-order.ts'
import type { FileNote, Speaker } from '../notes.ts'
import { readPackets } from '../packet-file.ts'
import type { Timeline } from '../timeline.ts'
import { oggOf } from './ogg.ts'
import { stretchesOf } from './stretches.ts'

/** A stretch of what one person said: a file of Ogg with Opus. */
export interface SpeechFile extends Speaker {
  /** In seconds since the film began, as `to` is. */
  from: number
  to: number
  path: string
}

/** In the folder of a recording. */
const FOLDER = 'speech'
/** More is no recording of a few people. */
const STRETCHES_MAX = 20_000

/**
 * Writes what was said as files of one speaker each, as it was sent, in the order in which they begin.
 * @param endMs of the film: what begins later is left out
 */
export async function writeSpeech(
  files: readonly FileNote[],
  { folder, timeline, endMs }: { folder: string; timeline: Timeline; endMs: number },
): Promise<SpeechFile[]> {
  const place = join(folder, FOLDER)
  await mkdir(place, { recursive: true, mode: 0o700 })
  const written: SpeechFile[] = []
  for (const file of files) {
    const { speaker } = file
    if (!speaker) continue
    const packets = inOrder(readPackets(join(folder, file.file)))
    for await (const stretch of stretchesOf(packets, (rtp) => timeline.at(file, rtp))) {
      if (stretch.fromMs >= endMs || written.length === STRETCHES_MAX) break
      const path = join(place, `${written.length + 1}.ogg`)
      await writeFile(path, await oggOf(stretch), { mode: 0o600 })
      const [from, to] = [stretch.fromMs / 1_000, Math.min(stretch.toMs, endMs) / 1_000]
      written.push({ from, to, ...speaker, path })
    }
  }
  return written.sort((one, other) => one.from - other.from)
}
