import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { isBuilt } from '@atrium/web/built-folder.ts'
import { FAKE_MEDIA, missingChromium, openChromium } from '../browser/chromium.ts'
import type { Check, Engine } from '../engine.ts'
import { openOperatedOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { openScene, type Scene } from '../web/scene.ts'
import { installLighthouse, type LighthouseResult, look, VERSION } from './program.ts'

/** What every page has all of. Speed is told by the vitals of the web office: a busy machine is no defect. */
const CATEGORIES = ['accessibility', 'best-practices'] as const

/** Pages without a session come first: a session stays in the browser. */
const PAGES: readonly { name: string; as: 'nobody' | 'ada'; path(scene: Scene): string }[] = [
  { name: 'sign-in', as: 'nobody', path: () => '/sign-in' },
  { name: 'guest', as: 'nobody', path: ({ guestPath }) => guestPath },
  { name: 'floor', as: 'ada', path: () => '/' },
  { name: 'before a room', as: 'ada', path: ({ roomId }) => `/room/${roomId}` },
]

/** The web office as Lighthouse sees it. */
export const lighthouse: Engine = {
  name: 'lighthouse',
  about: `Lighthouse ${VERSION} (npm) on the web office: accessibility and best practices`,
  install: async () => (await missingChromium()) ?? (await installLighthouse()),
  async try(check) {
    const ends: Ends = []
    try {
      await tryPages(check, ends)
    } finally {
      for (let end = ends.pop(); end; end = ends.pop()) await end()
    }
  },
}

async function tryPages(check: Check, ends: Ends): Promise<void> {
  const settings = { RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0', RATE_LIMIT_GUEST_PER_ADDRESS: '0' }
  const operated = await openOperatedOffice(settings, ends)
  await eventually('the web office is built', isBuilt, { withinMs: 180_000, everyMs: 500 })
  const folder = await mkdtemp(join(tmpdir(), 'atrium-lighthouse-'))
  ends.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }))
  const port = await freePort()
  const context = await openChromium(folder, ...FAKE_MEDIA, `--remote-debugging-port=${port}`)
  ends.push(() => context.close())
  const scene = await openScene(operated)
  for (const { name, as, path } of PAGES)
    await check(`${name}: all of ${CATEGORIES.join(' and ')}`, async () => {
      if (as === 'ada') await scene.ada.enter({ context })
      expectAll(await look(`${operated.url}${path(scene)}`, port, CATEGORIES))
    })
}

function expectAll({ runtimeError, categories, audits }: LighthouseResult): void {
  assert.equal(runtimeError?.message, undefined)
  const weighed = CATEGORIES.flatMap((name) => categories[name]?.auditRefs ?? []).filter(
    ({ weight }) => weight > 0,
  )
  const missed = weighed.filter(({ id }) => (audits[id]?.score ?? 1) < 1).map(({ id }) => id)
  console.log(
    `    ${CATEGORIES.map((name) => `${name} ${Math.round((categories[name]?.score ?? 0) * 100)}`).join(', ')}`,
  )
  for (const id of missed)
    assert.fail(`${id}: ${JSON.stringify(audits[id]?.details ?? audits[id]?.title).slice(0, 800)}`)
}
