import { join } from 'node:path'
import type { MediaConfig } from '../../configuration/config-realtime.ts'
import type { ToldSpeech } from '../../features/recordings/transcript/speech-parcel.ts'
import type { ToldChapter } from '../../features/recordings/watching/chapters.ts'
import { nameRooms } from '../../features/rooms/reads.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import type { SpokenStretch } from '../../ports/transcriber.ts'
import type { Opening, Part } from '../part.ts'
import type { HeardByMedia } from './features/activity.ts'
import type { Databases } from './platform/databases.ts'

export interface Sandbox extends Part {
  needs: Record<string, never>
  /** Undefined in production. */
  standIns: StandIns | undefined
}

type StandIns = Awaited<ReturnType<typeof loadStandIns>>

/** Stand-ins for outside vendors: never loaded in production. */
export async function openSandbox(opening: Opening, needs: { databases: Databases }): Promise<Sandbox> {
  if (opening.config.environment === 'production') return { needs: {}, standIns: undefined }
  const standIns = await loadStandIns(opening, needs)
  return {
    needs: {},
    standIns,
    erasers: [
      {
        name: 'sandbox mails',
        erase: ({ emails, names, deletedAt }) => standIns.forgetMails([...emails, ...names], deletedAt),
      },
    ],
    routes(server) {
      standIns.issuers.serve(server)
      standIns.serveCalendars(server)
    },
  }
}

async function loadStandIns({ config, clock }: Opening, { databases }: { databases: Databases }) {
  const [{ sandboxMail, deleteSandboxMails }, { serveMailbox }, issuing, calendars, { sandboxMedia }] =
    await Promise.all([
      import('../../sandbox/mailbox/sandbox-mail.ts'),
      import('../../sandbox/mailbox/routes.ts'),
      import('../../sandbox/issuer/sandbox-issuers.ts'),
      import('../../sandbox/calendar/routes.ts'),
      import('../../sandbox/media/sandbox-media.ts'),
    ])
  const issuers = issuing.sandboxIssuers({ ...config, secretKey: config.secretKeys.current })
  const { baseUrl } = config
  return {
    mail: sandboxMail(databases.background, clock),
    serveMailbox,
    forgetMails: (texts: readonly string[], until: Date) =>
      deleteSandboxMails(databases.background, texts, until),
    issuers,
    singleSignOn: issuing.SINGLE_SIGN_ON,
    calendars: { ...issuers, urls: calendars.sandboxCalendarUrls(baseUrl) },
    serveCalendars: (server: Parameters<typeof calendars.serveSandboxCalendars>[0]) =>
      calendars.serveSandboxCalendars(server, { baseUrl, ownerOf: issuers.calendarOwner }),
    /** With a clock of its own: tokens are signed and judged by the time that it is. */
    openMedia: ({ config: { apiKey, apiSecret, embedded }, ...rest }: MediaContext) =>
      sandboxMedia({
        ...rest,
        clock: systemClock,
        apiKey,
        live: embedded,
        recordings: embedded && {
          folder: join(config.dataDir, 'recordings-in-progress'),
          limits: embedded.recordings,
          searchPath: embedded.searchPath,
        },
        namesOf: (rooms) => nameRooms(databases.background, rooms),
        apiSecret: apiSecret.reveal(),
        // people see a recording begin and end; tests only wait for it
        ...(config.environment === 'test' ? { paceMs: 25 } : {}),
      }),
  }
}

interface MediaContext {
  config: MediaConfig
  log: Log
  storage: ObjectStoragePort
  onActivity: (heard: HeardByMedia) => void
  keepChapters: (fileKey: string, chapters: readonly ToldChapter[]) => Promise<void>
  /** Words of what is said at this moment; undefined: nothing writes it down. */
  transcribe: ((stretch: SpokenStretch, signal: AbortSignal) => Promise<string>) | undefined
  /** Undefined: nothing writes down what is said. */
  keepSpeech: ((fileKey: string, speech: readonly ToldSpeech[] | undefined) => Promise<void>) | undefined
}
