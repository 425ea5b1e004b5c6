/** The frame around the content of every HTML mail. */
export function mailPage(content: string): string {
  return `<!doctype html><html lang="en"><body style="font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:24px auto;padding:0 16px">${content}</body></html>`
}
