export const en = {
  title: 'Floor',
  search: 'Search people and rooms',
  rooms: 'Rooms',
  addRoom: 'Add a room',
  roomName: 'Name',
  roomNamePlaceholder: 'Kitchen',
  add: 'Add',
  cancel: 'Cancel',
  loading: 'Loading the floor',
  failed: 'The floor could not be read.',
  noRooms: 'There are no rooms yet',
  noRoomsAbout: 'A room is a place where people meet, with sound and pictures.',
  noMatch: (text: string): string => `Nothing matches “${text}”`,
  nobodyInside: 'Nobody inside',
  inside: 'Inside',
  insideCount: (count: number): string => (count === 1 ? '1 person' : `${count} people`),
  guests: (count: number): string => (count === 1 ? '1 guest' : `${count} guests`),
  recording: 'Recording',
  enter: 'Enter',
  youAreHere: 'You are here',
  microphone: 'microphone on',
  camera: 'camera on',
  screen: 'shares a screen',
  colleagues: 'Colleagues',
  around: 'Around',
  offline: 'Offline',
  alone: 'You are the first one here',
  aloneAbout: 'Whoever is invited appears here as soon as they come.',
  invite: 'Invite',
  you: 'You',
  knock: 'Knock',
  write: 'Write',
  knockAt: (name: string): string => `Knock at ${name}’s door`,
  writeTo: (name: string): string => `Write to ${name}`,
  summary(around: number, inRooms: number): string {
    if (around === 0) return 'Nobody else is around'
    const people = around === 1 ? '1 colleague around' : `${around} colleagues around`
    if (inRooms === 0) return people
    if (around === 1) return `${people}, in a room`
    return inRooms === 1 ? `${people}, 1 of them in a room` : `${people}, ${inRooms} of them in rooms`
  },
}
