import type { KnownCallers } from '../access/sessions/known-callers.ts'
import type { ConnectionEnder } from '../features/presence/end-connections.ts'
import type { IdentityWork } from './from-configuration/identity-provider.ts'
import type { HandlerNeeds } from './handlers.ts'
import type { OfficeContext, Opening, Part } from './part.ts'
import { openAccess } from './parts/access.ts'
import { openAccounts } from './parts/features/account.ts'
import { openActivity } from './parts/features/activity.ts'
import { openCalendars } from './parts/features/calendar.ts'
import { openChat } from './parts/features/chat.ts'
import { openDirectories } from './parts/features/directories.ts'
import { openExports } from './parts/features/exports.ts'
import { openHealth } from './parts/features/health.ts'
import { openInvitations } from './parts/features/invitations.ts'
import { openKnocks } from './parts/features/knock.ts'
import { openMcp } from './parts/features/mcp.ts'
import { openMediaEvents } from './parts/features/media-events.ts'
import { openPresence } from './parts/features/presence.ts'
import { openPush } from './parts/features/push.ts'
import { openRecordings } from './parts/features/recordings.ts'
import { openReference } from './parts/features/reference.ts'
import { openWeb } from './parts/features/web.ts'
import { openWebhooks } from './parts/features/webhooks.ts'
import { openMetrics } from './parts/metrics.ts'
import { openDatabases } from './parts/platform/databases.ts'
import { openJobs } from './parts/platform/jobs.ts'
import { openNotifications } from './parts/platform/notifications.ts'
import { openReplica } from './parts/platform/replica.ts'
import { openTraces } from './parts/platform/traces.ts'
import { openWork } from './parts/platform/work.ts'
import { openSignIn } from './parts/ports/identity.ts'
import { openMail } from './parts/ports/mail.ts'
import { openMedia } from './parts/ports/media.ts'
import { openRealtime } from './parts/ports/realtime.ts'
import { openUploads } from './parts/ports/uploads.ts'
import { openSandbox } from './parts/sandbox.ts'
import { openKeys } from './parts/upkeep/keys.ts'
import { openPurging } from './parts/upkeep/purging.ts'
import { openRetention } from './parts/upkeep/retention.ts'

export type { OfficeContext } from './part.ts'

/** How each part is opened, in this order. Tests let one of them fail. */
export const openers = {
  traces: openTraces,
  databases: openDatabases,
  notifications: openNotifications,
  replica: openReplica,
  jobs: openJobs,
  work: openWork,
  access: openAccess,
  sandbox: openSandbox,
  mail: openMail,
  realtime: openRealtime,
  presence: openPresence,
  activity: openActivity,
  knocks: openKnocks,
  identity: openSignIn,
  accounts: openAccounts,
  chat: openChat,
  uploads: openUploads,
  calendars: openCalendars,
  invitations: openInvitations,
  media: openMedia,
  recordings: openRecordings,
  metrics: openMetrics,
  mediaEvents: openMediaEvents,
  webhooks: openWebhooks,
  push: openPush,
  exports: openExports,
  directories: openDirectories,
  mcp: openMcp,
  purging: openPurging,
  retention: openRetention,
  keys: openKeys,
  health: openHealth,
  web: openWeb,
  reference: openReference,
}

type Parts = { [Name in keyof typeof openers]: Awaited<ReturnType<(typeof openers)[Name]>> }

/** The open office: its parts, by name, and what serving them shares. One adapter per port, chosen by the configuration. */
export interface Office extends OfficeContext, Parts, AsyncDisposable {
  callers: KnownCallers
  /** What the identity provider is still asked for after an answer has gone out. */
  identityWork: IdentityWork
  connectionEnder: ConnectionEnder
  /** In the order in which they were opened. */
  parts: readonly Part[]
  /** All that handlers need. */
  needs: HandlerNeeds
  /** Begins what runs in the background: once, when the routes are built and before the office listens. */
  start(): void
  /** Stops what runs in the background and closes every connection. */
  close(): Promise<void>
}

/**
 * Opens the parts one after the other, each with those before it. Where one of them fails to open, what was opened is
 * closed again.
 */
