import { copyFile, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * `npx node scripts/keep-screenshots.ts`: the browser engine has just taken pictures of every screen; the best of them go into the
 * documents. The others stay in `.engines/web`; those of README are of the demo (`engines/film/film.ts`).
 */

const ROOT = join(import.meta.dirname, '..')
const KEPT: Readonly<Record<string, string>> = {
  'sign-in.png': 'sign-in.png',
  'sign-in-phone.png': 'sign-in-phone-dark-german.png',
  'floor-phone.png': 'floor-phone.png',
  'guest-waiting.png': 'guest-waiting.png',
  'chat.png': 'chat.png',
  'chat-phone.png': 'chat-phone.png',
  'calendar-week.png': 'calendar.png',
  'members.png': 'members.png',
  'settings.png': 'settings.png',
  'settings-phone.png': 'settings-phone-dark-german.png',
  'administration.png': 'administration.png',
}
const TAKEN_WITHIN_MS = 60 * 60 * 1_000

const target = join(ROOT, 'docs/screenshots')
await mkdir(target, { recursive: true })
for (const [from, to] of Object.entries(KEPT)) {
  const path = join(ROOT, '.engines/web', from)
  const { mtimeMs } = await stat(path)
  if (Date.now() - mtimeMs > TAKEN_WITHIN_MS) throw new Error(`${path} is of an earlier run`)
  await copyFile(path, join(target, to))
}
console.log(`docs/screenshots has ${Object.keys(KEPT).length} pictures`)
