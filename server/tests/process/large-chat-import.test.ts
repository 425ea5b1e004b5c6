import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { IS_LARGE } from './large.ts'
import { openProcessHarness, signUpAt } from './office-process.ts'

const harness = openProcessHarness()
afterEach(() => harness.clear())

const DAYS = 100
const MESSAGES = IS_LARGE ? 100_000 : 5_000
/** More text than a process may hold that has so little memory; on each commit as long messages, and fewer. */
const TEXT_MIB = IS_LARGE ? 290 : 14
const LITTLE_MEMORY = { NODE_OPTIONS: '--max-old-space-size=96' }
const FIRST_DAY_MS = Date.UTC(2025, 0, 1)

/** A workspace of one channel: each tenth message answers the one before it, or gets a reaction. */
async function writeExport(folder: string, email: string): Promise<void> {
  await mkdir(join(folder, 'everything'), { recursive: true })
  await writeFile(join(folder, 'users.json'), JSON.stringify([{ id: 'U1', name: 'ada', profile: { email } }]))
  const channel = { id: 'C1', name: 'everything', members: ['U1'] }
  await writeFile(join(folder, 'channels.json'), JSON.stringify([channel]))
  let bytes = 0
  for (let day = 0; day < DAYS; day += 1) {
    const from = FIRST_DAY_MS / 1_000 + day * 86_400
    const messages = Array.from({ length: MESSAGES / DAYS }, (_, n) => ({
      type: 'message',
      user: n % 3 === 0 ? 'U1' : 'U2',
      ts: `${from + n}.000100`,
      text: `Message ${n} of day ${day}, <@U1>. ${'lorem ipsum dolor '.repeat(180)}`,
      ...(n % 10 === 1 && { thread_ts: `${from + n - 1}.000100` }),
      ...(n % 10 === 2 && { reactions: [{ name: 'tada', users: ['U1'] }] }),
    }))
    const text = JSON.stringify(messages)
    bytes += text.length
    const name = new Date(from * 1_000).toISOString().slice(0, 10)
    await writeFile(join(folder, 'everything', `${name}.json`), text)
  }
  expect(bytes).toBeGreaterThan(TEXT_MIB * 1024 * 1024)
}

it(`imports ${MESSAGES} messages with little memory beside an open office, and goes on where it was killed`, async () => {
  const settings = { DATA_DIR: await harness.folder() }
  const office = await harness.serve({ settings })
  const founder = await signUpAt(office.url)
  const { id } = await founder.browser.call('createOrganization', { name: 'Large' })
  const path = await harness.folder()
  await writeExport(path, founder.email)
  const run = (...more: string[]) =>
    harness.run(['chat', 'import', id, path, ...more], { settings: { ...settings, ...LITTLE_MEMORY } })

  const found = async () =>
    (await founder.browser.call('listConversations')).conversations.find(
      ({ title }) => title === 'everything',
    )
  const first = run()
  await expect.poll(async () => (await found()) !== undefined).toBe(true)
  first.kill('SIGKILL')
  await first.ended

  const second = run()
  expect(await second.ended, second.stderr()).toEqual({ code: 0, signal: null })
  const [, written, there] = /Imported (\d+) messages of 1 conversations; (\d+) were here/.exec(
    second.stdout(),
  ) ?? ['', '', '']
  expect(Number(written) + Number(there)).toBe(MESSAGES)
  expect(Number(there)).toBeGreaterThan(0)

  const third = run('--dry-run')
  expect(await third.ended, third.stderr()).toEqual({ code: 0, signal: null })
  expect(third.stdout()).toContain(
    `Would import 0 messages of 0 conversations; ${MESSAGES} were here already`,
  )

  const conversation = await found()
  expect(conversation).toMatchObject({ unread: 0, mentioned: 0 })
  const page = await founder.browser.call('listMessages', {
    conversationId: conversation?.conversationId ?? 0,
    limit: 10,
  })
  expect(page.messages.map(({ content }) => /^Message (\d+) of day 99/.exec(content)?.[1])).toEqual(
    Array.from({ length: 10 }, (_, n) => String(MESSAGES / DAYS - 10 + n)),
  )
  const [root, reply, reacted] = page.messages
  expect(reply?.parent_message_id).toBe(root?.message_id)
  expect(root?.reply_count).toBe(1)
  expect(reacted?.reactions).toMatchObject([{ emoji: '🎉', count: 1 }])
  await office.stop()
})
