export const en = {
  attach: 'Attach files',
  photo: 'Take a picture',
  files: 'Files of this message',
  waiting: 'The network is gone; it goes on by itself',
  empty: 'Empty files cannot be sent',
  leftOut: (count: number): string =>
    count === 1
      ? 'A message has ten files: one was left out'
      : `A message has ten files: ${count} were left out`,
  progress: (name: string): string => `${name} is being uploaded`,
  again: (name: string): string => `Upload ${name} again`,
  remove: (name: string): string => `Remove ${name}`,
  keep: (name: string): string => `Download ${name}`,
  enlarge: (name: string): string => `Show ${name} larger`,
  close: 'Close',
}
