/**
 * Whether rooms are carried by the office itself. The web office keeps to two connections there, one to publish on and
 * one to receive on.
 */
export function isOwnMediaServer(url: string | undefined, page: string): boolean {
  return url !== undefined && URL.canParse(url) && new URL(url).host === new URL(page).host
}
