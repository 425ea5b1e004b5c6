import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { openFreshOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { inviteTokenOf, newPerson } from './people.ts'
import { enterRoom, expectPictures, expectSound } from './room-media.ts'
import { newVisitor, type Visitor, type WebOffice } from './visitor.ts'

/** Told apart from the media servers of other offices by this: how many cameras it takes. */
const CAMERAS = 7
/** How long the process gets no processor; `STARVE_SECONDS=5,20,40` for more. */
const STARVED = (process.env.STARVE_SECONDS ?? '5,14').split(',').map(Number)

/** The process that carries sound and pictures stands still, as on a machine that sleeps or is full. */
export async function tryStarving(office: WebOffice, check: Check): Promise<void> {
  const ends: Ends = []
  try {
    const url = await openFreshOffice(
      { EMBEDDED_MEDIA_CAMERAS: String(CAMERAS), RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0' },
      ends,
    )
    const own = { ...office, url }
    const visitors = [await newVisitor(own), await newVisitor(own)] as const
    for (const { context } of visitors) ends.push(() => context.close())
    await meet(own, visitors)
    for (const seconds of STARVED)
      await check(`starving: after ${seconds} s without a processor both see and hear each other again`, () =>
        starve(visitors, seconds),
      )
  } finally {
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }
}

async function meet(office: WebOffice, [atAda, atGrace]: readonly [Visitor, Visitor]): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Hunger' })
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
  const { room } = await ada.client.call('createRoom', { name: 'Larder' })
  await ada.enter(atAda)
  await grace.enter(atGrace)
  for (const { page } of [atAda, atGrace]) {
    await page.goto(`/room/${room.id}`)
    await enterRoom(page)
  }
  await seeAndHear(atAda.page, atGrace.page)
}

async function seeAndHear(adas: Page, graces: Page): Promise<void> {
  await expectPictures(adas, 'Grace Hopper')
  await expectPictures(graces, 'Ada Lovelace')
  await expectSound(adas)
  await expectSound(graces)
}

async function starve([atAda, atGrace]: readonly [Visitor, Visitor], seconds: number): Promise<void> {
  const pid = await mediaProcess()
  process.kill(pid, 'SIGSTOP')
  try {
    await pause(seconds * 1_000)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await seeAndHear(atAda.page, atGrace.page)
  assert.equal(await mediaProcess(), pid)
}

async function mediaProcess(): Promise<number> {
  const found: number[] = []
  for (const name of (await readdir('/proc')).filter((one) => /^\d+$/.test(one))) {
    const words = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split('\0')
    const limits = words.some((word) => word.includes(`"cameras":${CAMERAS}`))
    if (limits && words.some((word) => word.endsWith('media-process.ts'))) found.push(Number(name))
  }
  assert.equal(found.length, 1, 'one media server has so many cameras')
  return found[0] as number
}
