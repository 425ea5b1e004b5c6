import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { missingChromium } from '../browser/chromium.ts'
import { run } from '../commands.ts'
import type { FreshOffice } from '../fresh-office.ts'

/** Software that nobody of this project wrote, and what it does with the office. */
export interface Walk {
  /** With its version. */
  software: string
  /** What is missing on a machine that cannot try it. */
  needs: 'go' | 'java' | 'mvn' | 'python3' | 'cargo' | 'npm' | 'chromium'
  /** @param folder for what is built @throws Error where it does not get through */
  walk(office: OfficeOfWalks, folder: string): Promise<void>
}

export type OfficeOfWalks = FreshOffice

const ASKED = {
  go: ['version'],
  java: ['-version'],
  mvn: ['-v'],
  python3: ['-V'],
  cargo: ['-V'],
  npm: ['-v'],
}

/** @returns why a walk cannot be tried here; undefined where it can */
export async function lacking({ needs }: Walk): Promise<string | undefined> {
  if (needs === 'chromium') return await missingChromium()
  const missing = (tool: string) => `${tool} is not on this machine`
  return await run(needs, ASKED[needs]).then(
    () => undefined,
    () => missing(needs),
  )
}

export const folderFor = (home: string) => mkdtemp(join(home, 'walk-'))
