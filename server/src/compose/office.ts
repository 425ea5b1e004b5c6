import { type Budgets, makeBudgets } from '../access/budgets.ts'
import { type EndedAccess, endedAccessJob, rememberEndedAccess } from '../access/ended-access.ts'
import { purgeEndings } from '../access/ended-access-store.ts'
import { type KnownCallers, rememberCallers } from '../access/known-callers.ts'
import { purgeSessions } from '../access/session-store.ts'
import { type SignInRefusals, watchSignInRefusals } from '../access/sign-in-refusals.ts'
import { purgeCodes } from '../adapters/local-identity/code-store.ts'
import { smtpMail } from '../adapters/smtp/smtp-mail.ts'
import type { Config, MediaConfig } from '../configuration/config.ts'
import { chatSettings } from '../features/chat/statements.ts'
import { INVITATION_KEYS } from '../features/invitations/tokens.ts'
import type { ConnectionEnder } from '../features/presence/end-connections.ts'
import { presenceOf } from '../features/presence/reads.ts'
import { purgeCodeRequests } from '../features/sign-in/code/code-requests.ts'
import { purgeRedirectSignIns } from '../features/sign-in/federated/redirect-store.ts'
import { purgePendingSignUps } from '../features/sign-in/sign-up/sign-up-store.ts'
import { purgePendingSignIns } from '../features/sign-in/switching/store.ts'
import { type Job, type Jobs, startJobs } from '../platform/background/jobs.ts'
import { listenForNotifications, type Notifications } from '../platform/background/notifications.ts'
import { type Clock, secondsAfter, systemClock } from '../platform/clock.ts'
import { sharesOf } from '../platform/database/connection-shares.ts'
import { type Db, openDatabase, openPool, type Pool } from '../platform/database/database.ts'
import type { Server } from '../platform/http/server.ts'
import type { Log } from '../platform/log.ts'
import { type MailDelivery, startMailDelivery } from '../platform/mail/mail-delivery.ts'
import { purgeRateLimits } from '../platform/rate-limit.ts'
import { makeKeyRing } from '../platform/secrets/sealed-column.ts'
import { deriveKey } from '../platform/secrets/secret.ts'
import type { MailPort } from '../ports/mail.ts'
import type { ObjectStoragePort } from '../ports/object-storage.ts'
import { openCalendars } from './calendar.ts'
import { type Chat, composeChat } from './chat.ts'
import type { HandlerNeeds } from './handlers.ts'
import { type IdentityWork, identityJobs, offerSingleSignOn, openIdentity } from './identity.ts'
import { composeMedia, type Media } from './media.ts'
import { type MediaEvents, mediaListeners, openMediaEvents } from './media-events.ts'
import { composePresence } from './presence.ts'
import { openRealtime, type Realtime } from './realtime.ts'
import { composeRecordings, type Recordings } from './recordings.ts'
import { openUploads, type Uploads } from './uploads.ts'

/** What the office is built from: given by `main.ts`, or by a test. */
export interface Ground {
  config: Config
  log: Log
  clock: Clock
  /** Of a database whose schema is up to date. */
  connectionString: string
}

/** The open office: everything that serving and the jobs share. One adapter per port, chosen by the configuration. */
export interface Office extends Ground {
  pool: Pool
  notifications: Notifications
  callers: KnownCallers
  endedAccess: EndedAccess
  connectionEnder: ConnectionEnder
  budgets: Budgets
  signInRefusals: SignInRefusals
  identityWork: IdentityWork
  mail: MailPort
  mailDelivery: MailDelivery
  jobs: Jobs
  realtime: Realtime
  mediaEvents: MediaEvents
  uploads: Uploads
  media: Media
  recordings: Recordings
  chat: Chat
  /** Adds the pages of the stand-ins, where there are any. */
  serveSandbox: ((server: Server) => void) | undefined
  /** All that handlers need. */
  needs: HandlerNeeds
  /** Stops what runs in the background and closes every connection. */
  close(): Promise<void>
}

/** A statement of a request ends so much before the request would give up: the server ends it, and says so. */
const STATEMENT_ENDS_BEFORE_MS = 200
const BACKGROUND_STATEMENT_MS = 60_000
const BACKGROUND_CONNECTIONS = 2
const HOUR_MS = 60 * 60 * 1_000
const DAY_SECONDS = 24 * 60 * 60

