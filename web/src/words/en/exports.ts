export const en = {
  ofOrganization: 'Export of the organization',
  ofOrganizationAbout:
    'An archive of people, rooms, chat, recordings’ list, pictures and audit trail. It holds everybody’s conversations.',
  ofOneself: 'Export of your data',
  ofOneselfAbout: 'An archive of everything that is stored of you here.',
  start: 'Make an archive',
  none: 'None was made in the last 30 days.',
  list: 'Archives',
  loading: 'Reading',
  failed: 'This could not be read.',
  running: (percent: number): string => `being made: ${percent} %`,
  states: { ready: 'ready, for a day', failed: 'could not be made', expired: 'no longer kept' },
  download: 'Download',
  of: (time: string): string => `Archive of ${time}`,
}
