import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import type { Browser, Page } from 'playwright-core'
import { run } from '../commands.ts'
import type { Check } from '../engine.ts'
import { mailedCode } from '../mailbox.ts'
import { type Ends, end, start, untilAnswers } from '../processes.ts'
import { eventually } from '../waiting.ts'
import type { Project } from './project.ts'

export interface ExamplesContext {
  project: Project
  /** Of the office, which takes the front end for its own. */
  url: string
  frontEnd: string
  port: number
  browser: Browser
  /** The Node that the bot runs on. */
  node: string
  ends: Ends
}

const WITHIN_MS = 30_000

/** The examples as their README says, against an office: two people in the front end, and the bot. */
export async function tryExamples(context: ExamplesContext, check: Check): Promise<void> {
  const { url, browser, frontEnd } = context
  let ada: Page | undefined
  let invite = ''
  await check(
    'front end: a newcomer signs in by code, founds an organization, and has a picture',
    async () => {
      await serve(context, 'front-end', context.port)
      ada = await visit(browser, frontEnd)
      await signIn(ada, url, 'ada@examples.example')
      await ada.getByLabel('Name of your organization').fill('Examples')
      await ada.getByRole('button', { name: 'Found it' }).click()
      await ada.locator('#people li', { hasText: 'ada' }).filter({ hasText: ': online' }).waitFor()
      await ada.locator('#invite[href*=invite_token]').waitFor()
      invite = (await ada.locator('#invite').getAttribute('href')) ?? ''
      await ada.locator('#picture').setInputFiles(await wideJpeg(ada))
      await ada.getByText('This is your picture now.').waitFor()
    },
  )
  await check('front end: by the link a second one joins, both see each other and write', async () => {
    assert.ok(ada, 'nobody is there')
    const grace = await visit(browser, invite)
    await signIn(grace, url, 'grace@examples.example')
    await grace.locator('#people li', { hasText: 'ada: online' }).getByRole('button').click()
    await write(grace, 'Lunch?')
    await grace.locator('#chat li.sent', { hasText: 'You: Lunch?' }).waitFor()
    // an office that tells of newcomers shows them by itself; any shows them when the list is read again
    await ada.reload()
    await ada.locator('#people li', { hasText: 'grace: online' }).getByRole('button').click()
    await ada.locator('#chat li', { hasText: 'grace: Lunch?' }).waitFor()
    await write(ada, 'At noon')
    await grace.locator('#chat li', { hasText: 'ada: At noon' }).waitFor()
    await ada.getByLabel('Status').selectOption('busy')
    await grace.locator('#people li', { hasText: 'ada: busy' }).waitFor()
    await grace.getByRole('button', { name: 'Sign out' }).click()
    await grace.getByLabel('E-mail address').waitFor()
  })
  await check('front end: provider A signs in by one call, and one on return', async () => {
    const page = await visit(browser, frontEnd)
    await page.getByRole('button', { name: 'Continue with provider A' }).click()
    await page.waitForURL('**/login/**')
    await page.getByLabel('E-mail address').fill('edsger@examples.example')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Name of your organization').waitFor()
    assert.equal(new URL(page.url()).search, '')
  })
  await check('bot: comes in by the link and answers what is written to it', async () => {
    assert.ok(ada, 'nobody is there')
    await startBot(context, invite)
    await ada.reload()
    await ada.locator('#people li', { hasText: 'bot: online' }).getByRole('button').click()
    await write(ada, 'Hello')
    await ada.locator('#chat li', { hasText: 'bot: You said: Hello' }).waitFor()
  })
  await check('React: the same person in a front end with the hooks, asking the bot', async () => {
    // any port of this machine is an origin of an office in development
    const page = await visit(browser, await serve(context, 'react', await freePort()))
    await signIn(page, url, 'ada@examples.example')
    await page.getByText('You are ada').waitFor()
    await page.locator('li', { hasText: 'bot: online' }).getByRole('button').click()
    await page.locator('li', { hasText: 'You said: Hello' }).waitFor()
    await write(page, 'Again')
    await page.locator('li', { hasText: 'You said: Again' }).waitFor()
    await page.getByLabel('New room').fill('Kitchen')
    await page.getByRole('button', { name: 'Make it' }).click()
    const kitchen = page.locator('li', { hasText: 'Kitchen: nobody' })
    await kitchen.getByRole('button', { name: 'Enter' }).click()
    await page.locator('li', { hasText: 'Kitchen: ada' }).getByRole('button', { name: 'Leave' }).click()
    await kitchen.getByRole('button', { name: 'Enter' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail address').waitFor()
  })
}

/** Built and served as one would publish it. @returns its address */
async function serve({ project, url, ends }: ExamplesContext, name: string, port: number): Promise<string> {
  const vite = join(project.folder, 'node_modules/vite/bin/vite.js')
  const folder = join(project.folder, name)
  await run(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: folder,
    env: { VITE_OFFICE: url },
  })
  const preview = [vite, 'preview', folder, '--port', String(port), '--strictPort', '--host', 'localhost']
  start(process.execPath, preview, process.env, ends)
  const address = `http://localhost:${port}`
  await untilAnswers(address)
  return address
}

async function startBot({ project, url, node, ends }: ExamplesContext, invite: string): Promise<void> {
  const email = 'bot@examples.example'
  const bot = spawn(node, [join(project.folder, 'bot/bot.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, OFFICE: url, BOT_EMAIL: email, BOT_INVITE_LINK: invite },
  })
  ends.push(() => end(bot))
  let said = ''
  bot.stdout.on('data', (chunk) => (said += String(chunk)))
  const says = (text: string) => eventually(`the bot says "${text}"`, () => said.includes(text))
  await says('Code:')
  bot.stdin.write(`${await mailedCode(url, email)}\n`)
  await says('connected')
}

async function signIn(page: Page, url: string, email: string): Promise<void> {
  const before = await codesFor(url, email)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  // who has signed in before has an older one, which works no more
  await eventually('another code', async () => (await codesFor(url, email)) > before)
  await page.getByLabel('Code').fill(await mailedCode(url, email))
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

async function codesFor(url: string, email: string): Promise<number> {
  const headers = { accept: 'application/json' }
  const inbox = await fetch(`${url}/sandbox/mail?to=${encodeURIComponent(email)}`, { headers })
  return ((await inbox.json()) as { code?: string }[]).filter((mail) => mail.code).length
}

async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
}

async function visit(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(WITHIN_MS)
  await page.goto(address)
  return page
}

/** As a camera makes them: neither square nor small. */
async function wideJpeg(page: Page): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const text = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 3_000, height: 2_000 })
    canvas.getContext('2d')?.fillRect(0, 0, 1_500, 2_000)
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
  })
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(text, 'base64') }
}
