export const en = {
  sealed: 'Sealed',
  about:
    'Sound, pictures and shared screens are encrypted from device to device. Neither the office nor its media server can open them.',
  waiting: 'Waiting for the key of the room. Until it is there, you are neither heard nor seen.',
  words:
    'Read these four words aloud. Where all have the same, nobody has put a key of their own in between:',
  noWords: 'The four words are not agreed yet.',
  chat: 'The chat of the room, and who is here, are not sealed: the office can read them.',
  unsealed: (names: string): string => `The key is not for ${names}: they hear and see nothing.`,
  changed: (names: string): string =>
    `${names}: another key than before. That is so on a new device or in another browser. Compare the four words.`,
  accept: 'I have compared them',
}
