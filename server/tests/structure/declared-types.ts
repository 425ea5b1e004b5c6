import type { SourceFile } from './source-files.ts'

/** `interface X …` and `type X = …` of formatted code: each ends where the next line begins at the margin. */
const DECLARATION = /^(?:export )?(?:interface|type) (\w+)([\s\S]*?\n)(?=[\w@$]|(?![\s\S]))/gm
/** The type of one field of another, `Member['role']`, says nothing of its others. */
const NAME = /\b[A-Z]\w*\b(?!\['\w+'\])/g

const declarations = new WeakMap<SourceFile, Map<string, string>>()

/**
 * Every name of a type that some text of a file leads to: those in it, and what interfaces and type aliases of this
 * file and of the files it imports are made of. By names alone: what `typeof` infers is not followed.
 */
export function typesReachedBy(text: string, file: SourceFile, files: readonly SourceFile[]): Set<string> {
  const byPath = new Map(files.map((one) => [one.path, one]))
  const reached = new Set<string>()
  const seen = new Set<string>()
  const follow = (words: string, from: SourceFile) => {
    for (const [name] of words.matchAll(NAME)) {
      reached.add(name)
      const found = declarationOf(name, from, byPath)
      if (!found || seen.has(`${found.file.path} ${name}`)) continue
      seen.add(`${found.file.path} ${name}`)
      follow(found.words, found.file)
    }
  }
  follow(text, file)
  return reached
}

function declarationOf(name: string, file: SourceFile, byPath: ReadonlyMap<string, SourceFile>) {
  const imported = file.imports.flatMap(({ target }) => byPath.get(target ?? '') ?? [])
  for (const place of [file, ...imported]) {
    const words = declaredIn(place).get(name)
    if (words !== undefined) return { file: place, words }
  }
  return undefined
}

function declaredIn(file: SourceFile): Map<string, string> {
  const known = declarations.get(file)
  if (known) return known
  const found = new Map(
    [...`${file.code}\n`.matchAll(DECLARATION)].map(([, name = '', words = '']) => [name, words]),
  )
  declarations.set(file, found)
  return found
}
