import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { eventually } from '../waiting.ts'

const FOLDER = fileURLToPath(new URL('expected', import.meta.url))
/** Writes what is shown in place of comparing it: look at the difference before it is kept. */
const isWriting = process.env.WRITE_EXPECTED === '1'
const PATIENCE = { withinMs: 15_000, everyMs: 250 }

/** What is another one each time, and what stands for it. */
const MASKS: readonly [pattern: RegExp, instead: string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '(uuid)'],
  [/\b(org|user|invitation|link|session)_[\w-]+/g, '$1_(id)'],
  [/https?:\/\/localhost:\d+/g, '(office)'],
  [/(token=)[\w.~-]+/g, '$1(token)'],
  [/\/chat\/\d+/g, '/chat/(id)'],
  [/-\d+@people\.example/g, '-(number)@people.example'],
  // before the dates: what stands beside one may begin like a month
  [/\b(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)\b/g, '(address)'],
  [/\b\d{1,2}:\d{2}( ?[ap]m)?/gi, '(time)'],
  [/\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b( \d{4})?/g, '(date)'],
  [/\bGood (morning|afternoon|evening)\b/g, 'Good (part of day)'],
  [/\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b,?/g, '(day)'],
  [/(user|member) \d+/g, '$1 (id)'],
  [/code: "\d+"/g, 'code: (id)'],
]

/** The page says what the file of this name has, as a screen reader goes through it. */
export async function expectText(page: Page, name: string): Promise<void> {
  const file = `${FOLDER}/${name}.txt`
  if (isWriting) return await writeFile(file, await settledText(page))
  const expected = await readFile(file, 'utf8')
  const isAsExpected = async () => (await textOf(page)) === expected
  await eventually(name, isAsExpected, PATIENCE).catch(() => {})
  assert.equal(await textOf(page), expected)
}

/** What the page says, without what is another one each time. */
export async function textOf(page: Page): Promise<string> {
  const said = await page.locator('body').ariaSnapshot()
  return `${MASKS.reduce((text, [pattern, instead]) => text.replace(pattern, instead), said)}\n`
}

/** The same after a while: what is read late has come. */
async function settledText(page: Page): Promise<string> {
  let before = ''
  let same = 0
  return await eventually(
    'the page stays as it is',
    async () => {
      const now = await textOf(page)
      same = now === before ? same + 1 : 0
      before = now
      return same >= 6 && now
    },
    PATIENCE,
  )
}
