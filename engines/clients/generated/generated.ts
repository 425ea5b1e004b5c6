import assert from 'node:assert/strict'
import { copyFile, cp, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { run } from '../../commands.ts'
import { keep, keptAt } from '../../kept.ts'
import { buildGo, buildJava, type Command, pythonWith, sourceOf } from '../toolchains.ts'
import type { OfficeOfWalks, Walk } from '../walk.ts'
import { NODE_TOOLS, npmTools } from './npm-tools.ts'

/** Clients that generators make of the published document. Each signs in, makes a room, lists it, and is refused in words. */

const COMPILER = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
const GENERATOR = '7.17.0'
const JAR = `openapi-generator-cli-${GENERATOR}`
const OAPI_CODEGEN = 'v2.8.2'
const JACKSON = '2.19.2'
const PYTHON_PACKAGES = ['pydantic==2.14.4', 'python-dateutil==4.0.0', 'urllib3==2.8.0']

export const GENERATED: readonly Walk[] = [
  {
    software: `openapi-typescript ${NODE_TOOLS['openapi-typescript']} with openapi-fetch ${NODE_TOOLS['openapi-fetch']}`,
    needs: 'npm',
    async walk(office, folder) {
      const tools = await npmTools(folder)
      await run(tools.bin('openapi-typescript'), [await documentIn(office, folder), '-o', 'schema.d.ts'], {
        cwd: folder,
      })
      await walkInTypeScript(office, folder, 'walk-openapi-fetch.ts')
    },
  },
  {
    software: `hey-api ${NODE_TOOLS['@hey-api/openapi-ts']}`,
    needs: 'npm',
    async walk(office, folder) {
      const tools = await npmTools(folder)
      await run(tools.bin('openapi-ts'), ['-i', await documentIn(office, folder), '-o', 'hey'], {
        cwd: folder,
      })
      await walkInTypeScript(office, folder, 'walk-hey-api.ts')
    },
  },
  {
    software: `oapi-codegen ${OAPI_CODEGEN} (Go)`,
    needs: 'go',
    async walk(office, folder) {
      const program = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${OAPI_CODEGEN}`
      const configuration = sourceOf('generated/oapi-codegen.yaml')
      await run('go', ['run', program, '-config', configuration, await documentIn(office, folder)], {
        cwd: folder,
      })
      await copyFile(sourceOf('generated/walk.go'), join(folder, 'walk.go'))
      await walked(office, await buildGo(folder, ['github.com/oapi-codegen/runtime v1.9.0']))
    },
  },
  {
    software: `openapi-generator ${GENERATOR} (Java)`,
    needs: 'mvn',
    async walk(office, folder) {
      const packages = 'invokerPackage=office,apiPackage=office.api,modelPackage=office.model'
      const given = ['-g', 'java', '--library', 'native', `--additional-properties=${packages}`]
      await generate(office, folder, given)
      const artifacts = [
        `com.fasterxml.jackson.core:jackson-databind:${JACKSON}`,
        `com.fasterxml.jackson.datatype:jackson-datatype-jsr310:${JACKSON}`,
        'org.openapitools:jackson-databind-nullable:0.2.8',
        'com.google.code.findbugs:jsr305:3.0.2',
        'jakarta.annotation:jakarta.annotation-api:1.3.5',
      ]
      const sources = join(folder, 'made/src/main/java')
      await walked(office, await buildJava(sources, sourceOf('generated/Walk.java'), artifacts))
    },
  },
  {
    software: `openapi-generator ${GENERATOR} (Python)`,
    needs: 'mvn',
    async walk(office, folder) {
      await generate(office, folder, ['-g', 'python', '--additional-properties=packageName=atrium_office'])
      await copyFile(sourceOf('generated/walk.py'), join(folder, 'made/walk.py'))
      await walked(office, [await pythonWith(PYTHON_PACKAGES), join(folder, 'made/walk.py')])
    },
  },
]

async function documentIn({ url }: OfficeOfWalks, folder: string): Promise<string> {
  const path = join(folder, 'openapi.json')
  await writeFile(path, await (await fetch(`${url}/openapi.json`)).text())
  return path
}

/** By openapi-generator, into `made`. */
async function generate(office: OfficeOfWalks, folder: string, given: readonly string[]): Promise<void> {
  await keep(JAR, `${JAR}.jar`, async (draft) => {
    const artifact = `org.openapitools:openapi-generator-cli:${GENERATOR}:jar`
    const copied = ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${draft}`]
    await run('mvn', copied)
  })
  const input = ['-i', await documentIn(office, folder), '-o', join(folder, 'made')]
  await run('java', ['-jar', keptAt(JAR, `${JAR}.jar`), 'generate', ...input, ...given])
}

/** The compiler takes it strictly, and Node runs it. */
async function walkInTypeScript(office: OfficeOfWalks, folder: string, source: string): Promise<void> {
  const input = join(folder, source)
  await cp(sourceOf(`generated/${source}`), input)
  const options = ['--strict', '--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'esnext']
  await run(process.execPath, [
    COMPILER,
    '--noEmit',
    '--ignoreConfig',
    '--skipLibCheck',
    '--types',
    'node',
    ...options,
    input,
  ])
  const build = await rolldown({ input, platform: 'node', logLevel: 'silent' })
  const file = join(folder, `${basename(source, '.ts')}.mjs`)
  await build.write({ file, format: 'esm', codeSplitting: false })
  await build.close()
  await walked(office, [process.execPath, file])
}

async function walked({ url }: OfficeOfWalks, [program, ...args]: Command): Promise<void> {
  assert.match(
    await run(program, args, { env: { OFFICE: url } }),
    /walked: developer@atrium\.example, A room of .*, 4 seats/,
  )
}
