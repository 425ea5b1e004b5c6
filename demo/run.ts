import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import { readCommandLine } from '../scripts/command-line.ts'
import { CAST, LINES, ROOMS } from './cast.ts'
import { type Colleague, signUp } from './colleague.ts'
import { perform, type Stage, tellActivity } from './perform.ts'
import { emptyScene, nextAct, seeded } from './story.ts'
import { receiveVisitors } from './visitors.ts'

const USAGE = `npm run demo [-- --port 3000] [--seed 7] [--people 40] [--pace 1200] [--minutes 0]

The whole product on a database of its own, with colleagues in it who come, meet, share, knock, write and leave. Ends
with Ctrl C, and leaves nothing behind. Not for production: it signs people up by the mailbox of development.
  --port     where the office answers
  --seed     another day; the same seed is the same day
  --people   how many colleagues there are, 2 to 40
  --pace     milliseconds from one thing that happens to the next
  --minutes  ends after so long; 0: goes on`

const ENTRY = fileURLToPath(new URL('../server/bin/atrium.js', import.meta.url))
const ACTIVITY_EVERY_MS = 5_000
const VISITORS_EVERY_MS = 1_000
const FIRST_ACTS = 120
const TOLD_EVERY_MS = 60_000
/** Of the times of /proc. */
const TICKS_PER_SECOND = 100

const { values } = readCommandLine({
  usage: USAGE,
  options: {
    port: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '7' },
    people: { type: 'string', default: '40' },
    pace: { type: 'string', default: '1200' },
    minutes: { type: 'string', default: '0' },
  },
})
const url = `http://localhost:${values.port}`
const folder = await mkdtemp(join(tmpdir(), 'atrium-demo-'))
// started by root, the embedded database runs as another user, who must be able to get there
await chmod(folder, 0o755)
const office = spawn(process.execPath, ['--no-warnings', ENTRY, 'serve'], {
  // it ends with this process, however that ends
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  env: {
    // it fills itself in the same seconds in which everything starts
    DATABASE_WAIT_MS: '30000',
    ...process.env,
    ...{ ATRIUM_ENV: 'development', PORT: values.port, DATA_DIR: folder, DATABASE_URL: '' },
    // forty people at one address
    ...{ RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0', ORGANIZATIONS_PER_USER: '0' },
    // those of the colleagues, and of who looks on with a friend
    EMBEDDED_MEDIA_CAMERAS: '8',
  },
})
let isOver = false
let before = { at: performance.now(), office: 0, colleagues: process.cpuUsage() }
const gone = new Promise<void>((resolve) => office.once('exit', () => resolve()))

async function end(status = 0): Promise<void> {
  if (isOver) return
  isOver = true
  office.kill('SIGTERM')
  await gone
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  process.exit(status)
}
process.once('SIGINT', () => void end())
process.once('SIGTERM', () => void end())
// it has said why
void gone.then(() => end(1))

const random = seeded(Number(values.seed))
try {
  await untilReady()
  await live(await furnish())
} catch (error) {
  complain(error)
  await end(1)
}

/** Signs everybody up, and makes the organization with its rooms. */
async function furnish(): Promise<Stage> {
  const people = CAST.slice(0, Math.min(CAST.length, Math.max(2, Number(values.people))))
  const colleagues: Colleague[] = []
  for (const role of people) colleagues.push(await signUp(url, role))
  const developer = await signInAsDeveloper()
  const rooms: { id: string }[] = []
  for (const room of ROOMS) rooms.push((await developer.call('createRoom', room)).room)
  const { inviteLink } = await developer.call('getInviteLink')
  const inviteToken = new URL(inviteLink).searchParams.get('invite_token') ?? ''
  for (const { client } of colleagues) await client.call('joinOrganization', { inviteToken })
  for (const [index, { id }] of colleagues.entries()) {
    const role = people[index]?.role ?? 'member'
    if (role !== 'member') await developer.call('updateMember', { id, role })
  }
  return { url, colleagues, rooms }
}

/** The one who looks at the office, and who has founded it. */
async function signInAsDeveloper(): Promise<AtriumClient> {
  const client = createAtriumClient({ baseUrl: url, cookies: createCookieJar() })
  await client.call('devSignIn')
  const { currentOrganizationId: organizationId } = await client.call('getCurrentUser')
  const name = 'Analytical Engines'
  if (organizationId === '') await client.call('createOrganization', { name })
  else await client.call('updateOrganization', { organizationId, name })
  return client
}

/** Goes through the day, until it is ended. */
async function live(stage: Stage): Promise<void> {
  console.log(`${stage.colleagues.length} colleagues are in at ${url}`)
  console.log(`Look at them: open ${url} and press "Continue as the developer": you are one of them.`)
  const scene = emptyScene()
  const cast = { people: stage.colleagues.length, rooms: ROOMS, lines: LINES.length }
  const step = () => perform(stage, nextAct(scene, cast, random))
  for (let act = 0; act < FIRST_ACTS; act += 1) await step()
  const timers = [
    setInterval(() => void step().catch(complain), Number(values.pace)),
    setInterval(() => void receiveVisitors(stage).catch(complain), VISITORS_EVERY_MS),
    setInterval(() => void tellActivity(stage, random).catch(complain), ACTIVITY_EVERY_MS),
    setInterval(() => void tellCost().catch(complain), TOLD_EVERY_MS),
  ]
  await tellActivity(stage, random)
  if (Number(values.minutes) > 0) {
    await new Promise((resolve) => setTimeout(resolve, Number(values.minutes) * 60_000))
    await tellCost()
    for (const timer of timers) clearInterval(timer)
    await end()
  }
}

function complain(error: unknown): void {
  if (!isOver) console.error(error)
}

/** How much processor it takes: the office, and the colleagues beside it. */
async function tellCost(): Promise<void> {
  const now = performance.now()
  const seconds = (now - before.at) / 1_000
  const officeSeconds = (await cpuSecondsOf(office.pid ?? 0)) + (await cpuSecondsOf(await mediaProcess()))
  const own = process.cpuUsage(before.colleagues)
  const share = (spent: number) => (spent / seconds).toFixed(2)
  const ofColleagues = (own.user + own.system) / 1_000_000
  console.log(
    `The office takes ${share(officeSeconds - before.office)} of a core, the colleagues ${share(ofColleagues)}.`,
  )
  before = { at: now, office: officeSeconds, colleagues: process.cpuUsage() }
}

/** The one of the office that carries sound and pictures. */
async function mediaProcess(): Promise<number> {
  const answer = await fetch(`${url}/sandbox/media`, { headers: { accept: 'application/json' } })
  return ((await answer.json()) as { mediaProcess?: number }).mediaProcess ?? 0
}

/** Of one process, where the system says it (Linux); else 0. */
async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / TICKS_PER_SECOND
}

async function untilReady(): Promise<void> {
  const isReady = () =>
    fetch(`${url}/health/ready`)
      .then(({ ok }) => ok)
      .catch(() => false)
  while (!(await isReady())) {
    if (isOver) throw new Error('the office has ended: see above')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
