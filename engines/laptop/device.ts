import { readdir, readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { FAKE_MEDIA, launchChromium } from '../browser/chromium.ts'
import type { Ends } from '../processes.ts'
import { openWire, type Wire } from './wire.ts'

/** A browser that is a process of its own, and its way to the office. */
export interface Machine {
  browser: Browser
  wire: Wire
  /** The lid is closed: the machine stands still, and so does its network. */
  sleep(): Promise<void>
  wake(): Promise<void>
}

/** One person's page on a machine. */
export interface Device {
  name: string
  machine: Machine
  context: BrowserContext
  page: Page
}

/** @param officePort whose address its pages have in the bar, whichever way they get there */
export async function openMachine(officePort: number, ends: Ends): Promise<Machine> {
  const wire = await openWire(officePort)
  ends.push(() => wire.close())
  const before = new Set(await processes())
  const browser = await launchChromium(
    ...FAKE_MEDIA,
    `--host-resolver-rules=MAP localhost:${officePort} 127.0.0.1:${wire.port}`,
  )
  ends.push(() => browser.close())
  const isNew = (pid: number) => !before.has(pid)
  const signal = async (name: NodeJS.Signals) => {
    for (const pid of await browserProcesses(isNew, wire.port)) {
      try {
        process.kill(pid, name)
      } catch {
        // it has ended meanwhile
      }
    }
  }
  return {
    browser,
    wire,
    async sleep() {
      wire.become('black-hole')
      await signal('SIGSTOP')
    },
    async wake() {
      await signal('SIGCONT')
      wire.become('open')
    },
  }
}

async function processes(): Promise<number[]> {
  return (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
}

/** The browser that has this wire among its arguments, and every process under it. */
async function browserProcesses(isNew: (pid: number) => boolean, port: number): Promise<number[]> {
  const parents = new Map<number, number>()
  const roots: number[] = []
  for (const pid of await processes()) {
    if (!isNew(pid)) continue
    const [stat, words] = await Promise.all(
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    )
    parents.set(pid, Number(stat?.split(') ')[1]?.split(' ')[1] ?? 0))
    if (words?.includes(`127.0.0.1:${port}`)) roots.push(pid)
  }
  const isUnder = (pid: number): boolean =>
    roots.includes(pid) || (parents.has(pid) && isUnder(parents.get(pid) ?? 0))
  return [...parents.keys()].filter(isUnder)
}
