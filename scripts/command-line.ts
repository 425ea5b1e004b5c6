import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/**
 * What a script of package.json was asked for, read before it does anything: `--help` is answered with its usage, and
 * what it does not take with that and a sentence, never with a stack.
 */

interface Taken<Options extends ParseArgsOptionsConfig> {
  /** How it is called, and what for. */
  usage: string
  options?: Options
  /** How many arguments without a name it takes at most; none where not given. */
  names?: number
}

/** Ends the process with 0 where help is asked for, and with 2 where the script does not take what it was given. */
export function readCommandLine<const Options extends ParseArgsOptionsConfig = Record<never, never>>({
  usage,
  options,
  names = 0,
}: Taken<Options>) {
  /** Wrong use of the script: nothing was done. */
  const refuse = (message: string): never => {
    console.error(`${message}\n\n${usage}`)
    process.exit(2)
  }
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(usage)
    process.exit(0)
  }
  const { values, positionals } = parsed(options ?? ({} as Options), refuse)
  if (positionals.length > names) refuse(`There is one argument too many: ${positionals[names]}`)
  /** A whole number of an option or argument. */
  const number = (name: string, text: string, least = 1): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value
    return refuse(`${name} is "${text}": it must be a whole number from ${least} on`)
  }
  return { values, positionals, refuse, number }
}

function parsed<Options extends ParseArgsOptionsConfig>(
  options: Options,
  refuse: (message: string) => never,
) {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    // after the first sentence Node says how to give it as something else
    const [sentence] = (error instanceof Error ? error.message : String(error)).split('. ')
    return refuse(`${sentence}`)
  }
}
