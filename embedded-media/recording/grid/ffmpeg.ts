import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** The program that makes grids of this machine's. */
export interface Ffmpeg {
  path: string
  /** Of H.264. */
  encoder: keyof typeof ENCODERS
}

/** In the order in which they are wanted, with what each is told. Without B pictures, one is shown as soon as it is there. */
const ENCODERS = {
  libx264: ['-preset', 'veryfast', '-crf', '26', '-bf', '0'],
  libopenh264: ['-b:v', '1500k'],
} as const
const NAMES = Object.keys(ENCODERS) as Ffmpeg['encoder'][]
const FOUND_WITHIN_MS = 60_000

/** An `ffmpeg` that reads VP8 and writes H.264 and AAC. @param searchPath as PATH names folders */
export async function findFfmpeg(searchPath: string): Promise<Ffmpeg | undefined> {
  const path = await programIn(searchPath)
  if (path === undefined) return undefined
  const signal = AbortSignal.timeout(FOUND_WITHIN_MS)
  const list = (what: string) => startFfmpeg(path, ['-hide_banner', what], signal).said()
  const [encoders, decoders] = await Promise.all([list('-encoders'), list('-decoders')]).catch(() => ['', ''])
  const has = (names: string, name: string) => names.split(/\s+/).includes(name)
  const encoder = NAMES.find((name) => has(encoders, name))
  return encoder && has(encoders, 'aac') && has(decoders, 'vp8') ? { path, encoder } : undefined
}

export function encoderArguments({ encoder }: Ffmpeg): string[] {
  return ['-c:v', encoder, ...ENCODERS[encoder], '-pix_fmt', 'yuv420p']
}

export interface Running {
  input: Writable
  output: Readable
  /** Rejects where it failed, with its last words. */
  ended: Promise<void>
  /** All that it wrote. */
  said(): Promise<string>
}

const LAST_WORDS = 300

/** Without a shell, and with nothing of our environment. An abort kills it. */
export function startFfmpeg(path: string, args: readonly string[], signal: AbortSignal): Running {
  const child = spawn(path, args, { env: {}, stdio: 'pipe', signal, killSignal: 'SIGKILL' })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    words = (words + more).slice(-LAST_WORDS)
  })
  // that it takes nothing more is told by its end
  child.stdin.on('error', () => {})
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`ffmpeg ended with ${code}: ${words.trim()}`))
    })
  })
  // awaited by those who started it, and later than it may fail
  ended.catch(() => {})
  const { stdin: input, stdout: output } = child
  return {
    ...{ input, output, ended },
    async said() {
      const [all] = await Promise.all([text(output), ended])
      return all
    },
  }
}

async function programIn(searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter).filter(isAbsolute)) {
    const path = join(folder, process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg')
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}
