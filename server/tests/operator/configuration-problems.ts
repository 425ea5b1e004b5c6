import { ConfigurationProblem, readConfig } from '../../src/configuration/config.ts'

/** What is said of an environment that is refused, line by line; none where it is taken. */
export function problemsIn(environment: Record<string, string>): string[] {
  try {
    readConfig(environment, '/srv/atrium')
  } catch (error) {
    if (error instanceof ConfigurationProblem) return error.message.split('\n')
    throw error
  }
  return []
}
