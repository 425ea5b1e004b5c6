import { createStore } from '@atrium/client/store'
import type { Language } from '../words/languages.ts'

/** Choices of a person on this device. Further choices are added here, each with its default. */
export interface Preferences {
  theme: 'system' | 'light' | 'dark'
  language: 'system' | Language
  motion: 'system' | 'less'
  /** Sounds of knocks and messages; do-not-disturb silences them as well. */
  sounds: boolean
  notifications: boolean
  /** What is said of messages and calls while no page of the office is open. */
  pushes: 'off' | 'who' | 'what'
  /** The subscription of this browser for them. */
  pushId: string
  /** The `User.id` of the person who chose so: on a shared device it holds for no other. */
  pushesOf: string
  /** Whether to notify was asked once, at the first message that was missed. */
  askedToNotify: boolean
  microphoneId: string
  cameraId: string
  speakerId: string
  /** How the floor is shown, where there is a choice. */
  floorView: 'plan' | 'list'
  /** Owners of calendars that were connected when last asked: without one, no page asks for the next meeting. */
  calendars: readonly string[]
  /** Noise of the room is taken out of what is said. */
  suppressNoise: boolean
  /** One's own picture in a room is small, also in a room of one's own. */
  smallSelf: boolean
  /** Where the small picture of a room stands beside other screens. */
  smallCallCorner: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right'
}

const KEY = 'atrium-preferences'
const DEFAULTS: Preferences = {
  theme: 'system',
  language: 'system',
  motion: 'system',
  sounds: true,
  notifications: false,
  pushes: 'off',
  pushId: '',
  pushesOf: '',
  askedToNotify: false,
  microphoneId: '',
  cameraId: '',
  speakerId: '',
  floorView: 'plan',
  calendars: [],
  suppressNoise: true,
  smallSelf: false,
  smallCallCorner: 'bottom-right',
}

const store = createStore<Preferences>(read())

/** Kept on this device, the same in all tabs. */
export const preferences = {
  get: store.get,
  subscribe: store.subscribe,
  change(some: Partial<Preferences>): void {
    store.update((before) => ({ ...before, ...some }))
    try {
      localStorage.setItem(KEY, JSON.stringify(store.get()))
    } catch {
      // full or forbidden: it holds until the page is left
    }
  },
}

/** Lets the page look as chosen, now and after each change. */
export function applyPreferences(): void {
  const apply = () => {
    const { theme, motion } = store.get()
    const root = document.documentElement
    if (theme === 'system') delete root.dataset.theme
    else root.dataset.theme = theme
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      const { of } = meta.dataset
      const chosen = theme === of ? 'all' : 'not all'
      meta.media = theme === 'system' ? `(prefers-color-scheme: ${of})` : chosen
    }
    if (motion === 'system') delete root.dataset.motion
    else root.dataset.motion = motion
  }
  apply()
  store.subscribe(apply)
  addEventListener('storage', ({ key }) => key === KEY && store.set(read()))
}

function read(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) }
  } catch {
    return DEFAULTS
  }
}
