import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const start = promisify(execFile)
const OPTIONS = { encoding: 'buffer', maxBuffer: 2 ** 28 } as const
const WIDTH = 1_280
const SOUND_RATE = 48_000
const SILENCE_SAMPLES = SOUND_RATE / 4

export interface Probed {
  streams: { codec_name: string; width?: number; height?: number; duration: string }[]
  format: { format_name: string; duration: string }
}

/** What ffprobe says of a film. */
export async function probe(path: string): Promise<Probed> {
  const { stdout } = await start('ffprobe', [
    ...['-v', 'error', '-of', 'json', '-show_streams', '-show_format', path],
  ])
  return JSON.parse(stdout) as Probed
}

export type Colour = [red: number, green: number, blue: number]

/** One picture of a film. @returns the colour at a place */
export async function pictureAt(path: string, seconds: number): Promise<(x: number, y: number) => Colour> {
  const raw = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1']
  const { stdout } = await start('ffmpeg', ['-v', 'error', '-ss', `${seconds}`, '-i', path, ...raw], OPTIONS)
  return (x, y) => [...stdout.subarray((y * WIDTH + x) * 3, (y * WIDTH + x) * 3 + 3)] as unknown as Colour
}

/** When the picture turns white at a place, in seconds. */
export async function flashesAt(path: string, x: number, y: number): Promise<number[]> {
  const raw = ['-vf', `crop=2:2:${x}:${y}`, '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']
  const { stdout } = await start('ffmpeg', ['-v', 'error', '-i', path, ...raw], OPTIONS)
  const { streams } = await probe(path)
  const seconds = Number(streams.find(({ width }) => width)?.duration)
  const light = Array.from({ length: stdout.length / 4 }, (_, at) => (stdout[at * 4] ?? 0) > 150)
  return light.flatMap((is, at) => (is && at > 0 && !light[at - 1] ? [(at / light.length) * seconds] : []))
}

/** When a sound begins after silence, in seconds. */
export async function beepsOf(path: string): Promise<number[]> {
  const raw = ['-f', 's16le', '-ac', '1', '-ar', String(SOUND_RATE), 'pipe:1']
  const { stdout } = await start('ffmpeg', ['-v', 'error', '-i', path, ...raw], OPTIONS)
  const beeps: number[] = []
  let loudAt = -SILENCE_SAMPLES
  for (let at = 0; at < stdout.length / 2; at += 1) {
    if (Math.abs(stdout.readInt16LE(at * 2)) < 3_000) continue
    if (at - loudAt > SILENCE_SAMPLES) beeps.push(at / SOUND_RATE)
    loudAt = at
  }
  return beeps
}
