export const en = {
  title: (room: string): string => `${room} is locked`,
  about: 'Knock: everybody inside hears it, and anyone of them can let you in.',
  knock: 'Knock',
}
