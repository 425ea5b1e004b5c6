export const en = {
  open: 'Settings of the room',
  title: (room: string): string => `Settings of ${room}`,
  name: 'Name',
  rename: 'Rename',
  kind: 'What it is for',
  seats: 'Seats',
  usualSeats: 'As usual',
  dispatch: 'Bots',
  dispatches: {
    none: 'None come in',
    'on-request': 'Those that are called in',
    always: 'All, whenever people come in',
  },
  sealedHasNone: 'Bots cannot come into a sealed room.',
  sealed: 'Sealed',
  sealedAbout:
    'Sound and pictures are then encrypted from device to device, for guests too. It cannot be recorded, bots cannot come in, and older browsers are kept out. The chat of the room is not sealed.',
  empty: 'It can be changed while nobody is inside.',
  done: 'Done',
}
