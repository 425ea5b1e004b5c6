/** One measurement of one side. */
export interface Sample {
  /** In the unit of the benchmark. */
  value: number
  /** What else was seen, by name with its unit: `p99 ms`. */
  details?: Record<string, number>
}

/** Both sides, ready to be measured in turn. Whichever is not being measured stands idle. */
export interface Contest {
  subject(): Promise<Sample>
  baseline(): Promise<Sample>
  close(): Promise<void>
}

export interface BenchmarkOptions {
  /** How long one sample under load takes. */
  seconds: number
  /** Which of its chapters, where it has some; without it, all. */
  chapters?: readonly string[]
}

/**
 * Of the subject against its baseline (at least, or at most), of the subject alone, or of how much more than its baseline it takes (in the
 * unit of the benchmark; what is called p99 by the detail `p99 ms`), or of each of the subject's details whose names end
 * so; met by the median.
 */
export type Goal =
  | { ratioMin: number }
  | { ratioMax: number }
  | { subjectMax: number; subjectP99Max?: number }
  | { overheadMax: number; overheadP99Max: number }
  | { detailsMax: number; named: string }

/**
 * A comparison: what of ours, against the least that could do the same. The ratio of one round is of two samples
 * taken one right after the other, so that a machine that slows down slows both.
 */
export interface Benchmark {
  name: string
  /** What is compared with what, in a sentence. */
  describe: string
  unit: 'requests/s' | 'ms' | 'MB'
  goal: Goal
  /** Why it cannot be measured here, where it needs what this machine may lack. */
  missing?(): string | undefined
  /** Measures the parts of a round again by itself where the host disturbs them: its rounds take minutes. */
  repeatsByItself?: boolean
  /** Where nothing else is said, and each round is so long that the usual number would take longer than anybody waits. */
  usual?: { rounds: number; seconds: number }
  prepare(options: BenchmarkOptions): Promise<Contest>
}
