export const en = {
  somebody: 'Somebody',
  knocks: (name: string): string => `${name} is knocking`,
  waits: (name: string): string => `${name} is waiting at the door`,
  waitsAbout: 'A guest wants to come in.',
  wereIn: (room: string): string => `You were in ${room}`,
  backTo: (room: string): string => `Back to ${room}`,
  isFree: (name: string): string => `${name} is free now`,
  talk: 'Talk',
}
