import { fileURLToPath } from 'node:url'
import { FAKE_MEDIA, launchChromium } from '../../browser/chromium.ts'
import type { Scene } from '../../embedded-media/scene.ts'
import { serveFrontEnd } from '../../front-end.ts'
import type { Ends } from '../../processes.ts'
import { eventually } from '../../waiting.ts'
import { npmPackages } from '../npm-packages.ts'
import { sceneOf } from '../scene.ts'
import type { OfficeOfWalks, Walk } from '../walk.ts'
import type { PersonPage, PersonState } from './person-page.ts'
import { openQuietPage, type QuietPage } from './quiet-page.ts'

declare const personPage: PersonPage

/** LiveKit's clients in rooms of the embedded media server. */

/** The oldest that does all of it (docs/clients.md says what fails below), and the newest. */
const [OLDEST, NEWEST] = ['1.15.13', '2.23.0']
const SOURCE = fileURLToPath(new URL('person-page.ts', import.meta.url))

export const ROOMS: readonly Walk[] = [OLDEST, NEWEST].map((version) => ({
  software: `livekit-client ${version} in Chromium`,
  needs: 'chromium',
  walk: (office) => inBrowsers(office, version),
}))

async function inBrowsers(office: OfficeOfWalks, version: string): Promise<void> {
  const ends: Ends = []
  try {
    const modules = await npmPackages({ 'livekit-client': version })
    const isOne = version.startsWith('1.')
    const html = `<!doctype html><meta charset="utf-8"><script>${isOne ? 'liveKitOne = true' : ''}</script><script type="module" src="/page.js"></script>`
    const frontEnd = await serveFrontEnd(ends, { source: SOURCE, html, modules })
    const browser = await launchChromium(...FAKE_MEDIA, '--autoplay-policy=no-user-gesture-required')
    ends.push(() => browser.close())
    const scene = await sceneOf(office)
    const ada = await enter(scene, 'ada', await openQuietPage(browser, frontEnd))
    const grace = await enter(scene, 'grace', await openQuietPage(browser, frontEnd))
    await ada.page.evaluate(() => personPage.publish())
    await grace.page.evaluate(() => personPage.publish())
    await until(grace, 'Grace sees and hears Ada', ({ pictures, samples }) => pictures > 5 && samples > 4_800)
    await until(ada, 'Ada sees and hears Grace', ({ pictures, samples }) => pictures > 5 && samples > 4_800)
    await ada.page.evaluate(() => personPage.say('hello'))
    await until(grace, 'Grace is told', ({ said }) => said.includes('hello'))
    await grace.page.evaluate(() => personPage.say('good morning'))
    await until(ada, 'Ada is told', ({ said }) => said.includes('good morning'))
    for (const { page, assertQuiet } of [ada, grace]) {
      await page.evaluate(() => personPage.leave())
      assertQuiet()
    }
  } finally {
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }
}

async function enter(scene: Scene, who: 'ada' | 'grace', quiet: QuietPage): Promise<QuietPage> {
  const { url = '', token } = await scene[who].client.call('authorizeRoom', {
    roomId: scene.roomId,
    username: who,
  })
  await quiet.page.waitForFunction(() => 'personPage' in globalThis)
  await quiet.page.evaluate((to) => personPage.enter(to.url, to.token), { url, token })
  return quiet
}

async function until({ page }: QuietPage, what: string, is: (state: PersonState) => boolean): Promise<void> {
  await eventually(what, async () => is(await page.evaluate(() => personPage.state())))
}
