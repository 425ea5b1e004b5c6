import assert from 'node:assert/strict'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAtriumClient, createCookieJar } from '@atrium/client'
import { createChat } from '@atrium/client/chat'
import { connectRealtime } from '@atrium/client/realtime'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import type { Page } from 'playwright-core'
import { run } from '../commands.ts'
import { colleague, guestLink, type Member } from '../embedded-media/scene.ts'
import type { Check } from '../engine.ts'
import { start, untilAnswers } from '../processes.ts'
import { eventually } from '../waiting.ts'
import type { ExamplesContext } from './examples.ts'
import { SERVER_SCRIPT } from './hooks-on-a-server.ts'
import type { HooksPage, Shown } from './hooks-page.tsx'

declare const hooksPage: HooksPage

const SOURCE = fileURLToPath(new URL('hooks-page.tsx', import.meta.url))
const HTML =
  '<!doctype html><title>Hooks</title><div id="root"></div><script type="module" src="./main.tsx"></script>'

/** The hooks of `@atrium/react`, as they are installed, rendered: on a server, and in a browser against an office. */
export async function tryHooks(context: ExamplesContext, check: Check): Promise<void> {
  const { project, node, browser, url } = context
  await check(
    'hooks: every one is rendered on a server too, where nothing is asked and nothing stays open',
    async () => {
      const script = join(project.folder, 'on-a-server.js')
      await writeFile(script, SERVER_SCRIPT)
      const html = await run(node, [script], { cwd: project.folder, withinMs: 30_000 })
      assert.match(html, /<pre>.*unknown.*<\/pre>/)
      await namesEveryHook(context, SERVER_SCRIPT)
    },
  )
  const page = await (await browser.newContext()).newPage()
  const complaints = listenFor(page)
  let scene: Scene | undefined
  await check('hooks: in StrictMode they connect once, and show people and rooms as they come', async () => {
    await namesEveryHook(context, await readFile(SOURCE, 'utf8'))
    await page.goto(`${await serve(context)}/?office=${encodeURIComponent(url)}`)
    await shows(
      page,
      'nobody signed in',
      ({ session, connection }) => session === 'signed-out' && connection === 'none',
    )
    await page.getByRole('button', { name: 'Sign in' }).click()
    await shows(
      page,
      'a connection',
      (now) => now.connection === 'connected' && now.realtime && now.chat && now.office,
    )
    scene = await openScene(url)
    await shows(
      page,
      'the colleague and the room',
      ({ people, rooms }) => people.length === 2 && rooms.includes('Kitchen: 0'),
    )
    assert.equal(await page.evaluate(() => hooksPage.sockets()), 1)
    // what is told a second later is rendered once more
    await eventually('nothing is rendered any more', async () => {
      const before = await page.evaluate(() => hooksPage.renders())
      await page.waitForTimeout(500)
      return (await page.evaluate(() => hooksPage.renders())) === before
    })
  })
  await check('hooks: chat, the lobby and the conversation of a room', async () => {
    assert.ok(scene, 'there is no scene')
    await tryConversations(page, scene)
  })
  await check(
    'hooks: what waits in a Suspense shows what has come meanwhile, and signing out ends all of it',
    async () => {
      await page.getByText('Waiting').waitFor()
      await page.evaluate(() => hooksPage.release('Ready'))
      await page.getByText('Ready: 2').waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await shows(
        page,
        'nobody',
        (now) => now.session === 'signed-out' && now.people.length === 0 && now.rooms.length === 0,
      )
      await eventually(
        'no connection is open',
        async () => (await page.evaluate(() => hooksPage.sockets())) === 0,
      )
      await page.getByText('Ready: 0').waitFor()
      assert.deepEqual(complaints, [])
    },
  )
}

interface Scene {
  developer: Member
  grace: Member
  roomId: string
  organizationId: string
  url: string
}

