/**
 * The header `Content-Disposition` of a file (RFC 6266): under which name it is kept, or that it is shown in a page. Names
 * beyond plain letters travel in UTF-8 beside a plain one.
 */
export function fileDisposition({ fileName, shown }: { fileName: string; shown?: boolean }): string {
  if (shown) return 'inline'
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const quoted = `attachment; filename="${plain}"`
  return plain === fileName ? quoted : `${quoted}; filename*=UTF-8''${extended(fileName)}`
}

/** As RFC 8187 writes it. */
function extended(text: string): string {
  const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text.toWellFormed()).replaceAll(/['()*]/g, escaped)
}
