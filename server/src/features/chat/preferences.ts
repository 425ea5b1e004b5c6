import { PostgrestFault } from './faults.ts'

/** What `Prefer` asks for. */
export interface Preferences {
  returns: 'representation' | 'minimal' | undefined
  /** How many rows there are is to be told. */
  counts: boolean
  /** Those that are honoured, for `Preference-Applied`. */
  applied: readonly string[]
}

/** Numbers of rows are always exact, and other zones than UTC are in no answer. */
const SERVED: ReadonlyMap<string, string> = new Map([
  ['handling=strict', 'handling=strict'],
  ['handling=lenient', 'handling=lenient'],
  ['return=representation', 'return=representation'],
  ['return=minimal', 'return=minimal'],
  ['count=exact', 'count=exact'],
  ['count=planned', 'count=exact'],
  ['count=estimated', 'count=exact'],
  ['tx=commit', 'tx=commit'],
  // the columns that may be left out have null as their default
  ['missing=default', 'missing=default'],
  ['missing=null', 'missing=null'],
  ['timezone=utc', 'timezone=UTC'],
])
/** Of PostgREST, but not of ours: a caller that names one relies on it. */
const NOT_SERVED = /^(resolution|max-affected|timezone|params)=|^(tx=rollback|return=headers-only)$/

/**
 * Reads `Prefer`. What PostgREST would do and we do not is refused; what is unknown is ignored, as RFC 7240 has it,
 * but where the client asks for strictness.
 * @throws PostgrestFault 400, 403
 */
export function preferencesOf(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Preferences {
  const given = String(headers.prefer ?? '')
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter(Boolean)
  const applied = new Set<string>()
  const unknown: string[] = []
  for (const one of given) {
    const served = SERVED.get(one.toLowerCase())
    if (served) applied.add(served)
    else if (one.toLowerCase() === 'resolution=merge-duplicates') throw notMerged()
    else if (NOT_SERVED.test(one.toLowerCase())) throw notPreferred([one])
    else unknown.push(one)
  }
  if (unknown.length > 0 && applied.has('handling=strict')) throw notPreferred(unknown)
  const returns = (['representation', 'minimal'] as const).find((one) => applied.has(`return=${one}`))
  return { returns, counts: applied.has('count=exact'), applied: [...applied] }
}

function notPreferred(preferences: readonly string[]): PostgrestFault {
  const named = preferences.join(', ').slice(0, 200)
  return new PostgrestFault(400, 'PGRST122', `These preferences are not served: ${named}`, {
    details: `Served are ${[...SERVED.keys()].join(', ')}.`,
  })
}

/** The role may not change a message that is there. */
function notMerged(): PostgrestFault {
  const message = 'Messages that are there cannot be changed: resolution=merge-duplicates is not served'
  return new PostgrestFault(403, '42501', message, {
    hint: 'Use insert; with a client_message_id it may be repeated.',
  })
}

/** The header that tells which preferences were honoured. */
export function appliedOf({ applied }: Preferences): Record<string, string> {
  return applied.length > 0 ? { 'preference-applied': applied.join(', ') } : {}
}