export async function openOffice(ground: Ground): Promise<Office> {
  const { config, log, clock, connectionString } = ground
  const forRequests = {
    connectionString,
    statementTimeoutMs: config.databaseWaitMs - STATEMENT_ENDS_BEFORE_MS,
    acquireWithinMs: config.databaseWaitMs,
    settings: chatSettings(config.avatarPublicBaseUrl),
    onIdleError: (error: Error) => log.warn({ err: error }, 'the database closed or refused a connection'),
  }
  const pool = openPool({
    ...forRequests,
    maxConnections: config.databasePoolSize,
    shares: sharesOf(config.databasePoolSize),
  })
  const background = openPool({
    connectionString,
    maxConnections: BACKGROUND_CONNECTIONS,
    shares: sharesOf(BACKGROUND_CONNECTIONS),
    statementTimeoutMs: BACKGROUND_STATEMENT_MS,
    onIdleError: (error) => log.warn({ err: error }, 'the database closed a background connection'),
  })
  const db = openDatabase(pool)
  const backgroundDb = openDatabase(background)

  const sandbox = await loadSandbox(config, backgroundDb, clock)
  const smtp = config.smtpUrl && smtpMail({ url: config.smtpUrl, from: config.mailFrom })
  const mail = smtp ?? sandbox?.mail
  if (!mail) throw new Error('Production sends its mails through a mail server: set SMTP_URL')

  const forgetAll = () => {
    callers.forgetAll()
    presence.needs.presenceMirror.forgetAll()
    void endedAccess.refresh().catch(() => {})
  }
  const notifications = listenForNotifications({ connectionString, log, onGap: forgetAll })
  const callers = rememberCallers({ db, clock, log, isNotified: notifications.isLive })
  notifications.on('access_changed', callers.forget)
  const endedAccess = rememberEndedAccess(db)
  notifications.on('access_ended', endedAccess.hear)
  const presence = composePresence({ config, db, clock, log, notifications })

  const previousSecrets = config.previousSecretKey ? [config.previousSecretKey] : []
  const mailRing = makeKeyRing('mail-queue', config.secretKey, previousSecrets)
  const mailDelivery = startMailDelivery({
    db: backgroundDb,
    ring: mailRing,
    mail,
    clock,
    log,
    notifications,
  })

  const realtime = openRealtime({ config, log, clock, connectionString, notifications, endedAccess })

  const standIns = sandbox?.issuers
  const { identity, work } = openIdentity({ config, db, clock, log, mailRing, standIns })
  if (sandbox && !config.workos)
    await offerSingleSignOn(
      { config, db: backgroundDb, clock, log },
      { ...sandbox.singleSignOn, registration: sandbox.issuers.registrations.sso },
    )
  const chat = composeChat({ config, connections: forRequests, clock, endedAccess })
  const uploads = await openUploads({ config, clock, log, db: backgroundDb })
  const standInMedia = config.media?.sandbox
    ? sandbox?.openMedia({ config: config.media, log, storage: uploads.storage })
    : undefined
  const calendars = openCalendars({ config, db: backgroundDb, clock }, sandbox?.calendars)
  const presenceNeeds = { db: backgroundDb, clock, log, broker: realtime.broker }
  const media = composeMedia({ config, clock, log, db: backgroundDb, standIn: standInMedia })
  const recordings = composeRecordings({
    ...{ config, clock, log, db: backgroundDb, media: media.needs.media },
    ...{ storage: uploads.storage, downloadGate: uploads.downloadGate },
  })
  const mediaEvents = await openMediaEvents({
    ...ground,
    notifications,
    media: config.media && media.needs.media,
    listeners: {
      ...mediaListeners({ db: backgroundDb, clock, log, media: media.needs.media }),
      onRecordingEvent: recordings.onRecordingEvent,
    },
  })
  let isLeader = () => false
  const endConnections = presence.endConnections(
    { ...presenceNeeds, isOurs: () => realtime.holdsConnections?.() ?? isLeader() },
    endedAccess,
  )
  const jobs = startJobs({
    connectionString,
    jobs: [
      ...identityJobs({ config, db: backgroundDb, clock, log, callers, identity }),
      ...purgeJobs(backgroundDb, background, clock),
      ...presence.jobs(presenceNeeds),
      endedAccessJob(endedAccess),
      endConnections.job,
      ...uploads.jobs,
      ...mediaEvents.jobs,
      ...media.jobs,
      ...recordings.jobs,
      ...calendars.jobs,
    ],
    log,
  })
  isLeader = jobs.isLeader
  mediaEvents.attend(jobs)

  const knownBrowserKey = deriveKey(config.secretKey, 'known-browsers')
  const signInRefusals = watchSignInRefusals({ db: backgroundDb, clock, log })
  const budgets = makeBudgets({ pool, log, clock, sizes: config.limits, knownBrowserKey })
  return {
    ...ground,
    pool,
    notifications,
    callers,
    endedAccess,
    connectionEnder: endConnections.ender,
    budgets,
    signInRefusals,
    mail,
    identityWork: work,
    mailDelivery,
    jobs,
    realtime,
    mediaEvents,
    uploads,
    media,
    recordings,
    chat,
    serveSandbox:
      sandbox &&
      ((server) => {
        sandbox.serveMailbox(server, { db: backgroundDb, deliverNow: () => mailDelivery.drain() })
        sandbox.issuers.serve(server)
        standInMedia?.serve(server)
        sandbox.serveCalendars(server)
      }),
    needs: {
      db,
      clock,
      callers,
      identity,
      budgets,
      knownBrowserKey,
      choiceRing: makeKeyRing('pending-sign-in', config.secretKey, previousSecrets),
      signUpRing: makeKeyRing('pending-sign-up', config.secretKey, previousSecrets),
      redirectRing: makeKeyRing('redirect-sign-in', config.secretKey, previousSecrets),
      log,
      mailRing,
      invitationRing: makeKeyRing(INVITATION_KEYS, config.secretKey, previousSecrets),
      presenceOf,
      imageBaseUrl: config.avatarPublicBaseUrl,
      baseUrl: config.baseUrl,
      frontendUrl: config.frontendUrl,
      invitationsPerEmail: config.limits.invitationsPerEmail,
      calendarEnabled: config.calendarEnabled,
      avatarUploadTries: config.avatarUploadTries,
      connectionTokens: realtime.connectionTokens,
      chatTokens: chat.tokens,
      ...presence.needs,
      logoUploadTries: config.logoUploadTries,
      guestsWaitingPerInvite: config.guestsWaitingPerInvite,
      storage: uploads.storage,
      imageCheck: uploads.imageCheck,
      ...media.needs,
      ...recordings.needs,
      ...calendars.needs,
    },
    async close() {
      await jobs.stop()
      await work.stop()
      await mediaEvents.close()
      standInMedia?.close()
      await realtime.close()
      await mailDelivery.stop()
      await uploads.close()
      smtp?.close()
      await notifications.close()
      await callers.settle()
      await endConnections.ender.settle()
      await signInRefusals.settle()
      await presence.needs.presenceMirror.settle()
      await Promise.all([db.destroy(), backgroundDb.destroy(), chat.close()])
    },
  }
}

