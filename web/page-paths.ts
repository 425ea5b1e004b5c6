/**
 * Where the pages of the web office are: the server answers each of these addresses with the one HTML file, and the
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
  chat: '/chat',
  conversation: '/chat/$conversationId',
  calendar: '/agenda',
  calendarComplete: '/calendar/complete',
  signOnComplete: '/single-sign-on/complete',
  members: '/people',
  settings: '/settings',
  administration: '/administration',
  health: '/office-health',
} as const

export type PageName = keyof typeof pagePaths
