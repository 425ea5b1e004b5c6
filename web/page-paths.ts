/**
 * Where the pages of the web office are: the server answers each of these addresses with an HTML file, and the
 * router of the pages shows what belongs there. `$name` is a parameter. None begins as an operation's path does.
 */
export const pagePaths = {
  floor: '/',
  signIn: '/sign-in',
  authComplete: '/auth/complete',
  firstRun: '/welcome',
  join: '/join',
  invitation: '/invitation',
  recovery: '/recovery',
  guest: '/guest',
  room: '/room/$roomId',
  recording: '/recordings/$recordingId',
  chat: '/chat',
  conversation: '/chat/$conversationId',
  calendar: '/agenda',
  calendarComplete: '/calendar/complete',
  signOnComplete: '/single-sign-on/complete',
  members: '/people',
  settings: '/settings',
  administration: '/administration',
  health: '/office-health',
  accessibility: '/accessibility',
} as const

/**
 * Pages that people open who were never here: each has an HTML file of its own, which names the scripts of its screen, so
 * that a slow network brings all of them at once.
 */
export const ownFiles: readonly { path: string; file: string; screen: string }[] = [
  { path: pagePaths.signIn, file: 'sign-in.html', screen: 'src/sign-in/sign-in-screen.tsx' },
  { path: pagePaths.guest, file: 'guest.html', screen: 'src/guest/guest-screen.tsx' },
]