export async function openOffice(context: OfficeContext, open: typeof openers = openers): Promise<Office> {
  await using stack = new AsyncDisposableStack()
  const { parts, ...named } = await openParts({ ...context, stack }, open)
  const closing = stack.move()
  const close = () => closing.disposeAsync()
  return {
    ...context,
    ...named,
    callers: named.access.callers,
    identityWork: named.identity.work,
    connectionEnder: named.presence.connectionEnder,
    parts,
    needs: needsOf(context, named),
    start() {
      // jobs last, so that they end first
      const jobsLast = [...parts.filter((part) => part !== named.jobs), named.jobs]
      for (const part of jobsLast) part.start?.(closing)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** What parts are opened with, and those that are open already, in their order. */
interface Building {
  opening: Opening
  open: typeof openers
  parts: Part[]
  add<Opened extends Part>(part: Opened): Opened
}

type Platform = Awaited<ReturnType<typeof openPlatform>>
type People = Awaited<ReturnType<typeof openPeople>>
type Talk = Awaited<ReturnType<typeof openTalk>>

async function openParts(
  opening: Opening,
  open: typeof openers,
): Promise<Parts & { parts: readonly Part[] }> {
  const parts: Part[] = []
  const add: Building['add'] = (part) => {
    parts.push(part)
    return part
  }
  const building: Building = { opening, open, parts, add }
  const platform = await openPlatform(building)
  const people = await openPeople(building, platform)
  const talk = await openTalk(building, { ...platform, ...people })
  const rest = await openRest(building, { ...platform, ...people, ...talk })
  return { parts, ...platform, ...people, ...talk, ...rest }
}

/** What everything stands on, and who may ask for something. */
async function openPlatform({ opening, open, parts, add }: Building) {
  const traces = add(await open.traces(opening))
  const databases = add(open.databases(opening))
  const notifications = add(open.notifications(opening, parts))
  const replica = add(open.replica(opening, { databases, notifications }))
  const jobs = add(open.jobs(opening, parts))
  const work = add(open.work(opening, parts, { databases, notifications }))
  const access = add(await open.access(opening, { databases, notifications }))
  return { traces, databases, notifications, replica, jobs, work, access }
}

/** People: how they sign in, and how they are seen and reached. */
async function openPeople({ opening, open, parts, add }: Building, platform: Platform) {
  const { databases, notifications, access, jobs, work } = platform
  const sandbox = add(await open.sandbox(opening, { databases }))
  const mail = add(open.mail(opening, { databases, work, sandbox }))
  const realtime = add(open.realtime(opening, { notifications, access }))
  const presence = add(open.presence(opening, { databases, notifications, access, realtime, jobs }))
  const activity = add(open.activity(opening, { databases, realtime }))
  const knocks = add(open.knocks(opening, { databases }))
  const identity = add(await open.identity(opening, { databases, access, mail, sandbox }))
  const accounts = add(open.accounts(opening, parts, { databases, identity }))
  return { sandbox, mail, realtime, presence, activity, knocks, identity, accounts }
}

/** How people talk: chat, calendars, rooms and what is recorded of them. */
async function openTalk({ opening, open, parts, add }: Building, given: Platform & People) {
  const { databases, notifications, access, jobs, work, sandbox, realtime, presence, activity } = given
  const chat = add(open.chat(opening, { databases, access, realtime }))
  const uploads = add(await open.uploads(opening, { databases }))
  const calendars = add(open.calendars(opening, { databases, sandbox, presence }))
  const invitations = add(open.invitations(opening, { databases }))
  const media = add(open.media(opening, { databases, sandbox, uploads, activity }))
  const recordings = add(open.recordings(opening, { databases, media, uploads }))
  const metrics = add(await open.metrics(opening, parts, { databases, notifications, work }))
  const mediaEvents = add(open.mediaEvents(opening, { databases, metrics, media, recordings, jobs }))
  return { chat, uploads, calendars, invitations, media, recordings, metrics, mediaEvents }
}

/** Ways out of the office and into it for programs, what keeps it in order, and its pages. */
async function openRest({ opening, open, add }: Building, given: Platform & People & Talk) {
  const { databases, access, mail, realtime, identity, uploads, invitations, media } = given
  const webhooks = add(open.webhooks(opening, { databases, mail }))
  const push = add(await open.push(opening, { databases }))
  const exports = add(open.exports(opening, { databases, uploads, invitations }))
  const mcp = add(open.mcp(opening, { access }))
  const directories = add(open.directories(opening, { databases, access, identity }))
  const purging = add(open.purging(opening, { databases }))
  const retention = add(open.retention(opening, { databases, access }))
  const keys = add(open.keys(opening, { databases }))
  const health = add(open.health(opening, { databases, mail, realtime, uploads, media }))
  const web = add(await open.web(opening))
  const reference = add(open.reference(opening, { web }))
  return { webhooks, push, exports, mcp, directories, purging, retention, keys, health, web, reference }
}

function needsOf({ clock, log }: OfficeContext, parts: Parts): HandlerNeeds {
  return {
    clock,
    log,
    ...parts.databases.needs,
    ...parts.replica.needs,
    ...parts.access.needs,
    ...parts.mail.needs,
    ...parts.realtime.needs,
    ...parts.presence.needs,
    ...parts.activity.needs,
    ...parts.identity.needs,
    ...parts.accounts.needs,
    ...parts.chat.needs,
    ...parts.uploads.needs,
    ...parts.calendars.needs,
    ...parts.invitations.needs,
    ...parts.media.needs,
    ...parts.recordings.needs,
    ...parts.webhooks.needs,
    ...parts.push.needs,
    ...parts.directories.needs,
    ...parts.retention.needs,
    ...parts.reference.needs,
  }
}
