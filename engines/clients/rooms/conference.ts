import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { FAKE_MEDIA, launchChromium } from '../../browser/chromium.ts'
import { serveFrontEnd } from '../../front-end.ts'
import type { Ends } from '../../processes.ts'
import { eventually } from '../../waiting.ts'
import { npmPackages } from '../npm-packages.ts'
import { sceneOf } from '../scene.ts'
import type { OfficeOfWalks, Walk } from '../walk.ts'
import { openQuietPage, type QuietPage } from './quiet-page.ts'

/** What conference-page.ts says of itself. */
declare const conferencePage: { samples(): Promise<number> }

const COMPONENTS = '2.9.24'
const MODULES = {
  '@livekit/components-react': COMPONENTS,
  '@livekit/components-styles': '1.2.0',
  'livekit-client': '2.23.0',
  react: '19.3.1',
  'react-dom': '19.3.1',
  tslib: '2.8.1',
}
/** Its grid, where a camera opens while it is laid out: it lays it out anew. */
const NOISE = /^Error while running updatePages/
const SOURCE = fileURLToPath(new URL('conference-page.ts', import.meta.url))
const STYLES = '@livekit/components-styles/dist/general/index.css'
// as its guide has it: without the styles the others are below the edge of the window, and no picture of theirs is sent
const pageWith = (styles: string) =>
  `<!doctype html><meta charset="utf-8"><style>${styles} body, #root { height: 100vh; margin: 0 }</style><body data-lk-theme="default"><div id="root"></div></body><script type="module" src="/page.js"></script>`
;('<!doctype html><meta charset="utf-8"><body></body><script type="module" src="/page.js"></script>')

export const CONFERENCE: Walk = {
  software: `@livekit/components-react ${COMPONENTS}, VideoConference in two Chromiums`,
  needs: 'chromium',
  walk: meetInConference,
}

/** Two people see and hear each other and write, and no message is marked as edited. */
async function meetInConference(office: OfficeOfWalks): Promise<void> {
  const ends: Ends = []
  try {
    const modules = await npmPackages(MODULES)
    const html = pageWith(await readFile(join(modules, STYLES), 'utf8'))
    const frontEnd = await serveFrontEnd(ends, { source: SOURCE, html, modules })
    const { ada, grace } = await sceneOf(office)
    const { room } = await ada.client.call('createRoom', { name: `Conference ${Date.now()}` })
    const enter = async ({ client }: typeof ada, username: string): Promise<QuietPage> => {
      // a camera for each: the made-up one of a browser is one
      const browser = await launchChromium(...FAKE_MEDIA, '--autoplay-policy=no-user-gesture-required')
      ends.push(() => browser.close())
      const { url = '', token } = await client.call('authorizeRoom', { roomId: room.id, username })
      return await openQuietPage(browser, `${frontEnd}/#${new URLSearchParams({ url, token })}`, NOISE)
    }
    const both = [await enter(ada, 'Ada'), await enter(grace, 'Grace')] as const
    for (const { page } of both) {
      await eventually('the other is seen', async () => (await pictures(page)) > 5)
      await eventually('the other is heard', () =>
        page.evaluate(async () => (await conferencePage.samples()) > 4_800),
      )
    }
    const [{ page: adas }, { page: graces }] = both
    await say(adas, 'Good morning')
    await hear(graces, 'Good morning')
    await say(graces, 'Tea?')
    await hear(adas, 'Tea?')
    for (const { page, assertQuiet } of both) {
      await page.getByRole('button', { name: 'Leave' }).click()
      assertQuiet()
    }
  } finally {
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }
}

/** Shown of the other one. */
const pictures = (page: Page): Promise<number> =>
  page
    .locator('[data-lk-local-participant="false"] video')
    .evaluateAll((videos) =>
      videos.reduce(
        (sum, one) => sum + (one as HTMLVideoElement).getVideoPlaybackQuality().totalVideoFrames,
        0,
      ),
    )

async function say(page: Page, text: string): Promise<void> {
  const field = page.locator('.lk-chat-form-input')
  if (!(await field.isVisible())) await page.getByRole('button', { name: 'Chat' }).first().click()
  await field.fill(text)
  await field.press('Enter')
}

async function hear(page: Page, text: string): Promise<void> {
  const entry = page.locator('.lk-chat-entry', { hasText: text })
  await eventually(`"${text}" is there`, async () => (await entry.count()) === 1)
  const said = (await entry.textContent()) ?? ''
  if (said.includes('edited')) throw new Error(`marked as edited: ${said}`)
}
