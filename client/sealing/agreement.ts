import { randomBytes, toText } from './bytes.ts'
import type { SaidEpoch, SealingMessage } from './messages.ts'
import { commitmentTo, type Entrant, type Epoch, wordsFor } from './words.ts'

/** A key that this client uses, and for whom it is. */
export interface RoomKey extends Epoch {
  key: Uint8Array<ArrayBuffer>
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
  /** Says again what may have been lost on the way: to all as long as there are no words. @param to the identities of those who ask */
  repeat(to?: string[]): void
}

/** @param agreed told the words, undefined from when another epoch begins */
export function createAgreement(
  say: (message: SealingMessage, to?: string[]) => void,
  agreed: (words: string | undefined) => void,
): Agreement {
  const commitments = new Map<string, SaidEpoch & { commitment: string }>()
  const openings = new Map<string, SaidEpoch & { secret: string }>()
  let round: Round | undefined
  /** For its words nothing that is said again is looked at: of forty each says it at every arrival. */
  let isAgreed = false
  const repeat = (askers?: string[]) => {
    if (!round) return
    const to = isAgreed ? askers : undefined
    const { commitment, secret } = round
    say({ kind: 'commitment', ...epochOf(round), commitment }, to)
    if (round.commitments) say({ kind: 'opening', ...epochOf(round), secret }, to)
  }
  const advance = async () => {
    const mine = round
    if (!mine || isAgreed) return
    if (!mine.commitments) {
      mine.commitments = allOf(mine, commitments, ({ commitment }) => commitment)
      if (!mine.commitments) return
      say({ kind: 'opening', ...epochOf(mine), secret: mine.secret })
    }
    const secrets = allOf(mine, openings, ({ secret }) => secret)
    if (!secrets || !(await areKept(mine, secrets))) return
    const words = await wordsFor(mine.key, mine, secrets)
    if (round !== mine || isAgreed) return
    isAgreed = true
    agreed(words)
  }
  return {
    async begin(key, own) {
      const secret = toText(randomBytes(32))
      const commitment = await commitmentTo(secret, own, key)
      round = { ...key, own, secret, commitment, commitments: undefined }
      isAgreed = false
      commitments.set(own.identity, { ...epochOf(key), commitment })
      openings.set(own.identity, { ...epochOf(key), secret })
      agreed(undefined)
      repeat()
      await advance()
    },
    async hear(identity, message) {
      if (identity === round?.own.identity) return
      if (message.kind === 'commitment') commitments.set(identity, message)
      else if (message.kind === 'opening') openings.set(identity, message)
      await advance()
    },
    repeat,
  }
}

function epochOf({ number, roster }: RoomKey): SaidEpoch {
  return { epoch: number, roster }
}

/** @returns undefined as long as one of them has not said it for this epoch */
function allOf<Said extends SaidEpoch>(
  { entrants, number, roster }: Round,
  heard: ReadonlyMap<string, Said>,
  part: (said: Said) => string,
): Map<string, string> | undefined {
  const all = new Map<string, string>()
  for (const { identity } of entrants) {
    const said = heard.get(identity)
    if (said?.epoch !== number || said.roster !== roster) return undefined
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
