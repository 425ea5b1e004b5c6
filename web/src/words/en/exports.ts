export const en = {
  ofOrganization: 'Export of the organization',
  ofOrganizationAbout:
    'An archive of people, rooms, chat, the list of recordings, pictures and the audit trail. It contains everyone’s conversations.',
  ofOneself: 'Export of your data',
  ofOneselfAbout: 'An archive of everything that is stored about you here.',
  start: 'Create an archive',
  none: 'None in the last 30 days.',
  list: 'Archives',
  loading: 'Loading',
  failed: 'This could not be read.',
  running: (percent: number): string => `being made: ${percent} %`,
  states: { ready: 'ready, for a day', failed: 'failed', expired: 'no longer kept' },
  download: 'Download',
  of: (time: string): string => `Archive of ${time}`,
}
