export const en = {
  write: 'Write',
  enter: (room: string): string => `Enter ${room}`,
  ownProfile: 'Your profile',
  knock: 'Knock',
  knockTitle: (name: string): string => `Knock at ${name}’s door`,
  knockAbout: 'They see it for 30 seconds and say whether they have a moment.',
  message: 'Message',
  messagePlaceholder: 'Two minutes?',
  where: 'Where to meet',
  anywhere: 'No room',
  cancel: 'Cancel',
}
