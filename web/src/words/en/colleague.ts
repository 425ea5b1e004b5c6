export const en = {
  write: 'Write',
  enter: (room: string): string => `Enter ${room}`,
  ownProfile: 'Your profile',
  knock: 'Knock',
  knockTitle: (name: string): string => `Knock at ${name}’s door`,
  knockAbout: 'They see it for 30 seconds. If they accept, you meet where you say.',
  message: 'Message',
  messagePlaceholder: 'Two minutes?',
  where: 'Where to meet',
  anywhere: 'No room: in writing',
  cancel: 'Cancel',
}
