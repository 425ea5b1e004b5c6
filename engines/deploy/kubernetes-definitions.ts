import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'

/** Of the group SIG CLI of Kubernetes: the definitions of every resource, by version, as a server publishes them. */
const MODULE = 'sigs.k8s.io/kubectl-validate@v0.0.4'
const WITHIN = 'pkg/openapiclient/builtins'
const KEPT = 'kubernetes-definitions-v0.0.4'

export interface Resource {
  apiVersion: string
  kind: string
}

interface Definition {
  properties?: Record<string, unknown>
  additionalProperties?: unknown
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[]
}

interface Document {
  components: { schemas: Record<string, Definition> }
}

/** @returns why they cannot be had here */
export async function bringDefinitions(): Promise<string | undefined> {
  try {
    await keep(KEPT, '1.30/api/v1.json', async (draft) => {
      const told = await run('go', ['mod', 'download', '-json', MODULE])
      const { Dir: folder } = JSON.parse(told.slice(told.indexOf('{'))) as { Dir: string }
      await cp(join(folder, WITHIN), draft, { recursive: true })
    })
  } catch (error) {
    return `definitions of Kubernetes cannot be had: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}

/**
 * What is wrong with a resource by the definitions of a version, a field that it does not have included.
 * @returns undefined where the version does not define its kind
 */
export async function faultsOf(resource: Resource, version: string): Promise<string[] | undefined> {
  const { apiVersion, kind } = resource
  const file = apiVersion.includes('/') ? `apis/${apiVersion}.json` : `api/${apiVersion}.json`
  const text = await readFile(keptAt(KEPT, join(version, file)), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const document = JSON.parse(text) as Document
  const { schemas } = document.components
  for (const definition of Object.values(schemas))
    if (definition.properties) definition.additionalProperties ??= false
  const [name] =
    Object.entries(schemas).find(([, definition]) =>
      definition['x-kubernetes-group-version-kind']?.some(
        (one) => one.kind === kind && [one.group, one.version].filter(Boolean).join('/') === apiVersion,
      ),
    ) ?? []
  if (!name) return undefined
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(document, 'kubernetes')
  const judge = ajv.getSchema(`kubernetes#/components/schemas/${name}`)
  if (!judge) throw new Error(`${name} is no schema`)
  judge(resource)
  return (judge.errors ?? []).map(
    ({ instancePath, message, params }) => `${kind}${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}