/** Stand-ins for outside vendors: never loaded in production. */
async function loadSandbox(config: Config, db: Db, clock: Clock) {
  if (config.environment === 'production') return undefined
  const [{ sandboxMail }, { serveMailbox }, issuing, calendars, { sandboxMedia }] = await Promise.all([
    import('../sandbox/mailbox/sandbox-mail.ts'),
    import('../sandbox/mailbox/routes.ts'),
    import('../sandbox/issuer/sandbox-issuers.ts'),
    import('../sandbox/calendar/routes.ts'),
    import('../sandbox/media/sandbox-media.ts'),
  ])
  const issuers = issuing.sandboxIssuers(config)
  const { baseUrl } = config
  return {
    mail: sandboxMail(db, clock),
    serveMailbox,
    issuers,
    singleSignOn: issuing.SINGLE_SIGN_ON,
    calendars: { ...issuers, urls: calendars.sandboxCalendarUrls(baseUrl) },
    serveCalendars: (server: Server) =>
      calendars.serveSandboxCalendars(server, { baseUrl, ownerOf: issuers.calendarOwner }),
    /** With a clock of its own: tokens are signed and judged by the time that it is. */
    openMedia: ({ config: { apiKey, apiSecret }, ...rest }: MediaGround) =>
      sandboxMedia({
        ...rest,
        clock: systemClock,
        apiKey,
        apiSecret: apiSecret.reveal(),
        // people see a recording begin and end; tests only wait for it
        ...(config.environment === 'test' ? { paceMs: 25 } : {}),
      }),
  }
}

interface MediaGround {
  config: MediaConfig
  log: Log
  storage: ObjectStoragePort
}

/** What has been over for a day is of no use to anybody. */
function purgeJobs(db: Db, pool: Pool, clock: Clock): Job[] {
  const yesterday = () => secondsAfter(clock.now(), -DAY_SECONDS)
  return [
    { name: 'purge-sessions', everyMs: HOUR_MS, run: () => purgeSessions(db, yesterday()) },
    { name: 'purge-ended-access', everyMs: HOUR_MS, run: () => purgeEndings(db, DAY_SECONDS) },
    { name: 'purge-email-codes', everyMs: HOUR_MS, run: () => purgeCodes(db, yesterday()) },
    { name: 'purge-rate-limits', everyMs: HOUR_MS, run: () => purgeRateLimits(pool, yesterday()) },
    { name: 'purge-pending-sign-ins', everyMs: HOUR_MS, run: () => purgePendingSignIns(db, yesterday()) },
    { name: 'purge-redirect-sign-ins', everyMs: HOUR_MS, run: () => purgeRedirectSignIns(db, yesterday()) },
    { name: 'purge-code-requests', everyMs: HOUR_MS, run: () => purgeCodeRequests(db, yesterday()) },
    { name: 'purge-pending-sign-ups', everyMs: HOUR_MS, run: () => purgePendingSignUps(db, yesterday()) },
  ]
}
