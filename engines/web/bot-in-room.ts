import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { WebOffice } from './visitor.ts'

/** A program in a room. */
export interface BotInRoom {
  /** The media server has ended it. */
  isOut(): Promise<boolean>
  leave(): Promise<void>
}

interface Connected {
  room: { state: string; connect(url: string, token: string): Promise<void>; disconnect(): Promise<void> }
}

/** A program that comes into a room by a token for it: with the official client, unchanged, in a page of its own. */
export async function botIn(
  { browser, url: base }: WebOffice,
  { token, url }: { token: string; url?: string },
): Promise<BotInRoom> {
  const context = await browser.newContext({ bypassCSP: true })
  const page = await context.newPage()
  await page.goto(`${base}/favicon.svg`)
  const script = createRequire(import.meta.url).resolve('livekit-client')
  await page.evaluate(`${await readFile(script, 'utf8')};undefined`)
  await page.evaluate(
    async ([address, ticket]) => {
      const { LivekitClient } = globalThis as unknown as {
        LivekitClient: { Room: new () => Connected['room'] }
      }
      const room = new LivekitClient.Room()
      Object.assign(globalThis, { room })
      await room.connect(address, ticket)
    },
    [url ?? '', token] as const,
  )
  return {
    isOut: () => page.evaluate(() => (globalThis as unknown as Connected).room.state === 'disconnected'),
    async leave() {
      await page.evaluate(() => (globalThis as unknown as Connected).room.disconnect())
      await context.close()
    },
  }
}
