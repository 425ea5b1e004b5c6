/** Where the machine of Docker is, as it is seen from outside, and its visitors. */
export const MACHINE = '203.0.113.1'
export const CLIENTS = ['203.0.113.10', '203.0.113.11'] as const
export const MAIL_PORT = 2525

/** Caddy is its own authority for such names. */
export const HOSTS = {
  OFFICE_HOST: 'office.localhost',
  MEDIA_HOST: 'media.localhost',
  STORE_HOST: 'files.localhost',
}
export const OFFICE_URL = `https://${HOSTS.OFFICE_HOST}`
