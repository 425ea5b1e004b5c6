import { preferences } from '../../live/preferences.ts'
import { beginPushes } from '../../live/push/pushes.ts'
import { notices } from '../../ui/overlays/notices.ts'
import type { en } from '../../words/en/attention.ts'
import { play } from '../sounds.ts'
import type { Speaker } from './one-speaker.ts'

/** Something that a person is called by. */
export interface Call {
  sound: 'knock' | 'message'
  title: string
  body: string
  /** One of the same takes its place. */
  tag: string
  /** @param toWrite the person wants to answer */
  open(toWrite?: boolean): void
}

interface Surroundings {
  speaker: Speaker
  /** The person lets it sound, on whatever device. */
  maySound: boolean
  /** What is written is on the screen already. */
  showsChat: boolean
  words: typeof en
}

const BODY_MAX = 120
const SHOWN_SECONDS = 8

/** Calls by a notice on the page that is looked at, else by a sound and a notification of one tab of all. */
export async function attend(
  call: Call,
  { speaker, maySound, showsChat, words }: Surroundings,
): Promise<void> {
  const { sounds, notifications } = preferences.get()
  const isHidden = document.visibilityState === 'hidden'
  const isMessage = call.sound === 'message'
  if (isMessage && !isHidden && !showsChat) showNotice(call, words)
  if (!(await speaker.speaks())) return
  // a message is seen on the page; a knock is heard in any case
  if (sounds && maySound && (isHidden || !isMessage)) play(call.sound)
  if (!isHidden) return
  if (notifications && Notification.permission === 'granted') notify(call)
  else if (isMessage) askLater(call, words)
}

function showNotice({ title, body, tag, open }: Call, words: typeof en): void {
  notices.show({
    id: `message-${tag}`,
    text: title,
    about: body.slice(0, BODY_MAX),
    seconds: SHOWN_SECONDS,
    actions: [{ label: words.reply, onAction: () => open(true) }],
  })
}

function notify({ title, body, tag, open }: Call): void {
  const shown = new Notification(title, {
    body: body.slice(0, BODY_MAX),
    tag,
    icon: '/favicon.svg',
    silent: true,
  })
  shown.onclick = () => {
    window.focus()
    open()
    shown.close()
  }
}

/** Asks once, at the first message that was missed, when the page is looked at again. */
function askLater({ title }: Call, words: typeof en): void {
  if (preferences.get().askedToNotify || !('Notification' in window) || Notification.permission !== 'default')
    return
  preferences.change({ askedToNotify: true })
  const allow = async () => {
    const isAllowed = (await Notification.requestPermission()) === 'granted'
    preferences.change({ notifications: isAllowed })
    if (isAllowed) await beginPushes('who')
  }
  const ask = () => {
    if (document.visibilityState === 'hidden') return
    document.removeEventListener('visibilitychange', ask)
    const actions = [
      { label: words.notify, primary: true, onAction: () => void allow() },
      { label: words.notNow, onAction: () => {} },
    ]
    notices.show({ id: 'notify', text: words.missed(title), about: words.missedAbout, actions })
  }
  document.addEventListener('visibilitychange', ask)
}
