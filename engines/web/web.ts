import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isBuilt } from '@atrium/web/built-folder.ts'
import { FAKE_MEDIA, launchChromium, missingChromium } from '../browser/chromium.ts'
import type { Check, Engine } from '../engine.ts'
import { openOperatedOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { tryAdministration } from './administration.ts'
import { tryBudgets } from './budgets.ts'
import { tryCalendar } from './calendar.ts'
import { tryChat } from './chat.ts'
import { tryFloor } from './floor.ts'
import { tryGuest } from './guest.ts'
import { tryMembers } from './members.ts'
import { tryRecovery } from './recovery.ts'
import { tryRoom } from './room.ts'
import { tryScreens } from './screens.ts'
import { trySettings } from './settings.ts'
import { trySignIn } from './sign-in.ts'
import { trySignOn } from './sign-on.ts'
import { trySize } from './size.ts'
import { tryTrouble } from './trouble.ts'
import type { WebOffice } from './visitor.ts'
import { tryVitals } from './vitals.ts'
import { tryWorkingDay } from './working-day.ts'

const PICTURES = fileURLToPath(new URL('../../.engines/web', import.meta.url))

/** Each screen is a file of its own beside this one, and a line here. */
const SCREENS: readonly ((office: WebOffice, check: Check) => Promise<void>)[] = [
  trySignIn,
  tryRecovery,
  tryFloor,
  tryChat,
  tryRoom,
  tryGuest,
  tryMembers,
  trySettings,
  tryCalendar,
  tryAdministration,
  trySignOn,
  tryScreens,
  tryTrouble,
  tryWorkingDay,
  trySize,
  tryVitals,
]

/** The web office in a real browser, against a fresh office. */
export const web: Engine = {
  name: 'web',
  about: 'the web office in Chromium: every screen, by mouse and keyboard, on a desk and on a phone',
  install: missingChromium,
  async try(check) {
    const ends: Ends = []
    try {
      // everybody comes from one address
      const operated = await openOperatedOffice(
        { RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0', RATE_LIMIT_GUEST_PER_ADDRESS: '0' },
        ends,
      )
      await eventually('the web office is built', isBuilt, { withinMs: 180_000, everyMs: 500 })
      await tryBudgets(check)
      const browser = await launchChromium(...FAKE_MEDIA)
      ends.push(() => browser.close())
      await mkdir(PICTURES, { recursive: true })
      for (const screen of SCREENS) await screen({ ...operated, browser, pictures: PICTURES }, check)
    } finally {
      for (let end = ends.pop(); end; end = ends.pop()) await end()
    }
  },
}
