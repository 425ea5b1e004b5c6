/**
 * Whether rooms are carried by the office itself. Its embedded media server has no path `/rtc/v1`: a client that asks for it
 * first is told so by a 404, which stands in red in the console, and asks at `/rtc` then.
 */
export function isOwnMediaServer(url: string | undefined, page: string): boolean {
  return url !== undefined && URL.canParse(url) && new URL(url).host === new URL(page).host
}
