export const en = {
  somebody: 'Somebody',
  knocks: (name: string): string => `${name} knocks`,
  waits: (name: string): string => `${name} waits at the door`,
  waitsAbout: 'A guest wants to come in.',
}
