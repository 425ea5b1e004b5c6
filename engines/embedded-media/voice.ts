import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waveFile } from '@atrium/web/wave-file.ts'
import type { Ends } from '../processes.ts'

const SAMPLES_PER_SECOND = 16_000
const SECONDS = 10

/** @returns the argument that makes a browser's microphone hear a voice, in place of a beep now and then */
export async function speaking(ends: Ends): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-voice-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'voice.wav')
  await writeFile(file, waveFile(murmur(), SAMPLES_PER_SECOND))
  return `--use-file-for-fake-audio-capture=${file}`
}

/** A voice without pauses: noise suppression leaves it in. */
function murmur(): Float32Array {
  const samples = new Float32Array(SECONDS * SAMPLES_PER_SECOND)
  for (const at of samples.keys()) {
    const time = at / SAMPLES_PER_SECOND
    const pitch = 120 + 30 * Math.sin(2 * Math.PI * 0.7 * time)
    const syllable = 0.55 + 0.45 * Math.sin(2 * Math.PI * 4 * time)
    const harmonics = [1, 2, 3, 5].reduce((sum, n) => sum + Math.sin(2 * Math.PI * pitch * n * time) / n, 0)
    samples[at] = 0.25 * syllable * harmonics
  }
  return samples
}
