import { createAtriumClient, createCookieJar } from '@atrium/client'
import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { freshEmail } from '../office.ts'
import { BROKER_THAT_IS_AWAY } from '../process/kill-two-nodes.ts'
import { type OfficeProcess, signUpAt } from '../process/office-process.ts'
import { until } from '../until.ts'
import { tellFigures } from './figures.ts'
import { openNodesHarness } from './nodes.ts'
import { ask } from './requests.ts'

const SHIFTED = new URL('fixtures/shifted-clock.mjs', import.meta.url).href

const harness = openNodesHarness()

/** Asks for a code at one node, and hands it in at another. */
async function signInOver(email: string, one: OfficeProcess, other: OfficeProcess): Promise<void> {
  const mailsBefore = (await mailsAt(one, email)).length
  await createAtriumClient({ baseUrl: one.url, cookies: createCookieJar() }).call('signIn', { email })
  await until(async () => (await mailsAt(one, email)).length > mailsBefore)
  const [mail] = await mailsAt(one, email)
  const there = createAtriumClient({ baseUrl: other.url, cookies: createCookieJar() })
  await there.call('finalizeMagicAuth', { email, code: mail?.code ?? '' })
}

/** The newest first; those of both nodes, which share the data folder. */
async function mailsAt({ url }: OfficeProcess, email: string): Promise<{ code: string }[]> {
  const inbox = await fetch(`${url}/sandbox/mail?to=${email}`, { headers: { accept: 'application/json' } })
  return (await inbox.json()) as { code: string }[]
}

describe('a node with another clock than those of the other node and of the database', () => {
  it.each([-300, -30, 30, 300])(
    'by %d s serves people of both, errs nowhere, and is named by the doctor',
    async (skew) => {
      const settings = {
        ...BROKER_THAT_IS_AWAY,
        DATABASE_URL: harness.database.connectionString,
        DATA_DIR: await harness.folder(),
      }
      const shifted = {
        ...settings,
        NODE_OPTIONS: `--import=${SHIFTED}`,
        CLOCK_OFFSET_SECONDS: String(skew),
      }
      const right = await harness.serve({ settings })
      const wrong = await harness.serve({ settings: shifted })
      const nodes = [right, wrong]
      const people = [await signUpAt(right.url, freshEmail()), await signUpAt(wrong.url, freshEmail())]
      const lifetimes: number[] = []
      for (const { email, browser, cookie } of people) {
        await browser.call('createOrganization', { name: 'Clocks' })
        for (const node of nodes) {
          const question = { body: {}, cookie: cookie() }
          for (const path of ['/user/get', '/api/v1/organizations/list', '/members/list'])
            expect([path, (await ask(node.url, { path, ...question })).status]).toEqual([path, 200])
        }
        const { token } = await browser.call('mintConnectionToken')
        const { exp = 0 } = decodeJwt(token)
        lifetimes.push(exp - Date.now() / 1_000)
        await signInOver(email, right, wrong)
        await signInOver(email, wrong, right)
      }
      const [usual = 0, skewed = 0] = lifetimes
      for (const node of nodes) {
        expect(node.hasEnded()).toBe(false)
        expect(node.stdout()).not.toContain('request failed')
        await until(async () => (await ask(node.url, { path: '/health/ready' })).status === 200)
      }
      const doctor = harness.run(['doctor'], { settings: shifted })
      await doctor.ended
      expect(doctor.stdout() + doctor.stderr()).toMatch(/✗ clock: .* (ahead of|behind) that of the database/)
      // the clock of the database decides, at whichever node it was signed
      expect(Math.abs(skewed - usual)).toBeLessThan(30)
      expect(wrong.stdout() + wrong.stderr()).toContain('the clock of this machine is away from that of the')
      figures[`tokenLivesLonger${skew < 0 ? 'Behind' : 'Ahead'}${Math.abs(skew)}Seconds`] = skewed - usual
    },
  )
})

const figures: Record<string, number> = {}
afterEach((context) => tellFigures(context, figures))
