import { readdir, readFile } from 'node:fs/promises'

/** What a process that we have started holds at a moment. */
export interface Sample {
  minute: number
  megabytes: number
  descriptors: number
  /** Of one processor, since the sample before. */
  share: number
}

export interface Watched {
  name: string
  samples: Sample[]
}

const TICKS_A_SECOND = 100

/** Looks at every program that this process has started, by what `/proc` says. Linux only. */
export function watchPrograms() {
  const programs = new Map<number, Watched & { ticks: number; at: number }>()
  const began = performance.now()
  const look = async () => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    for (const pid of pids) await lookAt(pid).catch(() => {})
  }
  const lookAt = async (pid: number) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(fields[1]) !== process.pid) return
    const ticks = Number(fields[11]) + Number(fields[12])
    const now = performance.now()
    const known = programs.get(pid) ?? { name: await nameOf(pid), samples: [], ticks, at: now }
    programs.set(pid, known)
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const megabytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024
    const descriptors = (await readdir(`/proc/${pid}/fd`)).length
    const seconds = (now - known.at) / 1_000
    const share = seconds > 0 ? (ticks - known.ticks) / TICKS_A_SECOND / seconds : 0
    known.samples.push({ minute: (now - began) / 60_000, megabytes, descriptors, share })
    Object.assign(known, { ticks, at: now })
  }
  return { look, programs: (): Watched[] => [...programs.values()] }
}

async function nameOf(pid: number): Promise<string> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
  const program = words[0]?.split('/').at(-1) ?? ''
  if (words.includes('serve')) return 'atrium'
  return words.some((word) => word.endsWith('listeners.ts')) ? 'connections of the soak' : program
}

/** By least squares, in what is sampled per ten minutes. */
export function slopeOf(samples: readonly Sample[], what: 'megabytes' | 'descriptors'): number {
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
  const [x, y] = [mean(samples.map(({ minute }) => minute)), mean(samples.map((one) => one[what]))]
  const above = samples.reduce((sum, one) => sum + (one.minute - x) * (one[what] - y), 0)
  return (10 * above) / samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
}