/** A colleague of the person who signs in on the page, and a room. */
async function openScene(url: string): Promise<Scene> {
  const client = createAtriumClient({ baseUrl: url, cookies: createCookieJar() })
  await client.call('devSignIn')
  const { id, currentOrganizationId: organizationId } = await client.call('getCurrentUser')
  const developer = { client, id }
  const grace = await colleague({ url, ada: developer }, 'grace@hooks.example')
  const { room } = await client.call('createRoom', { name: 'Kitchen' })
  return { developer, grace, roomId: room.id, organizationId, url }
}

async function tryConversations(page: Page, scene: Scene): Promise<void> {
  const { developer, grace, roomId } = scene
  const live = await connectRealtime(grace.client)
  const chat = createChat(grace.client, live)
  try {
    const talk = await chat.openWith(developer.id)
    await talk.send('Hello')
    await shows(page, 'an unread message', ({ unread }) => unread === 1)
    await page.evaluate((next) => hooksPage.choose(next), { roomId, conversationId: talk.id })
    await shows(
      page,
      'the message, and the room',
      ({ messages, room }) => messages.includes('Hello') && room === 'Kitchen',
    )
    await page.getByRole('button', { name: 'Answer' }).click()
    await shows(page, 'the answer', ({ messages }) => messages.join() === 'Hello,And hello')

    await (await guestLink({ ...scene, ada: developer, grace }))('Linus')
    await page.getByRole('button', { name: 'Admit Linus' }).click()
    await shows(
      page,
      'the guest, admitted',
      (now) => now.admitted.includes('Linus') && now.waiting.length === 0,
    )

    await shows(page, 'that one has never been in the room', ({ refused }) => refused === 403)
    await page.evaluate((id) => hooksPage.enter(id), roomId)
    await shows(
      page,
      'oneself in the room, and its conversation',
      (now) => now.rooms.includes('Kitchen: 1') && now.roomConversation,
    )
    await page.getByRole('button', { name: 'Write in the room' }).click()
    await shows(
      page,
      'what was said there',
      (now) => now.roomMessages.includes('In here') && now.refused === undefined,
    )
  } finally {
    chat.close()
    live.close()
  }
}

/** Built with React as it is for development: StrictMode does everything twice there. @returns its address */
async function serve({ project, ends }: ExamplesContext): Promise<string> {
  const folder = join(project.folder, 'hooks')
  await mkdir(folder)
  await copyFile(SOURCE, join(folder, 'main.tsx'))
  await writeFile(join(folder, 'index.html'), HTML)
  await writeFile(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "jsx": "react-jsx" } }')
  const vite = join(project.folder, 'node_modules/vite/bin/vite.js')
  const env = { NODE_ENV: 'development' }
  await run(process.execPath, [vite, 'build', '--logLevel', 'error', '--mode', 'development'], {
    cwd: folder,
    env,
  })
  const port = await freePort()
  const preview = [vite, 'preview', folder, '--port', String(port), '--strictPort', '--host', 'localhost']
  start(process.execPath, preview, process.env, ends)
  const address = `http://localhost:${port}`
  await untilAnswers(address)
  return address
}

/** A hook that is added is added here. */
async function namesEveryHook({ project }: ExamplesContext, source: string): Promise<void> {
  const module = join(project.folder, 'node_modules/@atrium/react/dist/index.js')
  const exported = (await readFile(module, 'utf8')).matchAll(/^export function (use\w+)/gm)
  const missing = [...exported].map(([, name = '']) => name).filter((name) => !source.includes(`${name}(`))
  assert.deepEqual(missing, [])
}

/**
 * What the office refuses is shown as an error too, and the media client asks by its newest address first. A last word may
 * cross the office's own end of the connection.
 */
const EXPECTED = /status of (401|403|404)|\/rtc\/v1|already in CLOSING or CLOSED/

/** Warnings of React are errors of the console. */
function listenFor(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

async function shows(page: Page, what: string, is: (now: Shown) => boolean): Promise<void> {
  let last: Shown | undefined
  const find = async () => {
    last = await page.evaluate(() => hooksPage?.shown())
    return last !== undefined && is(last)
  }
  await eventually(what, find, { withinMs: 30_000 }).catch((error: Error) => {
    throw new Error(`${error.message}; at last: ${JSON.stringify(last)}`)
  })
}
