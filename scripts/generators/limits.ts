import type { LimitDeclaration } from '@atrium/contract'
import type { Setting } from '../../server/src/configuration/settings.ts'
import type { Generator } from './generator.ts'
import { nodeBounds } from './node-bounds.ts'

const INTRODUCTION = `<!-- Generated from contract/limits.ts and server/src/configuration/settings.ts by \`npm run generate\`: do not edit. -->

# Limits

Every limit is a setting of the deployment: what each organization, and everybody in it, has. An operator may give one
organization more or less, and one person of it more or less of what each person has:

\`\`\`sh
npx atrium organization limits org_…                                    # all of them, and what is used
npx atrium organization limits org_… --set rooms=2000 --set exports=20
npx atrium organization limits org_… --unset rooms                      # what the deployment gives
npx atrium organization limits org_… --person ada@example.com           # those of each person, of one of them
npx atrium organization limits org_… --person ada@example.com --set calls-per-person=3000
\`\`\`

Nodes that run have it at once; where they have missed it, within half a minute. It is written to the organization's audit
trail (\`organization.limit-changed\`), and outlives restarts and backups; an archive of the organization does not hold it.
Administrators read limits and use in the administration, and with \`POST /api/v1/organizations/limits/get\`.

- A value is of the range of its setting; \`0\` where the range allows it: no limit. What is there already stays where a
  limit is lowered.
- A limit of each person that is set for an organization is counted apart: neither does what somebody does elsewhere use it
  up, nor the other way round. Without it, what somebody does in all their organizations counts together.
- What is set for a person counts before what is set for the organization, in that organization alone, and ends with their
  membership. \`--person\` takes an e-mail address or a \`User.id\`; it is for what is \`person\` in the third column.
- The command reads the limits of the deployment from its own environment: run it with that of the nodes.
- \`used\` is what all nodes have counted; of a limit of each person, room or link what is used by whichever uses most. What
  comes back within a minute, or each node counts for itself, is not told (\`-\`, null in the API). Neither is a limit of
  each person that is not set for the organization: what they do elsewhere is nobody's business there.
  With \`--person\` the operator is told all the same; there \`from\` says who has set it: \`set\` for the person,
  \`organization\`, or \`deployment\`.
- Calls are charged by the time they took: whatever held the event loop of a node counts as one more call for every 50 ms of the
  processor without a pause, of the person, service token or directory, and, where a network is counted (sign-in, guests), of
  the network. Statements that a chat client shapes by its filters, and answers of more than 64 kB, are charged likewise.
  What a browser does in its normal work takes a millisecond or two, and counts as the one call that it is.
- Chat keeps to the limits in the database: \`POST /rest/v1/messages\` answers P0429 and P0430 as ever.

## Of an organization

| limit | unit | of each | what is counted | setting | default |
|---|---|---|---|---|---|
`

const REST = `
## Of the deployment alone

They bind networks, addresses, or a person wherever they work: no organization decides on them.

| setting | default | what is limited |
|---|---|---|
`

const FIXED = `
## Not settings

What bounds a single request is part of the interface and the same everywhere: sizes of bodies and answers, lengths of texts,
pages of lists, addresses in one call of \`send-invitation\` (100). A code that was mailed takes five tries, and one archive of each
person and organization is made at a time. The rooms of an organization hold 1 MiB of metadata together, for lists of rooms are complete.
`

/** Other settings that bind a person or a network. */
const OF_DEPLOYMENT =
  /^(RATE_LIMIT_.*|ORGANIZATIONS_PER_USER|CONNECTIONS_PER_(ADDRESS|USER)|AVATAR_UPLOAD_TRIES|UNFINISHED_UPLOADS|EMBEDDED_MEDIA_(CAMERAS|PEOPLE))$/

/** `docs/operations/limits.md`: every limit that an organization or a person has. */
export function limitsReference(
  limits: Readonly<Record<string, LimitDeclaration>>,
  settings: readonly Setting[],
): Generator {
  return {
    path: 'docs/operations/limits.md',
    make() {
      const rows = Object.entries(limits).map(([name, { setting, unit, scope, description }]) => {
        const { default: usual = 'worked out: [configuration](../configuration.md)' } = settingOf(
          settings,
          setting,
        )
        return `| \`${name}\` | ${unit} | ${scope} | ${description} | \`${setting}\` | ${usual} |`
      })
      const ofOrganizations = new Set(Object.values(limits).map(({ setting }) => setting))
      const others = settings
        // people have it too, of avatars
        .filter(({ name }) => name === 'RATE_LIMIT_UPLOAD_BYTES_PER_USER' || !ofOrganizations.has(name))
        .filter(({ name }) => OF_DEPLOYMENT.test(name))
        .map((one) => `| \`${one.name}\` | ${one.default ?? ''} | ${one.description} |`)
      return `${INTRODUCTION}${rows.join('\n')}\n${REST}${others.join('\n')}\n${FIXED}${nodeBounds()}`
    },
  }
}

function settingOf(settings: readonly Setting[], name: string): Setting {
  const found = settings.find((setting) => setting.name === name)
  if (!found) throw new Error(`contract/limits.ts names ${name}, which is no setting`)
  return found
}
