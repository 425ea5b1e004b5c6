export const en = {
  title: 'Office status',
  loading: 'Checking',
  again: 'Check again',
  statuses: {
    ready: 'The office works.',
    'not-ready': 'The office cannot work at the moment.',
    draining: 'This node is being stopped.',
    away: 'The office does not answer.',
  } as Record<string, string>,
  states: { ok: 'working', degraded: 'impaired; the office works without it', down: 'not working' },
  parts: {
    database: 'Database',
    mail: 'Mail',
    broker: 'Realtime',
    storage: 'Pictures and recordings',
    imageCheck: 'Image check',
    media: 'Sound and pictures in rooms',
  },
  mend: {
    database: 'Look at DATABASE_URL and at its server; npx atrium doctor says more.',
    mail: 'Nobody gets a code: look at SMTP_URL and at the mail server.',
    broker: 'Nobody sees changes: look at CENTRIFUGO_API_URL and its key.',
    storage: 'Look at the S3 settings, or at the disk of DATA_DIR.',
    imageCheck: 'New pictures are refused: look at IMAGE_CHECK_URL.',
    media: 'Rooms have no sound: look at LIVEKIT_URL and its key.',
  },
}
