export const en = {
  title: (room: string): string => `${room} is locked`,
  about: 'Knock: everybody inside hears it, and anyone of them can let you in.',
  knock: 'Knock',
  cancel: 'Stop waiting',
  waiting: 'You have knocked. Waiting for an answer …',
  empty: 'Nobody is inside any more. Try to enter.',
  later: 'They say: later.',
  no: 'They cannot let you in now.',
  expired: 'Nobody has answered.',
}
