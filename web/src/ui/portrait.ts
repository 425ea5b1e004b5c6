/** Drawn portraits, of paper in one colour each: they tell people apart, and are no likeness. */

interface Paper {
  back: string
  face: string
  hair: string
  clothes: string
}

const PAPERS: readonly Paper[] = [
  { back: '#cfe3d3', face: '#f3f2e0', hair: '#2f5546', clothes: '#6f9d85' },
  { back: '#c9dcec', face: '#f0f1ec', hair: '#2f4a68', clothes: '#6d8fb3' },
  { back: '#f3cfb3', face: '#fbeedd', hair: '#6e3f22', clothes: '#c17f52' },
  { back: '#e6d3ea', face: '#f6eeef', hair: '#513a63', clothes: '#9779a8' },
  { back: '#f2e0a9', face: '#fbf4dc', hair: '#5f4a16', clothes: '#b4933f' },
  { back: '#f2c8c4', face: '#faece4', hair: '#6b2f33', clothes: '#bb6f6c' },
  { back: '#c7e3e2', face: '#eff4ec', hair: '#1f5257', clothes: '#5f9a9d' },
  { back: '#dcd6c4', face: '#f5f0e2', hair: '#453f33', clothes: '#8b8068' },
]
/** Behind the head. */
const BACKS = [
  '',
  'M10 30c-1.5-4 .5-8 .8-13C11.2 9.5 14.5 6 20 6s8.8 3.5 9.2 11c.3 5 2.3 9 .8 13Z',
  'M10.8 23c-2-9 1-17 9.2-17s11.2 8 9.2 17c-1 2-3 2-4 1H14.800c-1 1-3 1-4-1Z',
  'M20 3a4 4 0 0 1 3.6 5.500h-7.200A4 4 0 0 1 20 3Z',
  'M9.5 25C6 17 10 5.5 20 5.500S34 17 30.5 25c-2 3.5-5 2-6 1h-9c-1 1-4 2.5-6-1Z',
]
/** Around the forehead. */
const FRONTS = [
  'M12.4 17C11.9 10.6 15 7.2 20 7.200s8.1 3.4 7.6 9.800c-1.1-3.9-3.9-6.3-7.6-6.300s-6.5 2.4-7.6 6.300Z',
  'M12.4 17.500c0-5 2.5-8.7 9-9.7-1 3.2-4.5 5.7-9 9.700ZM21 7.900c4 .6 6.6 4.1 6.6 9.6-1.5-4-4-6.5-6.6-9.600Z',
  'M12.3 17c.2-5.6 3-8.9 7.7-8.900s7.5 3.3 7.7 8.900c-2-.6-3-3-3.6-4.5-3 2.2-8.6 2-11.8 4.500Z',
  'M12 17c-.7-7 2.9-10.5 8-10.500S28.7 10 28 17c-.8-3-1.6-4.8-3-6-3 1.6-7.6 1.6-10.3.6-1.5 1.4-2.1 2.7-2.7 5.400Z',
  'M11.8 18c-1.2-1-.8-3.2.2-3.8-.6-2.8 1.2-4.6 2.6-5 .8-2.2 3.4-2.8 5.4-2 2-.9 4.7 0 5.4 1.9 1.6.5 3.2 2.4 2.6 5.1 1 .7 1.3 2.8.2 3.8-.5-2.5-1.3-4.8-3-5.6-3.4 1.3-7.2 1.3-10.4 0-1.7.8-2.5 3.1-3 5.600Z',
  '',
]
const GLASSES =
  '<g fill="none" stroke="#3a3226" stroke-width=".9"><circle cx="16.7" cy="18" r="2.5"/><circle cx="23.3" cy="18" r="2.5"/><path d="M19.2 17.700h1.6"/></g>'
const KEPT_MOST = 2_000
const kept = new Map<string, string>()

/** The address of a picture for a person without one: the same for one id, everywhere. */
export function portraitOf(id: string): string {
  const known = kept.get(id)
  if (known) return known
  const portrait = `data:image/svg+xml,${encodeURIComponent(drawn(id))}`
  if (kept.size >= KEPT_MOST) kept.clear()
  kept.set(id, portrait)
  return portrait
}

function drawn(id: string): string {
  const choose = chooserOf(id)
  const { back, face, hair, clothes } = choose(PAPERS) as Paper
  const behind = choose(BACKS) ?? ''
  const front = choose(FRONTS) ?? ''
  const glasses = choose(['', '', '', GLASSES]) ?? ''
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">',
    `<path fill="${back}" d="M0 0h40v40H0z"/><path fill="${hair}" d="${behind}"/>`,
    `<path fill="${clothes}" d="M4 40c0-8 6.5-11.5 16-11.500S36 32 36 40Z"/>`,
    `<path fill="${face}" d="M16 24h8v5.500a4 4 0 0 1-8 0Z"/>`,
    '<path opacity=".1" d="M16 27.500c2.5 1.8 5.5 1.8 8 0v1.200c-2.5 2-5.5 2-8 0Z"/>',
    `<path fill="${face}" d="M12.7 17c0-5.5 3-8.7 7.3-8.700s7.3 3.2 7.3 8.700c0 6-3.3 10.4-7.3 10.400S12.7 23 12.7 17Z"/>`,
    `<path fill="${hair}" d="${front}"/>${glasses}</svg>`,
  ].join('')
}

/** Chooses one after the other, as the id says. */
function chooserOf(id: string): <Item>(items: readonly Item[]) => Item | undefined {
  let seed = 0x811c9dc5
  for (const letter of `portrait ${id}`)
    seed = Math.imul(seed ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return (items) => {
    seed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) >>> 0
    seed = (seed ^ (seed >>> 13)) >>> 0
    return items[seed % items.length]
  }
}
