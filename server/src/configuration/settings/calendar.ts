/** Settings of the calendars; see `settings.ts`. */
export const calendarSettings = [
  {
    name: 'CALENDAR_ENABLED',
    group: 'Calendar',
    kind: 'boolean',
    default: 'true',
    description: 'Whether calendars can be connected.',
  },
  {
    name: 'GOOGLE_CALENDAR_URL',
    group: 'Calendar',
    kind: 'url',
    default: 'https://www.googleapis.com/calendar/v3',
    description:
      'Where the calendars of provider A answer: /calendar/v3 where no path is given. They use the registration of GOOGLE_CLIENT_ID. Redirect address to register: <FRONTEND_URL>/calendar/complete',
  },
  {
    name: 'MICROSOFT_GRAPH_URL',
    group: 'Calendar',
    kind: 'url',
    default: 'https://graph.microsoft.com/v1.0',
    description:
      'Where the calendars of provider B answer: /v1.0 where no path is given. They use the registration of MICROSOFT_CLIENT_ID. Redirect address to register: <FRONTEND_URL>/calendar/complete',
  },
] as const
