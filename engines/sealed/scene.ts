import type { Page } from 'playwright-core'
import { eventually } from '../waiting.ts'
import type { WebPerson } from '../web/people.ts'
import type { Visitor, WebOffice } from '../web/visitor.ts'
import type { Tap } from './tap.ts'

export type OpenTap = (person: WebPerson, roomId: string) => Promise<Tap>

export const PATIENCE = { withinMs: 45_000, everyMs: 100 }

export interface Scene {
  office: WebOffice
  ada: WebPerson
  grace: WebPerson
  roomId: string
  guestPath: string
  openTap: OpenTap
  /** The media server ends with the office. */
  hasOwnMedia: boolean
  at: Record<'ada' | 'grace' | 'guest', Visitor>
}

/** All of these pages show the same four words. @returns them */
export async function sameWords(...pages: Page[]): Promise<string> {
  return await otherWords(undefined, ...pages)
}

/** The same, and other ones than before. */
export async function otherWords(before: string | undefined, ...pages: Page[]): Promise<string> {
  return await eventually(
    'the same words everywhere',
    async () => {
      const all = await Promise.all(pages.map(wordsOn))
      const [first] = all
      return first !== undefined && first !== before && all.every((one) => one === first) && first
    },
    PATIENCE,
  )
}

export async function wordsOn(page: Page): Promise<string | undefined> {
  const shown = page.locator('.sealed-words')
  return (await shown.count()) === 0 ? undefined : ((await shown.first().textContent()) ?? undefined)
}
