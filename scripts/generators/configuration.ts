import type { Setting } from '../../server/src/configuration/settings.ts'
import type { Generator } from './generator.ts'

const INTRODUCTION = `<!-- Generated from server/src/configuration/settings.ts by \`npm run generate\`: do not edit. -->

# Configuration

Atrium is configured by environment variables, or by a file \`.env\` (UTF-8) in the folder of the checkout; a variable of the
environment wins over the file. Everything has a default for development: \`npm start\` needs none of them.
\`npm exec atrium doctor\` checks what is set and says how to mend what is wrong.

**Required** settings are those without which production refuses to start. A **secret** never appears in a log.
`

/** How the values of a kind are written. */
const KINDS: Record<Setting['kind'], string> = {
  text: 'text',
  number: 'whole number',
  boolean: '`true` or `false`',
  url: 'http or https address',
  list: 'list, separated by commas',
  choice: 'one of',
  secret: 'secret',
}

/** `docs/configuration.md`: every setting, by group. */
export function configurationReference(settings: readonly Setting[]): Generator {
  return {
    path: 'docs/configuration.md',
    make: () => {
      const groups = [...byGroup(settings)].map(([group, list]) => {
        const rows = list.map(
          (setting) =>
            `| \`${setting.name}\` | ${cell(valuesOf(setting))} | ${cell(defaultOf(setting))} | ${cell(meaningOf(setting))} |`,
        )
        return `\n## ${group}\n\n| setting | value | default | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`
      })
      return INTRODUCTION + groups.join('')
    },
  }
}

/** `.env.example`: every setting, commented out with its default, to copy to `.env`. */
export function exampleEnvironment(settings: readonly Setting[]): Generator {
  return {
    path: '.env.example',
    make: () => {
      const lines = [
        '# Generated from server/src/configuration/settings.ts by `npm run generate`: do not edit.',
        '# Copy to .env and uncomment what should differ from its default. Reference: docs/configuration.md',
      ]
      for (const [group, list] of byGroup(settings)) {
        lines.push('', `# ${group} ${'-'.repeat(Math.max(3, 96 - group.length))}`)
        for (const setting of list) {
          const values = setting.choices ? ` (${setting.choices.join(', ')})` : ''
          const required = setting.requiredInProduction ? ' Required in production.' : ''
          lines.push('', ...wrapped(`${setting.description}${values}${required}`))
          lines.push(`#${setting.name}=${quoted(setting.default ?? '')}`)
        }
      }
      return `${lines.join('\n')}\n`
    },
  }
}

function byGroup(settings: readonly Setting[]): Map<string, Setting[]> {
  return Map.groupBy(settings, ({ group }) => group)
}

function valuesOf({ kind, choices, range, leastAboveNone, protocols, isList }: Setting): string {
  if (isList) return 'secrets, separated by commas'
  if (protocols) return `address with ${protocols.map((one) => `\`${one}//\``).join(' or ')}`
  if (choices) return choices.map((choice) => `\`${choice}\``).join(', ')
  if (range && leastAboveNone) return `${KINDS[kind]}: 0, or ${leastAboveNone} to ${range[1]}`
  if (range) return `${KINDS[kind]}, ${range[0]} to ${range[1]}`
  return KINDS[kind]
}

function defaultOf(setting: Setting): string {
  if (setting.default === undefined) return setting.kind === 'secret' ? 'none' : ''
  if (setting.default === '') return 'empty'
  return setting.kind === 'secret' ? 'a public one, refused in production' : `\`${setting.default}\``
}

function meaningOf({ description, requiredInProduction, neededWhere }: Setting): string {
  const needed = neededWhere ? ` Needed with \`${conditionOf(neededWhere)}\`.` : ''
  return `${description}${needed}${requiredInProduction ? ' **Required.**' : ''}`
}

function conditionOf({ setting, is }: NonNullable<Setting['neededWhere']>): string {
  return is === undefined ? setting : `${setting}=${is}`
}

/** Text inside a table: markup characters would end the cell or vanish as a tag. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/<(\w+)>/g, '&lt;$1&gt;')
}

/** A value that holds blanks or comment signs needs quotes in an environment file. */
function quoted(value: string): string {
  return /[\s#<>"']/.test(value) ? `"${value.replaceAll('"', '\\"')}"` : value
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  let line = '#'
  for (const word of text.split(' ')) {
    if (line.length + word.length >= 100) {
      lines.push(line)
      line = '#'
    }
    line += ` ${word}`
  }
  return [...lines, line]
}
