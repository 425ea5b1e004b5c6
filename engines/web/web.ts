import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isBuilt } from '@atrium/web/built-folder.ts'
import { missingChromium, openBrowserWithMedia } from '../browser/chromium.ts'
import type { Check, Engine } from '../engine.ts'
import { openOperatedOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { tryAdministration } from './administration.ts'
import { tryBots } from './bots.ts'
import { tryBudgets } from './budgets.ts'
import { tryCalendar } from './calendar.ts'
import { tryCaptions } from './captions.ts'
import { tryChat } from './chat.ts'
import { tryChatDay } from './chat-day.ts'
import { tryChatFiles } from './chat-files.ts'
import { tryFindSetting } from './find-setting.ts'
import { tryFloor } from './floor.ts'
import { tryGuest } from './guest.ts'
import { tryMembers } from './members.ts'
import { tryMoving } from './moving.ts'
import { tryNewcomer } from './newcomer.ts'
import { tryPhoneFloor } from './phone-floor.ts'
import { tryPushes } from './pushes.ts'
import { tryRecordings, tryWatching } from './recordings.ts'
import { tryRecovery } from './recovery.ts'
import { tryRoom } from './room.ts'
import { tryRoomTogether } from './room-together.ts'
import { tryScreens } from './screens.ts'
import { trySettings } from './settings.ts'
import { trySignIn } from './sign-in.ts'
import { trySignOn } from './sign-on.ts'
import { trySize } from './size.ts'
import { tryStarving } from './starving.ts'
import { tryTalkTime } from './talk-time.ts'
import { tryTightPlaces } from './tight-places.ts'
import { openTranscriber } from './transcriber.ts'
import { tryTrouble } from './trouble.ts'
import { tryTruth } from './truth.ts'
import type { WebOffice } from './visitor.ts'
import { tryVitals } from './vitals.ts'
import { tryWorkingDay } from './working-day.ts'

const PICTURES = fileURLToPath(new URL('../../.engines/web', import.meta.url))

type TryPart = (office: WebOffice, check: Check) => Promise<void>

/** Each screen is a file of its own beside this one, and a line here. */
const PARTS: readonly TryPart[] = [
  (_office, check) => tryBudgets(check),
  trySignIn,
  tryRecovery,
  tryFloor,
  tryPhoneFloor,
  tryChat,
  tryChatDay,
  tryChatFiles,
  tryRoom,
  tryRoomTogether,
  tryBots,
  tryCaptions,
  tryStarving,
  tryGuest,
  tryMembers,
  trySettings,
  tryPushes,
  tryCalendar,
  tryAdministration,
  tryFindSetting,
  tryRecordings,
  tryWatching,
  trySignOn,
  tryNewcomer,
  tryScreens,
  tryTightPlaces,
  tryTrouble,
  tryTalkTime,
  tryTruth,
  tryWorkingDay,
  tryMoving,
  trySize,
  tryVitals,
]
/** Which of them a check is of, for those that were made: what failed is tried again with what led there. */
const partOf = new Map<string, TryPart>()

/** The web office in a real browser, against a fresh office. */
export const web: Engine = {
  name: 'web',
  about: 'the web office in Chromium: every screen, by mouse and keyboard, on a desk and on a phone',
  install: missingChromium,
  try: (check) => tryParts(PARTS, check),
  tryAgain(check, failed) {
    const parts = new Set(failed.map((name) => partOf.get(name)))
    return tryParts(
      PARTS.filter((part) => parts.has(part)),
      check,
    )
  },
}

async function tryParts(parts: readonly TryPart[], check: Check): Promise<void> {
  const ends: Ends = []
  try {
    // everybody comes from one address
    const settings = {
      RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0',
      RATE_LIMIT_GUEST_PER_ADDRESS: '0',
      TRANSCRIBER_URL: await openTranscriber(ends),
    }
    const operated = await openOperatedOffice(settings, ends)
    await eventually('the web office is built', isBuilt, { withinMs: 180_000, everyMs: 500 })
    const browser = await openBrowserWithMedia(ends)
    await mkdir(PICTURES, { recursive: true })
    for (const part of parts)
      await part({ ...operated, browser, pictures: PICTURES }, (name, work) => {
        partOf.set(name, part)
        return check(name, work)
      })
  } finally {
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }
}
