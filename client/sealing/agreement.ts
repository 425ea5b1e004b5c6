import { type Bytes, digestOf, randomBytes, toText } from './bytes.ts'
import type { SaidEpoch, SealingMessage } from './messages.ts'
import { commitmentTo, type Entrant, type Epoch, wordsFor } from './words.ts'

/** A key that this client uses, and for whom it is. */
export interface RoomKey extends Epoch {
  key: Bytes
  entrants: readonly Entrant[]
}

interface Round extends RoomKey {
  own: Entrant
  secret: string
  commitment: string
  /** Of everybody, from when all have committed: later ones change nothing, for the own secret is told from here on. */
  commitments: ReadonlyMap<string, string> | undefined
}

/** How those inside come to the same four words: each commits to a number before anybody tells theirs. */
export interface Agreement {
  begin(key: RoomKey, own: Entrant): Promise<void>
  hear(identity: string, message: SealingMessage): Promise<void>
  /** Says again what may have been lost on the way. @param to the identities of those who ask */
  repeat(to: string[]): void
  /** Identities of those who have still to say something: their commitment, or their number. */
  lacking(): string[]
}

/** What everybody has said, and how far this client has come with it. */
interface Agreeing {
  say(message: SealingMessage, to?: string[]): void
  agreed(words: string | undefined): void
  commitments: Map<string, SaidEpoch & { commitment: string }>
  openings: Map<string, SaidEpoch & { secret: string }>
  round: Round | undefined
  /** For its words nothing that is said again is looked at: of forty each says it at every arrival. */
  isAgreed: boolean
}

/** @param agreed told the words, undefined from when another epoch begins */
export function createAgreement(say: Agreeing['say'], agreed: Agreeing['agreed']): Agreement {
  const commitments: Agreeing['commitments'] = new Map()
  const openings: Agreeing['openings'] = new Map()
  const all: Agreeing = { say, agreed, commitments, openings, round: undefined, isAgreed: false }
  return {
    async begin(used, own) {
      const key = { ...used, roster: await roundOf(used) }
      const secret = toText(randomBytes(32))
      const commitment = await commitmentTo(secret, own, key)
      all.round = { ...key, own, secret, commitment, commitments: undefined }
      all.isAgreed = false
      commitments.set(own.identity, { ...epochOf(key), commitment })
      openings.set(own.identity, { ...epochOf(key), secret })
      agreed(undefined)
      sayOwn(all)
      await advance(all)
    },
    async hear(identity, message) {
      if (identity === all.round?.own.identity) return
      if (message.kind === 'commitment') commitments.set(identity, message)
      else if (message.kind === 'opening') openings.set(identity, message)
      await advance(all)
    },
    repeat: (to) => sayOwn(all, to),
    lacking: () => lackingOf(all),
  }
}

/** An office that has lost a key gives its number again: by the key itself the words of one are not those of another. */
async function roundOf({ roster, key }: RoomKey): Promise<string> {
  return toText(await digestOf(['atrium round', roster, toText(key)]))
}

function sayOwn({ say, round }: Agreeing, to?: string[]): void {
  if (!round) return
  const { commitment, secret } = round
  say({ kind: 'commitment', ...epochOf(round), commitment }, to)
  if (round.commitments) say({ kind: 'opening', ...epochOf(round), secret }, to)
}

async function advance(all: Agreeing): Promise<void> {
  const { say, round: mine } = all
  if (!mine || all.isAgreed) return
  if (!mine.commitments) {
    mine.commitments = allOf(mine, all.commitments, ({ commitment }) => commitment)
    if (!mine.commitments) return
    say({ kind: 'opening', ...epochOf(mine), secret: mine.secret })
  }
  const secrets = allOf(mine, all.openings, ({ secret }) => secret)
  if (!secrets || !(await areKept(mine, secrets))) return
  const words = await wordsFor(mine.key, mine, secrets)
  if (all.round !== mine || all.isAgreed) return
  all.isAgreed = true
  all.agreed(words)
}

function lackingOf({ round, isAgreed, commitments, openings }: Agreeing): string[] {
  if (!round || isAgreed) return []
  const heard: ReadonlyMap<string, SaidEpoch> = round.commitments ? openings : commitments
  const isLacking = ({ identity }: Entrant) => !isOf(round, heard.get(identity))
  return round.entrants.filter(isLacking).map(({ identity }) => identity)
}

function isOf({ number, roster }: RoomKey, said: SaidEpoch | undefined): boolean {
  return said?.epoch === number && said.roster === roster
}

function epochOf({ number, roster }: RoomKey): SaidEpoch {
  return { epoch: number, roster }
}

/** @returns undefined as long as one of them has not said it for this epoch */
function allOf<Said extends SaidEpoch>(
  round: Round,
  heard: ReadonlyMap<string, Said>,
  part: (said: Said) => string,
): Map<string, string> | undefined {
  const all = new Map<string, string>()
  for (const { identity } of round.entrants) {
    const said = heard.get(identity)
    if (!said || !isOf(round, said)) return undefined
    all.set(identity, part(said))
  }
  return all
}

/** Whether everybody has told the number that they had committed to. */
async function areKept(round: Round, secrets: ReadonlyMap<string, string>): Promise<boolean> {
  const kept = round.entrants.map(async (entrant) => {
    const secret = secrets.get(entrant.identity) ?? ''
    return (await commitmentTo(secret, entrant, round)) === round.commitments?.get(entrant.identity)
  })
  return (await Promise.all(kept)).every(Boolean)
}
