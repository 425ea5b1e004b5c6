import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'

/** How a program is called once it is built. */
export type Command = readonly [program: string, ...args: string[]]

/** Sources lie beside this file, by folder. */
export const sourceOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const nameOf = (kind: string, parts: readonly string[]) =>
  `clients-${kind}-${createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 12)}`

/** A Python with packages (PyPI), each `name==version`, in an environment that is kept. */
export async function pythonWith(packages: readonly string[]): Promise<string> {
  const name = nameOf('python', packages)
  await keep(name, 'bin/python', async (draft) => {
    await run('python3', ['-m', 'venv', '--clear', draft])
    await run(join(draft, 'bin/pip'), ['install', '--quiet', ...packages])
  })
  return keptAt(name, 'bin/python')
}

/** Builds all Go files of a folder. @param modules each `path version` */
export async function buildGo(folder: string, modules: readonly string[]): Promise<Command> {
  const required = modules.map((module) => `require ${module}`)
  await writeFile(join(folder, 'go.mod'), ['module walk', 'go 1.24', ...required, ''].join('\n'))
  await run('go', ['mod', 'tidy'], { cwd: folder })
  await run('go', ['build', '-o', 'walk', '.'], { cwd: folder })
  return [join(folder, 'walk')]
}

/** Jars of Maven Central, each `group:artifact:version`, and what they need, in a folder that is kept. */
async function jarsOf(artifacts: readonly string[]): Promise<string> {
  const name = nameOf('java', artifacts)
  await keep(name, 'jars', async (draft) => {
    const dependencies = artifacts.map((artifact) => {
      const [group, id, version] = artifact.split(':')
      return `<dependency><groupId>${group}</groupId><artifactId>${id}</artifactId><version>${version}</version></dependency>`
    })
    const project = [
      '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>',
      '<groupId>office</groupId><artifactId>walk</artifactId><version>1</version>',
      `<dependencies>${dependencies.join('')}</dependencies></project>`,
    ]
    await writeFile(join(draft, 'pom.xml'), project.join(''))
    await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=jars'], { cwd: draft })
  })
  return keptAt(name, 'jars')
}

/** Compiles a class with `main`, and what else lies below the folder. @param source its file */
export async function buildJava(
  folder: string,
  source: string,
  artifacts: readonly string[],
): Promise<Command> {
  const jars = join(await jarsOf(artifacts), '*')
  const classes = join(folder, 'classes')
  const sources = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.java'))
  const files = [...sources.map((file) => join(folder, file)), source]
  // too many for a command line
  await writeFile(join(folder, 'files'), files.map((file) => `"${file}"`).join('\n'))
  await run('javac', ['-nowarn', '-cp', jars, '-d', classes, `@${join(folder, 'files')}`])
  return ['java', '-cp', [classes, jars].join(delimiter), basename(source, '.java')]
}

/** @param crates each `name = "version"` */
export async function buildRust(folder: string, source: string, crates: readonly string[]): Promise<Command> {
  await mkdir(join(folder, 'src'))
  await copyFile(source, join(folder, 'src/main.rs'))
  const project = ['[package]', 'name = "walk"', 'version = "0.1.0"', 'edition = "2021"', '[dependencies]']
  await writeFile(join(folder, 'Cargo.toml'), [...project, ...crates, ''].join('\n'))
  await run('cargo', ['build', '--quiet'], { cwd: folder })
  return [join(folder, 'target/debug/walk')]
}
