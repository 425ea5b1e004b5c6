import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { launchChromium, missingChromium } from '../browser/chromium.ts'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'
import { openFreshOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { browserSizes } from './browser-sizes.ts'
import { tryExamples } from './examples.ts'
import { tryHooks } from './hooks.ts'
import { bringNode20 } from './node-20.ts'
import { compilesUnderNodenext } from './nodenext.ts'
import { freshProject, type Project } from './project.ts'

/** What a browser may have to load for everything but the realtime connection. */
const BROWSER_BYTES_MAX = 19 * 1_024

/** The packages as others get them: tarballs in a fresh project, and the examples built on them. */
export const packages: Engine = {
  name: 'packages',
  about:
    'tarballs of the contract, the client and its hooks in a fresh project, and the examples against an office',
  async install() {
    try {
      await run('npm', ['view', 'centrifuge', 'version'], { withinMs: 60_000 })
    } catch {
      return 'npm’s registry does not answer'
    }
    return await missingChromium()
  },
  async try(check) {
    const ends: Ends = []
    try {
      const folder = await mkdtemp(join(tmpdir(), 'atrium-packages-'))
      ends.push(() => rm(folder, { recursive: true, force: true }))
      let project: Project | undefined
      await check('the tarballs are built without tests, and install into a fresh project', async () => {
        project = await freshProject(folder)
      })
      // without it there is nothing to try
      if (project) await tryProject(project, ends, check)
    } finally {
      for (let end = ends.pop(); end; end = ends.pop()) await end()
    }
  },
}

async function tryProject(project: Project, ends: Ends, check: Check): Promise<void> {
  await check('TypeScript takes their declarations under nodenext, libraries checked too', () =>
    compilesUnderNodenext(project),
  )
  await check('a browser loads at most 19 kB of them without realtime, and no schemas', async () => {
    const { small, whole, live } = await browserSizes(project)
    console.log(
      `    gzip: client ${small.bytes} B, all but realtime ${whole.bytes} B, with realtime ${live.bytes} B`,
    )
    assert.ok(whole.bytes <= BROWSER_BYTES_MAX, `${whole.bytes} bytes`)
    // `~kind` is what every schema of typebox carries
    for (const { text } of [small, whole, live]) assert.doesNotMatch(text, /~kind/)
  })
  const node20 = await bringNode20()
  const port = await freePort()
  const frontEnd = `http://localhost:${port}`
  // everybody comes from one address
  const settings = { FRONTEND_URL: frontEnd, RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0' }
  const url = await openFreshOffice(settings, ends)
  await check(`a script of Node ${node20.version} signs in and reads who it is`, async () => {
    const script = join(project.folder, 'who.js')
    await writeFile(script, SCRIPT)
    assert.match(await run(node20.path, [script, url], { cwd: project.folder }), /You are developer@/)
  })
  const browser = await launchChromium()
  ends.push(() => browser.close())
  const context = { project, url, frontEnd, port, browser, node: node20.path, ends }
  await tryExamples(context, check)
  await tryHooks(context, check)
}

/** Every module can be imported without a browser; the first call has the cookie of the session. */
const SCRIPT = `
import { createAtriumClient, createCookieJar } from '@atrium/client'
for (const part of ['calendar-connection', 'chat', 'exports', 'guests', 'office', 'people', 'picture', 'realtime', 'rooms', 'sealing', 'session', 'sign-in', 'store'])
  await import('@atrium/client/' + part)
const office = createAtriumClient({ baseUrl: process.argv[2], cookies: createCookieJar() })
await office.call('devSignIn')
console.log('You are', (await office.call('getCurrentUser')).email)
`
