/**
 * A million people in cells (docs/operations/scale.md). Each cell is an office with its own nodes, database and broker; nothing
 * crosses them. Minute by minute each is given work and does as much of it as it can; the rest waits.
 */

/** What one thing costs, and where the figure is from. */
export const SLOPES = {
  /** Processor of the nodes for a request, in seconds (docs/performance.md, a busy machine). */
  request: 236e-6,
  /** Processor for one person's change of presence: 508 ms for 2,000 (scale.md). */
  presence: 254e-6,
  /** Commits a second of one database that notify (scale.md, wake-ups). */
  commits: 3_000,
  /** Deliveries a second of the broker of a cell. Assumed: eight cores of Centrifugo; not measured here. */
  deliveries: 200_000,
} as const

/** What people do. Assumed. */
export const HABITS = {
  /** Part of all people that comes on a working day. */
  present: 0.6,
  /** The morning: they come between 8:00 and 10:00, most of them at 9:00. */
  arrivalMinutes: 120,
  /** Of a page that opens, with its socket. */
  requestsOfArrival: 20,
  commitsOfArrival: 2,
  /** Of each person online, in a minute. */
  requestsAMinute: 2,
  commitsAMinute: 0.2,
  /** How many others a commit is told to: the people of a room or conversation. */
  told: 10,
} as const

export interface Organization {
  people: number
}

export interface Cell {
  organizations: Organization[]
}

/** What a cell can do in a second. */
export interface Capacity {
  /** Of its nodes, that may be busy. */
  cores: number
}

const MINUTE = 60

/** Few large ones and many small ones: of the i-th the largest by i to the power of 0.8, at least three people. */
export function organizationsOf(people: number, largest: number): Organization[] {
  const all: Organization[] = []
  for (let left = people, rank = 1; left > 0; rank += 1) {
    const size = Math.min(left, Math.max(3, Math.floor(largest / rank ** 0.8)))
    all.push({ people: size })
    left -= size
  }
  return all
}

export const peopleOf = ({ organizations }: Cell) =>
  organizations.reduce((sum, { people }) => sum + people, 0)

/** The largest first, each into the cell with the fewest people. */
export function placed(organizations: readonly Organization[], count: number): Cell[] {
  const cells = Array.from({ length: count }, () => ({ organizations: [] as Organization[], people: 0 }))
  for (const organization of organizations.toSorted((one, other) => other.people - one.people)) {
    const emptiest = cells.reduce((least, cell) => (cell.people < least.people ? cell : least))
    emptiest.organizations.push(organization)
    emptiest.people += organization.people
  }
  return cells.map((cell) => ({ organizations: cell.organizations }))
}

/** Which part of a morning's people has come by a minute: slowly, then most at once, then slowly. */
export function arrivedBy(minute: number): number {
  const part = Math.min(1, Math.max(0, minute / HABITS.arrivalMinutes))
  return part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) ** 2
}

/** Work of one kind that waits, in units of the resource. */
export interface Meter {
  given: number
  done: number
  waiting: number
  /** Minutes in which something was left over. */
  lateMinutes: number
  /** The longest that what has come would have had to wait, in seconds. */
  longestWait: number
  /** The busiest minute: which part of the capacity was asked for. */
  peak: number
}

const emptyMeter = (): Meter => ({ given: 0, done: 0, waiting: 0, lateMinutes: 0, longestWait: 0, peak: 0 })

/** One minute of a resource that does `capacity` a second. */
function pass(meter: Meter, given: number, capacity: number): void {
  const most = capacity * MINUTE
  const done = Math.min(most, meter.waiting + given)
  meter.given += given
  meter.done += done
  meter.waiting += given - done
  meter.peak = Math.max(meter.peak, given / most)
  meter.longestWait = Math.max(meter.longestWait, meter.waiting / capacity)
  // what a sum of fractions leaves is no work
  if (meter.waiting > 1e-6) meter.lateMinutes += 1
}

export interface Day {
  processor: Meter
  commits: Meter
  deliveries: Meter
  /** At the end. */
  online: number
}

/** When a cell is lost, and how many minutes later it is back: its people come again, all within two minutes. */
export interface Outage {
  minute: number
  length: number
}

const RETURN_MINUTES = 2

/** The morning of one cell. */
export function morningOf(cell: Cell, { cores }: Capacity, outage?: Outage, minutes = 240): Day {
  const day = { processor: emptyMeter(), commits: emptyMeter(), deliveries: emptyMeter(), online: 0 }
  let parts = 0
  for (let minute = 1; minute <= minutes; minute += 1) {
    const isOut = outage && minute > outage.minute && minute <= outage.minute + outage.length
    const back = outage ? (minute - outage.minute - outage.length) / RETURN_MINUTES : 1
    const target = isOut ? 0 : arrivedBy(minute) * Math.min(1, back <= 0 ? 1 : back)
    const before = isOut ? 0 : parts
    const arriving = Math.max(0, target - before)
    const people = peopleOf(cell) * HABITS.present
    const arrivals = people * arriving
    const online = people * target
    pass(
      day.processor,
      arrivals * (HABITS.requestsOfArrival * SLOPES.request + SLOPES.presence) +
        online * HABITS.requestsAMinute * SLOPES.request,
      cores,
    )
    pass(day.commits, arrivals * HABITS.commitsOfArrival + online * HABITS.commitsAMinute, SLOPES.commits)
    pass(day.deliveries, deliveriesOf(cell, arriving, target), SLOPES.deliveries)
    parts = target
    day.online = online
  }
  return day
}

/** Each arrival is told to all people online of the organization: the square of its size. */
function deliveriesOf({ organizations }: Cell, arriving: number, there: number): number {
  return organizations.reduce((sum, { people }) => {
    const online = people * HABITS.present * there
    return sum + people * HABITS.present * arriving * online + online * HABITS.commitsAMinute * HABITS.told
  }, 0)
}

/** How large one organization can be in a cell of its own until something of a morning has to wait; and what it is. */
export function largestOrganization(capacity: Capacity): {
  people: number
  limit: keyof Omit<Day, 'online'>
} {
  let low = 1
  let high = 10_000_000
  while (high - low > 1) {
    const people = Math.floor((low + high) / 2)
    if (limitOf(people, capacity)) high = people
    else low = people
  }
  return { people: low, limit: limitOf(high, capacity) ?? 'processor' }
}

function limitOf(people: number, capacity: Capacity): keyof Omit<Day, 'online'> | undefined {
  const day = morningOf({ organizations: [{ people }] }, capacity)
  return (['processor', 'commits', 'deliveries'] as const).find((name) => day[name].lateMinutes > 0)
}
