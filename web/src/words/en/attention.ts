export const en = {
  somebody: 'Somebody',
  knocks: (name: string): string => `${name} is knocking`,
  waits: (name: string): string => `${name} is waiting at the door`,
  waitsAbout: 'A guest wants to come in.',
}
