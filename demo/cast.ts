/** Who works in the office of the demo, and in which rooms. */

export interface Role {
  name: string
  email: string
  role: 'admin' | 'moderator' | 'member'
}

const NAMES = `Ada Lovelace, Grace Hopper, Mae Jemison, Katherine Johnson, Alan Turing, Hedy Lamarr, Tim Berners-Lee,
Radia Perlman, Barbara Liskov, Edsger Dijkstra, Margaret Hamilton, Donald Knuth, Annie Easley, Claude Shannon,
Mary Jackson, Dennis Ritchie, Frances Allen, Ken Thompson, Jean Bartik, Niklaus Wirth, Shafi Goldwasser, John Backus,
Karen Jones, Vint Cerf, Sophie Wilson, Bob Kahn, Lynn Conway, Guido Rossum, Susan Kare, Bjarne Madsen, Evelyn Boyd,
Leslie Lamport, Adele Goldberg, Tony Hoare, Kathleen Booth, Konrad Zuse, Ida Rhodes, Rear Miller, Mary Keller,
Erna Hoover`

/** Forty people: one administrator, four moderators, members. */
export const CAST: readonly Role[] = NAMES.split(',').map((name, index) => ({
  name: name.trim(),
  email: `${name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '.')}@demo.example`,
  role: index === 0 ? 'admin' : index < 5 ? 'moderator' : 'member',
}))

export interface PlannedRoom {
  name: string
  kind: 'meeting' | 'office' | 'focus' | 'kitchen' | 'lounge' | 'stage'
  seats: number
}

export const ROOMS: readonly PlannedRoom[] = [
  { name: 'Kitchen', kind: 'kitchen', seats: 10 },
  { name: 'Engine room', kind: 'office', seats: 6 },
  { name: 'Studio', kind: 'office', seats: 6 },
  { name: 'Library', kind: 'focus', seats: 2 },
  { name: 'Quiet corner', kind: 'focus', seats: 2 },
  { name: 'Meeting room', kind: 'meeting', seats: 8 },
  { name: 'War room', kind: 'meeting', seats: 6 },
  { name: 'Lounge', kind: 'lounge', seats: 8 },
  { name: 'Sales', kind: 'office', seats: 6 },
  { name: 'Workshop', kind: 'meeting', seats: 12 },
  { name: 'Atelier', kind: 'office', seats: 4 },
  { name: 'All hands', kind: 'stage', seats: 20 },
]

/** What people write. */
export const LINES: readonly string[] = [
  'Lunch at twelve?',
  'The build is green again',
  'Who knows the printer?',
  'I have pushed the fix',
  'Can you look at this for a minute?',
  'Thank you!',
  'On my way',
  'The customer said yes',
  'Coffee?',
  'See the notes in the channel',
]
